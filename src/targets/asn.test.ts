import fc from "fast-check";
import { expect, test } from "vitest";
import { isAsn, MAX_ASN, readAsn } from "./asn.ts";

test.each([
  ["AS64500", 64_500],
  ["as1", 1],
  ["4294967295", 4_294_967_295],
  ["0000000013", 13],
  ["AS0", null],
  ["4294967296", null],
  ["AS99999999999", null],
  ["AS 64500", null],
  [" 64500", null],
  ["64500\n", null],
  ["-1", null],
  ["1.5", null],
  ["1e3", null],
  ["0x1f", null],
  ["AS", null],
  ["", null],
  ["ASAS1", null],
  ["٣", null],
])("readAsn(%j) is %j", (text, asn) => {
  expect(readAsn(text)).toBe(asn);
});

test("every AS number is read from both of its spellings, and no other number", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: MAX_ASN }), (asn) => {
      expect([readAsn(`AS${asn}`), readAsn(`${asn}`)]).toEqual([asn, asn]);
    }),
  );
  for (const number of [0, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, MAX_ASN + 1])
    expect(isAsn(number)).toBe(false);
});
