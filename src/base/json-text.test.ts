import fc from "fast-check";
import { expect, test } from "vitest";
import { utf8Of, withMember } from "./json-text.ts";

const pieces = (text: string, cuts: readonly number[]): string[] => {
  const at = [0, ...[...cuts].map((cut) => cut % (text.length + 1)).sort((a, b) => a - b), text.length];
  return at.slice(1).map((end, i) => text.slice(at[i], end));
};

test("pieces are the octets of the whole, whatever characters stand in them", () => {
  const texts = fc.array(fc.string({ unit: "grapheme" }), { maxLength: 6 });
  fc.assert(
    fc.property(texts, (text) => {
      expect(utf8Of(text).toString()).toBe(text.join(""));
    }),
  );
});

test("a member is added at the end of an object in any pieces that end with its brace", () => {
  const objects = fc.dictionary(fc.string(), fc.jsonValue());
  fc.assert(
    fc.property(objects, fc.jsonValue(), fc.array(fc.nat(), { maxLength: 4 }), (object, value, cuts) => {
      const text = JSON.stringify(object);
      const cut = text === "{}" ? [text] : [...pieces(text.slice(0, -1), cuts), "}"];
      const made = JSON.parse(withMember(cut, "a new one", [JSON.stringify(value)]).join(""));
      expect(made).toEqual({ ...JSON.parse(text), "a new one": JSON.parse(JSON.stringify(value)) });
    }),
  );
});
