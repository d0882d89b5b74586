import { emptyDraft, onEndTag, onTag, onText } from "./draft.ts";
import { fold } from "./fold.ts";
import { formsOf } from "./form-drafts.ts";
import type { Page } from "./page.ts";
import { readPage } from "./tokens.ts";

/** Reads a page in one pass; never throws, linear in its length. */
export function readFacts(html: string): Page {
  const draft = emptyDraft();
  readPage(html, {
    onTag: (name, attributes, isSelfClosing) => onTag(draft, name, attributes, isSelfClosing),
    onEndTag: (name) => onEndTag(draft, name),
    onText: (text) => onText(draft, text),
  });
  onEndTag(draft, "html");
  const { formsDraft, title, place: _, ...page } = draft;
  return {
    ...page,
    title: fold(title ?? ""),
    text: page.text.trimEnd(),
    forms: formsOf(formsDraft),
    formsCount: formsDraft.formsCount,
    inputsCount: formsDraft.inputsCount,
  };
}
