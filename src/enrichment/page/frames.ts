import { type PageDraft, startOfPage } from "./draft.ts";

/**
 * Reads what a frame holds into the page that shows it: its text, fields and addresses count, and its head does not steer
 * the page.
 */
export function readFrame(draft: PageDraft, read: () => void): void {
  const { title, metas, lang, baseHref, canonicalUrl, faviconUrl, refresh } = draft;
  const own = { title, metas, lang, baseHref, canonicalUrl, faviconUrl, refresh };
  draft.metas = new Map();
  draft.place = startOfPage();
  Object.assign(draft.formsDraft, { open: null, openHidden: null });
  read();
  Object.assign(draft, own);
}
