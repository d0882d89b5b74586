/** One field of a form. */
export type PageInput = {
  /** Of `<input>`, lower case (`text` when absent); `textarea`, `select`. */
  readonly type: string;
  /** Name, id, autocomplete, placeholder, label and title in one text, lower case, `_` as `-`. */
  readonly hints: string;
};

/** A form, or the fields outside every form (action null). */
export type PageForm = {
  /** As written; null: none, so the page itself. */
  readonly action: string | null;
  /** Where buttons send it instead, as written; the first 20, and other servers. */
  readonly buttonActions: readonly string[];
  /** Fields that a visitor fills in, the first 200 and what is like none that was kept. */
  readonly inputs: readonly PageInput[];
};

export type ResourceKind = "script" | "style" | "image" | "iframe" | "media" | "object" | "icon";
type PageResource = { readonly kind: ResourceKind /** As written. */; readonly url: string };

/** An image that looks like a logo. */
type PageLogo = {
  /** As written. */
  readonly url: string;
  /** Alternative text, source, class and id, lower case. */
  readonly words: string;
};

/** What stands in a page, as written, bounded: the facts that checks and report are drawn from. */
export type Page = {
  /** Of the first `<title>` that is no drawing's, blanks folded. */
  readonly title: string;
  /** By name or property, lower case, the first of doubles; at most 200. */
  readonly metas: ReadonlyMap<string, string>;
  readonly lang: string;
  readonly baseHref: string | null;
  readonly canonicalUrl: string | null;
  readonly faviconUrl: string | null;
  /** `content` of the `<meta http-equiv="refresh">` that a browser obeys: no `<noscript>`'s or `<template>`'s. */
  readonly refresh: string | null;
  /** Visible text, blanks folded, at most 64 KiB. */
  readonly text: string;
  /** Octets of visible text, blanks folded; of all of it. */
  readonly textBytes: number;
  /** Addresses of `<a href>`, the first 2,000. */
  readonly links: readonly string[];
  readonly linksCount: number;
  /** The first 200, what is like none of them, and the fields outside every form behind them. */
  readonly forms: readonly PageForm[];
  readonly formsCount: number;
  /** Whether forms or frames were left out that could say more. */
  readonly isCut: boolean;
  /** Fields that a visitor fills in; hidden ones and buttons are none. */
  readonly inputsCount: number;
  /** The first 2,000. */
  readonly resources: readonly PageResource[];
  readonly resourcesCount: number;
  readonly scriptsCount: number;
  readonly iframesCount: number;
  /** Text of inline scripts, at most 256 KiB. */
  readonly scriptText: string;
  /** The first 50. */
  readonly logos: readonly PageLogo[];
};

/** Whether a page shows nothing: no text, nothing to load, nothing to fill in. */
export const isEmptyPage = (page: Page): boolean =>
  page.textBytes === 0 &&
  page.resourcesCount === 0 &&
  page.scriptText.trim() === "" &&
  page.inputsCount === 0;
