import { InvalidValue } from "../../base/failure.ts";

const MAX_REASON = 500;

/** An owner's reason for a change, as the audit log keeps it. Throws InvalidValue when there is none, or a novel. */
export function reasonOf(text: string): string {
  const reason = text.replace(/\p{Cc}/gu, " ").trim();
  if (reason === "") throw new InvalidValue("reason_blank", "Say why: the reason is kept in the audit log");
  if (reason.length <= MAX_REASON) return reason;
  throw new InvalidValue("reason_long", `A reason has at most ${MAX_REASON} characters`);
}
