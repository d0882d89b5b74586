import fc from "fast-check";
import { expect, test } from "vitest";
import { systemRandom } from "../base/clock.ts";
import { isCommonPassword } from "./common-passwords.ts";
import { createPasswords } from "./passwords.ts";

const EMAIL = "ann.smith@mail.example-corp.com";

test.each([
  ["password", "the commonest"],
  ["12345678", "digits"],
  ["PassWord1", "in another case"],
  ["ｐａｓｓｗｏｒｄ", "in another width"],
  ["qwertyuiop", "a row of keys"],
  ["Passw0rd!", "with a digit for a letter and a sign after it"],
  ["p@$$w0rd", "with signs for letters"],
  ["password1!", "with a digit and a sign after it"],
  ["!2Sunsh1ne", "with a sign and a digit before it"],
  ["Football2026", "with a year after it"],
  ["we1come!!", "with a digit for the other letter"],
  ["abcdefgh1", "a row with a digit after it"],
  ["asdfasdf!1", "a repetition with a sign and a digit after it"],
  ["iloveyou", "of the list"],
  ["aaaaaaaa", "one character"],
  ["zzzzzzzzzzzz", "one character"],
  ["abcdefghij", "a row"],
  ["ZYXWVUTSR", "a row backwards"],
  ["87654321", "a row backwards"],
  ["asdfasdf", "a repetition"],
  ["abc1abc1abc1", "a repetition"],
  ["01011980", "a date"],
  ["4915112345", "a telephone number"],
  ["ann.smith", "the local part"],
  ["AnnSmith2026!", "the local part, with signs around it"],
  ["smith-123", "a part of the name"],
  ["ann.smith@mail.example-corp.com", "the address"],
  ["example-corp", "the domain"],
  ["mail.example-corp.com", "the domain"],
  ["repute2026", "the service"],
  ["!!Repute!!", "the service"],
])("%s is refused: %s", async (password) => {
  expect(await isCommonPassword(password, EMAIL)).toBe(true);
  await expect(
    createPasswords({ random: systemRandom }).hash(password, { email: EMAIL }),
  ).rejects.toMatchObject({
    reason: "password_common",
  });
});

test.each([
  "correct horse battery staple",
  "annoying smithereens",
  "my reputation counts",
  "498234098234098",
  "Tr0ub4dor&3Tr0ub4dor&3",
  "korrekt Pferd 1",
  "password and 7 more",
  "4-monkey-93715",
])("%s is taken", async (password) => {
  expect(await isCommonPassword(password, EMAIL)).toBe(false);
});

test("3,000 of the commonest at least are of a length that could be taken, and all are refused", async () => {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  const long = dictionary["passwords-common"].filter(({ length }) => length >= 8).slice(0, 3_000);
  expect(long).toHaveLength(3_000);
  for (const password of long) {
    for (const one of [password, password.toUpperCase()]) {
      expect([one, await isCommonPassword(one, EMAIL)]).toEqual([one, true]);
    }
  }
});

test("random texts are taken, whatever the e-mail", async () => {
  const random = fc.uint8Array({ minLength: 16, maxLength: 32 }).filter((bytes) => new Set(bytes).size > 8);
  await fc.assert(
    fc.asyncProperty(random, fc.emailAddress(), async (bytes, email) => {
      expect(await isCommonPassword(Buffer.from(bytes).toString("base64url"), email)).toBe(false);
    }),
  );
});
