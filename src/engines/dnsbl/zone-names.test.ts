import fc from "fast-check";
import { expect, test } from "vitest";
import { ipv4Of, ipv6Of, readIp } from "../../targets/ip.ts";
import { reversed, testPointName } from "./zone-names.ts";

test("the octets and nibbles of an address, read backwards, are the address", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0xffffffff }), (value) => {
      const ip = ipv4Of(value);
      expect(reversed(ip).split(".").toReversed().join(".")).toBe(ip.text);
    }),
  );
  const word = fc.integer({ min: 0, max: 0xffffffff });
  fc.assert(
    fc.property(fc.tuple(word, word, word, word), (words) => {
      const ip = ipv6Of(words);
      if (ip.version === "v4") return;
      const nibbles = reversed(ip).split(".").toReversed();
      expect(nibbles).toHaveLength(32);
      const groups = nibbles.join("").match(/.{4}/g)?.join(":") ?? "";
      expect(readIp(groups)).toEqual(ip);
    }),
  );
});

test.each([
  ["127.0.0.2", "ipv4", "2.0.0.127"],
  ["127.0.0.2", "ipv6", null],
  ["::ffff:7f00:2", "ipv4", null],
  ["::ffff:7f00:2", "ipv6", `2.0.0.0.0.0.f.7.f.f.f.f${".0".repeat(20)}`],
  ["TEST", "name", "test"],
  ["127.0.0.2", "name", "127.0.0.2"],
  ["test", "ipv4", null],
] as const)("the test point %s of the family %s is asked as %s", (point, family, name) => {
  expect(testPointName(point, family, null)).toBe(name);
});
