import fc from "fast-check";
import { expect, test } from "vitest";
import { emptyDraft, onEndTag, onText } from "./draft.ts";
import { fold } from "./fold.ts";

const MAX_TEXT_CHARS = 65_536;
const SLICE = 65_536;

/** What stands in a page of these pieces of text, without a tag between them. */
function read(pieces: readonly string[]): { readonly text: string; readonly textBytes: number } {
  const draft = emptyDraft();
  for (const piece of pieces) onText(draft, piece);
  onEndTag(draft, "html");
  return { text: draft.text.trimEnd(), textBytes: draft.textBytes };
}

const small = fc.array(fc.constantFrom("a", "é", "💶", " ", "\n\t", "\u0000", "\u00a0", "words"), {
  maxLength: 12,
});
const around = fc.integer({ min: SLICE - 3, max: SLICE + 3 });

test("folds text slice by slice as if it were one, whatever stands where a slice ends", () => {
  fc.assert(
    fc.property(
      small,
      around,
      fc.constantFrom("a", " "),
      small,
      small,
      (before, length, filler, at, after) => {
        const pieces = [before.join(""), filler.repeat(length), at.join(""), ...after];
        const folded = fold(pieces.join(""));
        expect(read(pieces)).toEqual({
          text: folded.slice(0, MAX_TEXT_CHARS).trimEnd(),
          textBytes: Buffer.byteLength(folded),
        });
      },
    ),
    { numRuns: 60 },
  );
});

test("counts all of megabytes of text and keeps the first of it", () => {
  const { text, textBytes } = read(["a ".repeat(2_621_440)]);
  expect([text.length, textBytes]).toEqual([MAX_TEXT_CHARS - 1, 5_242_879]);
});
