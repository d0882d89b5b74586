import { createRequire } from "node:module";
import { z } from "zod";
import { lowerMailbox } from "../../targets/email.ts";
import { labelFactsOf } from "../domain-names/label.ts";

const ROLES = new Set(
  z.array(z.string()).parse(createRequire(import.meta.url)("role-based-email-addresses")),
);
const NO_REPLY = /^(?:no|not|never|do-?not|donot)[._-]?(?:reply|respond|answer)/;

/** Why a local part looks made up (design 9). */
export const USERNAME_REASONS = [
  "trailing_digits",
  "no_vowels",
  "keyboard_run",
  "high_entropy",
  "test_word",
] as const;
type UsernameReason = (typeof USERNAME_REASONS)[number];

export type UsernameFacts = {
  /** The role that the mailbox stands for (`abuse`), or null. */
  readonly role: string | null;
  readonly isNoReply: boolean;
  readonly reasons: readonly UsernameReason[];
};

const MIN_VOWELLESS_LETTERS = 7;
const RUN_CHARS = 5;
const ROWS = [
  "qwertyuiop",
  "asdfghjkl",
  "zxcvbnm",
  "1234567890",
  "qwertzuiop",
  "yxcvbnm",
  "azertyuiop",
  "abcdefghij",
];
const TEST_WORDS = new Set([
  "test",
  "tester",
  "testing",
  "testuser",
  "test1",
  "test123",
  "asdf",
  "asd",
  "foo",
  "bar",
  "foobar",
  "fake",
  "spam",
  "temp",
  "trash",
  "throwaway",
  "junk",
  "dummy",
  "example",
  "nobody",
  "none",
  "null",
  "undefined",
  "aaa",
  "aaaa",
  "xxx",
  "abc",
  "abc123",
]);

/** What a local part without its tag says. Linear. */
export function usernameFactsOf(local: string): UsernameFacts {
  const name = lowerMailbox(local);
  const role = ROLES.has(name) && !TEST_WORDS.has(name) ? name : null;
  const isNoReply = NO_REPLY.test(name);
  return { role, isNoReply, reasons: role !== null || isNoReply ? [] : reasonsOf(name) };
}

function reasonsOf(name: string): UsernameReason[] {
  const reasons: UsernameReason[] = [];
  const letters = name.replace(/[^a-z]/g, "");
  if (/\d{5}$/.test(name)) reasons.push("trailing_digits");
  if (letters.length >= MIN_VOWELLESS_LETTERS && !/[aeiouy]/.test(letters)) reasons.push("no_vowels");
  if (hasRun(name)) reasons.push("keyboard_run");
  if (isMadeOfNoise(name)) reasons.push("high_entropy");
  if (TEST_WORDS.has(name)) reasons.push("test_word");
  return reasons;
}

/** Five neighbours of a keyboard row, in either direction; a row of digits alone may be a phone number. */
function hasRun(name: string): boolean {
  const rows = ROWS.flatMap((row) => [row, [...row].reverse().join("")]);
  for (let i = 0; i + RUN_CHARS <= name.length; i++) {
    const part = name.slice(i, i + RUN_CHARS);
    if (rows.some((row) => row.includes(part))) return true;
  }
  return false;
}

/** Letters and digits in turn, many different ones: `x7f3k9q2m1zt`. */
function isMadeOfNoise(name: string): boolean {
  const { length, digits, entropyBits } = labelFactsOf(name);
  return (
    length >= 12 && entropyBits >= 3.3 && digits >= 3 && (name.match(/[a-z]\d|\d[a-z]/g)?.length ?? 0) >= 4
  );
}
