import { createHash } from "node:crypto";
import { parseRefresh, type Refresh } from "../../net/http/http-redirect.ts";
import { decodePage } from "./charset.ts";
import { readFacts } from "./facts.ts";
import { fileTypeOf, isXml, kindOfType } from "./file-type.ts";
import { htmlFormsOf, NO_FORMS } from "./forms.ts";
import { htmlInfoOf } from "./html-info.ts";
import { baseOf, extensionOf } from "./links.ts";
import type { Page } from "./page.ts";
import { NO_RESOURCES, type Resources, resourcesOf } from "./resources.ts";
import { isSalePage } from "./sale-page.ts";
import { BINARY_KINDS, type FileKind, type FileType, type HtmlForms, type HtmlInfo } from "./shapes.ts";

/** A response's body and what is needed to understand it. */
export type ResponseBody = {
  readonly body: Uint8Array;
  /** As the server says it, `""` when it does not. */
  readonly contentType: string;
  /** The URL that gave it, absolute, http(s). */
  readonly url: string;
};

/** Everything that is drawn from the octets of a response. */
export type ReadResponse = {
  readonly bodySha256: string;
  readonly fileType: FileType;
  /** Null unless it is HTML, as the next two. */
  readonly page: Page | null;
  readonly htmlInfo: HtmlInfo | null;
  /** Whether the page does nothing but sell its own name. */
  readonly isForSale: boolean | null;
  readonly forms: HtmlForms;
  readonly resources: Resources;
  /** The `<meta>` refresh that is to be followed, its target absolute or empty for the page itself (design 7.3). */
  readonly refresh: Refresh | null;
};

/** Kinds of files that are no page unless a page stands in them: browsers show what is said to be HTML, whatever its first octets. */
const FILES: ReadonlySet<FileKind> = new Set(BINARY_KINDS);

/**
 * Reads a response: linear in its length, nothing is run, nothing is fetched. Takes up to seconds for megabytes:
 * `createPageAnalysis` does it beside the event loop. Source: design 7.2, security P5.
 */
export function readResponse({ body: octets, contentType, url: href }: ResponseBody): ReadResponse {
  const body = Buffer.from(octets.buffer, octets.byteOffset, octets.byteLength);
  const url = new URL(href);
  const fileType = fileTypeOf(extensionOf(url), contentType, body);
  const octetsRead = { bodySha256: createHash("sha256").update(body).digest("hex"), fileType };
  const language = languageOf(contentType, fileType.signature, body);
  if (language === null) return { ...octetsRead, ...NO_HTML };
  const { text, charset } = decodePage(body, contentType);
  const page = readFacts(language === "html" ? text : withoutPrefixes(text));
  if (FILES.has(fileType.signature) && !hasMarkup(page)) return { ...octetsRead, ...NO_HTML };
  return {
    ...octetsRead,
    page,
    htmlInfo: htmlInfoOf(page, url, charset),
    isForSale: isSalePage(page),
    forms: htmlFormsOf(page, url),
    resources: resourcesOf(page, url),
    refresh: refreshOf(page, url),
  };
}

/** Relative to `<base>`, as every address of a page; one that names no URL is not. */
function refreshOf(page: Page, url: URL): Refresh | null {
  const refresh = page.refresh === null ? null : parseRefresh(page.refresh);
  if (refresh === null || refresh.target === "") return refresh;
  return { ...refresh, target: URL.parse(refresh.target, baseOf(page, url))?.href ?? refresh.target };
}

/** What is drawn from a response that is no page. */
export const NO_HTML = {
  page: null,
  htmlInfo: null,
  isForSale: null,
  forms: NO_FORMS,
  resources: NO_RESOURCES,
  refresh: null,
} as const;

/**
 * How browsers read the body as a page; null: they do not. Where the server says nothing that is known, the octets decide.
 * In XML of any type, drawings included, elements of the namespace of XHTML are those of a page.
 */
function languageOf(contentType: string, signature: FileKind, body: Buffer): "html" | "xml" | null {
  const said = kindOfType(contentType);
  if (isXml(contentType)) return said === "HTML" || body.includes(XHTML) ? "xml" : null;
  if (said === "HTML") return "html";
  return (said === "" || said === "UNKNOWN") && signature === "HTML" ? "html" : null;
}

const XHTML = "http://www.w3.org/1999/xhtml";

/** Names may have prefixes: `<h:form>`. */
const withoutPrefixes = (text: string): string => text.replace(/(<\/?)[A-Za-z_][\w.-]{0,63}:/g, "$1");

/** Whether there is anything in it that a page is made of. */
const hasMarkup = ({ title, formsCount, inputsCount, iframesCount, scriptsCount, ...page }: Page): boolean =>
  title !== "" ||
  page.refresh !== null ||
  formsCount + inputsCount + iframesCount + scriptsCount + page.linksCount + page.resourcesCount > 0;
