import { printable } from "../../base/clean-text.ts";
import { emptyDraft, holdsSections, onEndTag, onTag, onText, type PageDraft } from "./draft.ts";
import { fold } from "./fold.ts";
import { formsOf } from "./form-drafts.ts";
import { readFrame } from "./frames.ts";
import type { Page } from "./page.ts";
import { readPage } from "./tokens.ts";

/** Reads a page in one pass; never throws, linear in its length. */
export function readFacts(html: string): Page {
  const draft = emptyDraft();
  readInto(draft, html);
  // A frame may hold frames: they come to the end of the same list, which is bounded.
  for (const text of draft.frameTexts) readFrame(draft, () => readInto(draft, text));
  const { formsDraft, title, place: _, frameTexts: __, framesChars: ___, ...page } = draft;
  return {
    ...page,
    title: fold(printable(fold(title ?? ""))),
    text: page.text.trimEnd(),
    forms: formsOf(formsDraft),
    formsCount: formsDraft.formsCount,
    isCut: formsDraft.isCut,
    inputsCount: formsDraft.inputsCount,
  };
}

function readInto(draft: PageDraft, html: string): void {
  readPage(html, {
    onTag: (name, attributes, isSelfClosing) => onTag(draft, name, attributes, isSelfClosing),
    onEndTag: (name) => onEndTag(draft, name),
    onText: (text) => onText(draft, text),
    holdsSections: () => holdsSections(draft),
  });
  onEndTag(draft, "html");
}
