import type { Kysely } from "kysely";
import type { Clock, Random } from "../base/clock.ts";
import type { Schema } from "../db/schema.ts";
import { type Credentials, writeCredentials } from "./credentials.ts";

/** 160 bits, as RFC 4226 4 wants. */
const SECRET_BYTES = 20;
/** Steps of 30 s before and after now whose code is taken too: clocks differ. */
const WINDOW = 1;

/** A second factor to be set up: its secret, and the address that an authenticator reads from a picture. */
export type TotpSetUp = { readonly secret: string; readonly uri: string };

/** A new secret for an account. The library is loaded here: most installations never need it. */
export async function newTotp(email: string, random: Pick<Random, "bytes">): Promise<TotpSetUp> {
  const { Secret, TOTP } = await import("otpauth");
  const secret = new Secret({ buffer: Uint8Array.from(random.bytes(SECRET_BYTES)).buffer });
  const totp = new TOTP({ issuer: "Repute", label: email, secret });
  return { secret: secret.base32, uri: totp.toString() };
}

/**
 * Takes a code: whether it is one of now or of a step beside, and of a later step than the last one taken. A code opens
 * once. The account's row is locked. Source: RFC 6238 5.2.
 */
export async function takeTotpCode(
  trx: Kysely<Schema>,
  wish: {
    readonly personId: string;
    readonly secret: string;
    readonly code: string;
    readonly lastStep: Credentials["totpLastStep"];
  },
  { clock }: { readonly clock: Clock },
): Promise<boolean> {
  const code = wish.code.replace(/\s/g, "");
  if (!/^\d{6}$/.test(code)) return false;
  const { Secret, TOTP } = await import("otpauth");
  const totp = new TOTP({ secret: Secret.fromBase32(wish.secret) });
  const timestamp = clock.now().getTime();
  const delta = totp.validate({ token: code, timestamp, window: WINDOW });
  if (delta === null) return false;
  const now = totp.counter({ timestamp });
  const step = now + delta;
  // One of a clock that was ahead, and has been set right: waiting for it would lock the person out.
  const isAhead = wish.lastStep !== null && wish.lastStep > now + WINDOW;
  if (wish.lastStep !== null && !isAhead && step <= wish.lastStep) return false;
  await writeCredentials(trx, wish.personId, { totp_last_step: step });
  return true;
}
