import { hash, timingSafeEqual } from "node:crypto";
import type { Random } from "../base/clock.ts";

const BYTES = 32;
const SHAPE = /^[A-Za-z0-9_-]{43}$/;

/** 256 random bits as text: a session's cookie, a one-time link. */
export const newToken = (random: Pick<Random, "bytes">): string =>
  Buffer.from(random.bytes(BYTES)).toString("base64url");

/** Whether a text can be one of ours: what cannot costs no read. */
export const isToken = (text: string): boolean => SHAPE.test(text);

/** What is stored of a token. It is random enough for a fast hash. Source: security P15. */
export const hashToken = (token: string): string => hash("sha256", token, "hex");

/** The value that calls of a session must repeat in a header; made from the cookie's, stored nowhere. */
export const csrfTokenOf = (token: string): string => hash("sha256", `csrf of ${token}`, "base64url");

/** Whether a header holds the session's value. */
export function isCsrfToken(given: unknown, token: string): boolean {
  if (typeof given !== "string") return false;
  const [a, b] = [Buffer.from(given), Buffer.from(csrfTokenOf(token))];
  return a.length === b.length && timingSafeEqual(a, b);
}
