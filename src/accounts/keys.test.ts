import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Random, systemRandom } from "../base/clock.ts";
import { generateKey, hashKey, hasValidShape, prefixOfKey } from "./keys.ts";

describe("generateKey()", () => {
  test("gives rpt_ and 43 base62 digits, with a valid checksum, never twice the same", () => {
    const keys = Array.from({ length: 1000 }, () => generateKey(systemRandom));
    for (const key of keys) {
      expect(key).toMatch(/^rpt_[0-9A-Za-z]{43}$/);
      expect(hasValidShape(key)).toBe(true);
    }
    expect(new Set(keys).size).toBe(1000);
  });

  test("throws bytes away that would favour some digits", () => {
    // 248 and above are no whole round of 62 digits.
    const bytes = [
      ...Array.from({ length: 36 }, (_, i) => 248 + (i % 8)),
      61,
      ...Array.from({ length: 36 }, () => 0),
    ];
    let at = 0;
    const random: Random = {
      ...systemRandom,
      bytes: (count) => Uint8Array.from({ length: count }, () => bytes[at++ % bytes.length] ?? 0),
    };
    expect(generateKey(random).slice(4, 41)).toBe(`z${"0".repeat(36)}`);
  });

  test("uses every digit about equally often", () => {
    const counts = new Map<string, number>();
    for (let i = 0; i < 2000; i++) {
      for (const digit of generateKey(systemRandom).slice(4, 41))
        counts.set(digit, (counts.get(digit) ?? 0) + 1);
    }
    const expected = (2000 * 37) / 62;
    expect(counts.size).toBe(62);
    // Eight standard deviations: a fair draw fails this once in 10^13 runs, a biased one (5/256 against 4/256) always.
    const margin = 8 * Math.sqrt(expected);
    for (const count of counts.values()) expect(Math.abs(count - expected)).toBeLessThan(margin);
  });
});

describe("hasValidShape()", () => {
  const key = generateKey(systemRandom);
  const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

  test("refuses every key with one digit changed or two neighbours swapped", () => {
    fc.assert(
      fc.property(fc.integer({ min: 4, max: 46 }), fc.constantFrom(...digits), (at, digit) => {
        const changed = key.slice(0, at) + digit + key.slice(at + 1);
        expect(hasValidShape(changed)).toBe(changed === key);
        const swapped = key.slice(0, at - 1) + key.charAt(at) + key.charAt(at - 1) + key.slice(at + 1);
        expect(hasValidShape(swapped)).toBe(swapped === key);
      }),
    );
  });

  test("is false for any other text", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => !hasValidShape(text)));
  });

  test.each([
    ["", "empty"],
    [` ${key}`, "space before"],
    [`${key}\n`, "line end"],
    [key.toUpperCase(), "other case"],
    [key.slice(0, -1), "too short"],
    [`${key}0`, "too long"],
    [`rpx_${key.slice(4)}`, "other start"],
  ])("refuses %j: %s", (text) => {
    expect(hasValidShape(text)).toBe(false);
  });
});

test("hashKey() is SHA-256 and prefixOfKey() the first twelve characters", () => {
  expect(hashKey("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  expect(prefixOfKey("rpt_0123456789")).toBe("rpt_01234567");
});
