import { CallFailure } from "../../api/failure.ts";
import type { Shapes } from "../../api/types.gen.ts";

/** A refused sign-in, worded for what was asked for: no code is named where none was sent. */
export function wordedAs(error: unknown, sent: Shapes["SignInInput"] | undefined): unknown {
  if (!(error instanceof CallFailure) || error.code !== "SIGN_IN_FAILED" || sent === undefined) return error;
  const proof = sent.api_key === undefined ? ["e-mail address", "password"] : ["API key"];
  const parts = sent.totp_code === undefined ? proof : [...proof, "code"];
  const last = parts.at(-1) ?? "";
  const named = parts.length === 1 ? last : `${parts.slice(0, -1).join(", ")} or ${last}`;
  return new CallFailure({ ...error, message: `Wrong ${named}` }, error);
}
