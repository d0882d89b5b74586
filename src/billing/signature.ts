import { createHmac, timingSafeEqual } from "node:crypto";

const TOLERANCE_S = 300;
const V1 = /^[0-9a-f]{64}$/;

/**
 * Whether the provider signed these very bytes, less than five minutes ago: one `t`, and a `v1` among any number that is
 * HMAC-SHA-256 of `t.body`. `v0` and an empty secret never verify. Source: security P16, Stripe's "Verify manually".
 */
export function isSigned(
  { body, header }: { readonly body: Buffer; readonly header: string },
  { secret, now }: { readonly secret: string; readonly now: Date },
): boolean {
  if (secret === "") return false;
  const parts = header.split(",").map((part) => part.trim().split("=", 2));
  const times = parts.flatMap(([name, value = ""]) => (name === "t" ? [value] : []));
  const [time = ""] = times;
  // Two times would leave open which of them was signed.
  if (times.length !== 1 || !/^\d{1,12}$/.test(time)) return false;
  const wanted = createHmac("sha256", secret).update(`${time}.`).update(body).digest();
  // Every one is compared: how long it takes does not tell which was near.
  const isRight = parts
    .filter(([name, value = ""]) => name === "v1" && V1.test(value))
    .map(([, value = ""]) => timingSafeEqual(Buffer.from(value, "hex"), wanted))
    .includes(true);
  const ageS = Math.floor(now.getTime() / 1000) - Number(time);
  return isRight && Math.abs(ageS) <= TOLERANCE_S;
}
