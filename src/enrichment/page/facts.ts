import { emptyDraft, fold, onEndTag, onTag, onText } from "./draft.ts";
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
  const { outside, title, forms, place: _, ...page } = draft;
  return {
    ...page,
    title: fold(title ?? ""),
    text: page.text.trimEnd(),
    forms: outside.inputs.length > 0 ? [...forms, outside] : forms,
  };
}
