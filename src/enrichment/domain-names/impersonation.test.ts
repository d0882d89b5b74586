import fc from "fast-check";
import { expect, test } from "vitest";
import { createLikeness } from "./impersonation.ts";
import { skeletonOf } from "./skeleton.ts";

const NAMES = [
  "paypal.com",
  "xn--mnchen-3ya.de",
  ...Array.from({ length: 1200 }, (_, i) => `name${i}.example`),
];

test("what is prepared is read once, in more than one turn, and answers as what was not prepared", async () => {
  let reads = 0;
  const read = () => {
    reads++;
    return NAMES;
  };
  const [prepared, other] = [createLikeness([], read), createLikeness([], () => NAMES)];
  let turns = 0;
  let isDone = false;
  const count = (): void => {
    turns++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await prepared.prepare();
  isDone = true;
  expect(turns).toBeGreaterThan(4);
  for (const name of ["xn--pypal-4ve.com", "xn--nme7-63a.example", "paypal.com", "unlike.example"]) {
    expect(prepared.of(name, false)).toEqual(other.of(name, false));
  }
  expect(prepared.of("xn--pypal-4ve.com", false).homoglyph_of).toBe("paypal.com");
  expect(reads).toBe(1);
});

test("a name that is asked about while others are prepared is judged at once", async () => {
  const likeness = createLikeness([], () => NAMES);
  const preparing = likeness.prepare();
  expect(likeness.of("xn--pypal-4ve.com", false).homoglyph_of).toBe("paypal.com");
  await preparing;
  expect(likeness.of("xn--pypal-4ve.com", false).homoglyph_of).toBe("paypal.com");
});

test("a skeleton is that of each character in turn, whatever was asked before", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 20 }), (text) => {
      const skeleton = skeletonOf(text);
      expect(skeletonOf(text)).toBe(skeleton);
      expect(
        [...text.toLowerCase().normalize("NFD")]
          .map((one) => skeletonOf(one))
          .join("")
          .normalize("NFD"),
      ).toBe(skeleton);
    }),
    { numRuns: 2000 },
  );
});
