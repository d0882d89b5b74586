import { hash } from "node:crypto";
import { crc32 } from "node:zlib";
import type { Random } from "../base/clock.ts";

/** What credentials begin with: keys look up and pay, tokens fetch what is made of lists. */
export const KEY_START = "rpt_";
export const TOKEN_START = "rpx_";
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const BASE = DIGITS.length;
/** 37 base62 digits are 220 bits. */
const SECRET_DIGITS = 37;
const CHECKSUM_DIGITS = 6;
const LENGTH = KEY_START.length + SECRET_DIGITS + CHECKSUM_DIGITS;
const PREFIX_LENGTH = 12;
const DIGITS_ONLY = /^[0-9A-Za-z]+$/;
// Bytes from here up are thrown away: 256 is no multiple of 62, and the remainder would favour the first digits.
const UNBIASED_BELOW = Math.floor(256 / BASE) * BASE;

/** A new key's text: `rpt_`, 37 random base62 digits, 6 digits of CRC-32 over what stands before. Source: design 13.2. */
export const generateKey = (random: Random): string => generate(KEY_START, random);

/** The same for an access token, which begins with `rpx_`. */
export const generateToken = (random: Random): string => generate(TOKEN_START, random);

function generate(start: string, random: Random): string {
  let secret = start;
  while (secret.length < start.length + SECRET_DIGITS) {
    for (const byte of random.bytes(SECRET_DIGITS)) {
      if (byte < UNBIASED_BELOW && secret.length < start.length + SECRET_DIGITS) {
        secret += DIGITS.charAt(byte % BASE);
      }
    }
  }
  return secret + checksumOf(secret);
}

/** Whether a text can be one of our keys: its length, its digits, its checksum. Keeps typos away from the database. */
export const hasValidShape = (text: string): boolean => hasShape(KEY_START, text);

/** The same for an access token. */
export const hasTokenShape = (text: string): boolean => hasShape(TOKEN_START, text);

function hasShape(start: string, text: string): boolean {
  if (text.length !== LENGTH || !text.startsWith(start)) return false;
  if (!DIGITS_ONLY.test(text.slice(start.length))) return false;
  const body = text.slice(0, -CHECKSUM_DIGITS);
  return checksumOf(body) === text.slice(-CHECKSUM_DIGITS);
}

/** A number that a key's text may have in common with few others. */
export const numberOfKey = (text: string): number => crc32(text) | 0;

/** What is stored of a key: SHA-256, hexadecimal. It is random enough (220 bits) for a fast hash. Source: security P13. */
export const hashKey = (text: string): string => hash("sha256", text, "hex");

/** What is shown of a key after its creation: the first 12 characters. */
export const prefixOfKey = (text: string): string => text.slice(0, PREFIX_LENGTH);

function checksumOf(body: string): string {
  let rest = crc32(body);
  let digits = "";
  for (let i = 0; i < CHECKSUM_DIGITS; i++) {
    digits = DIGITS.charAt(rest % BASE) + digits;
    rest = Math.floor(rest / BASE);
  }
  return digits;
}
