import fc from "fast-check";
import { expect, test } from "vitest";
import { createTextColumn, textReader } from "./text-column.ts";

const someTexts = fc.array(fc.tuple(fc.string({ unit: "grapheme", maxLength: 300 }), fc.boolean()), {
  maxLength: 80,
});

test("texts are read as they were pushed, and those alone that are kept", () => {
  fc.assert(
    fc.property(someTexts, (pairs) => {
      const column = createTextColumn();
      for (const [text] of pairs) column.push(text);
      const isKept = Uint8Array.from(pairs, ([, kept]) => Number(kept));
      const [all, kept] = [column.picked(), column.picked(isKept)];
      expect(Array.from(all.ends, (_, at) => textReader(all)(at))).toEqual(pairs.map(([text]) => text));
      expect(Array.from(kept.ends, (_, at) => textReader(kept)(at))).toEqual(
        pairs.flatMap(([text, isWanted]) => (isWanted ? [text] : [])),
      );
    }),
  );
});
