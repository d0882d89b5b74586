import fc from "fast-check";
import { expect, test } from "vitest";
import { forEachDatabase } from "../../test/databases.ts";
import { createCaller, startLedger } from "../../test/ledger-setting.ts";
import { InvalidValue } from "../base/failure.ts";
import { parseKeyName } from "./key-rows.ts";

const TOO_LONG = "A name has at most 100 characters, and this one has";

test("a name is kept whole or refused, never cut", () => {
  const texts = fc.string({ unit: "grapheme", maxLength: 140 });
  fc.assert(
    fc.property(texts, (text) => {
      const shown = text.replace(/[\p{Cc}\p{Cf}]/gu, " ").trim();
      const kept = (() => {
        try {
          return parseKeyName(text);
        } catch (error) {
          if (error instanceof InvalidValue) return error.message;
          throw error;
        }
      })();
      const { length } = [...shown];
      expect(kept).toBe(length > 100 ? `${TOO_LONG} ${length}` : shown || "default");
    }),
  );
});

test.each([
  ["a".repeat(100), null],
  ["a".repeat(101), 101],
  [` ${"a".repeat(100)}\n`, null],
  ["\u{1f511}".repeat(100), null],
  ["\u{1f511}".repeat(101), 101],
])("%j", (text, length) => {
  if (length === null) expect(parseKeyName(text)).toBe(text.trim());
  else expect(() => parseKeyName(text)).toThrow(`${TOO_LONG} ${length}`);
});

forEachDatabase((_dialect, database) => {
  test("nothing is made or renamed under a name that is too long", async () => {
    const setting = await startLedger(database);
    const { accounts } = setting;
    const { email } = await createCaller(setting);
    const before = await accounts.listKeys({ email });
    const id = before[0]?.id ?? "";
    const name = "n".repeat(101);
    await expect(accounts.createKey({ email, name })).rejects.toThrow(TOO_LONG);
    await expect(accounts.updateKey(id, { name })).rejects.toThrow(TOO_LONG);
    await expect(accounts.createToken({ email, name, scopes: ["gate"] })).rejects.toThrow(TOO_LONG);
    expect(await accounts.listKeys({ email })).toEqual(before);
    expect(await accounts.listTokens({ email })).toEqual([]);
  });
});
