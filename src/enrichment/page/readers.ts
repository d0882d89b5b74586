import { pageIn } from "./data-pages.ts";
import type { PageDraft } from "./draft.ts";
import { cut, fold } from "./fold.ts";
import { addControl, attribute, startForm } from "./form-drafts.ts";
import type { ResourceKind } from "./page.ts";
import { sooner } from "./refreshes.ts";
import type { Attributes } from "./tokens.ts";

const MAX_LINKS = 2000;
const MAX_RESOURCES = 2000;
const MAX_LINK_CHARS = 4096;
const MAX_METAS = 200;
const MAX_META_CHARS = 4096;
const MAX_LOGOS = 50;
const MAX_FRAMES = 1000;
/** Of all of them, those inside others included. */
const MAX_FRAMES_CHARS = 1_310_720;

type Reader = (draft: PageDraft, attributes: Attributes) => void;

/** Something that shows a page of its own, which its address may hold: `data:text/html,…`. */
const readFrameOf =
  (kind: ResourceKind, name = "src"): Reader =>
  (draft, attributes) => {
    const text = pageIn(attribute(attributes, name));
    if (text !== null) holdFrame(draft, text);
    resource(kind, name)(draft, attributes);
  };

const resource =
  (kind: ResourceKind, name = "src"): Reader =>
  (draft, attributes) => {
    const url = attribute(attributes, name);
    if (url === "") return;
    draft.resourcesCount++;
    if (draft.resources.length < MAX_RESOURCES) draft.resources.push({ kind, url: cut(url, MAX_LINK_CHARS) });
  };

/** What is taken from each kind of tag. */
export const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ["html", readHtml],
  ["base", readBase],
  ["meta", readMeta],
  ["link", readLink],
  ["a", readAnchor],
  ["area", readAnchor],
  ["form", ({ formsDraft, place }, attributes) => startForm(formsDraft, attributes, place.hidden !== "")],
  ["input", control((type) => type || "text")],
  ["button", control((type) => type || "submit")],
  ["textarea", control(() => "textarea")],
  ["select", control(() => "select")],
  ["script", counted("scriptsCount", resource("script"))],
  ["iframe", counted("iframesCount", readIframe)],
  ["frame", readFrameOf("iframe")],
  ["img", readImage],
  ["video", resource("media")],
  ["audio", resource("media")],
  ["source", resource("media")],
  ["embed", readFrameOf("object")],
  ["object", readFrameOf("object", "data")],
]);

function control(typeOf: (type: string) => string): Reader {
  return ({ formsDraft }, attributes) =>
    addControl(formsDraft, typeOf(attribute(attributes, "type").toLowerCase()), attributes);
}

function counted(count: "scriptsCount" | "iframesCount", reader: Reader): Reader {
  return (draft, attributes) => {
    draft[count]++;
    reader(draft, attributes);
  };
}

function readIframe(draft: PageDraft, attributes: Attributes): void {
  const text = attributes.get("srcdoc") ?? "";
  // Browsers pass over the address of a frame that holds a page.
  if (text === "") readFrameOf("iframe")(draft, attributes);
  else holdFrame(draft, text);
}

function holdFrame(draft: PageDraft, text: string): void {
  draft.framesChars += text.length;
  if (draft.framesChars <= MAX_FRAMES_CHARS && draft.frameTexts.length < MAX_FRAMES)
    draft.frameTexts.push(text);
  else draft.formsDraft.isCut = true;
}

function readHtml(draft: PageDraft, attributes: Attributes): void {
  draft.lang ||= fold(attribute(attributes, "lang"));
}

/** What stands where nothing is shown does not steer the page: with scripts, browsers pass over it. */
function readBase(draft: PageDraft, attributes: Attributes): void {
  if (draft.place.hidden !== "") return;
  draft.baseHref ??= attributes.get("href")?.trim() ?? null;
}

function readMeta(draft: PageDraft, attributes: Attributes): void {
  if (draft.place.hidden !== "") return;
  const content = attributes.get("content") ?? "";
  if (attributes.get("http-equiv")?.toLowerCase() === "refresh")
    draft.refresh = sooner(draft.refresh, content);
  const name = (attribute(attributes, "name") || attribute(attributes, "property")).toLowerCase();
  const { metas } = draft;
  const isNew = name !== "" && metas.size < MAX_METAS && !metas.has(name);
  if (isNew) metas.set(name, fold(cut(content, MAX_META_CHARS)));
}

function readLink(draft: PageDraft, attributes: Attributes): void {
  const rel = attribute(attributes, "rel").toLowerCase().split(/\s+/, 8);
  const href = attribute(attributes, "href");
  if (href === "") return;
  if (rel.includes("canonical")) draft.canonicalUrl ??= href;
  if (rel.includes("icon")) {
    draft.faviconUrl ??= href;
    resource("icon", "href")(draft, attributes);
  } else if (rel.includes("stylesheet")) resource("style", "href")(draft, attributes);
}

function readAnchor(draft: PageDraft, attributes: Attributes): void {
  const href = attribute(attributes, "href");
  if (href === "") return;
  draft.linksCount++;
  if (draft.links.length < MAX_LINKS) draft.links.push(cut(href, MAX_LINK_CHARS));
}

const LOGO_WORDS = ["alt", "src", "class", "id"];

function readImage(draft: PageDraft, attributes: Attributes): void {
  resource("image")(draft, attributes);
  const words = LOGO_WORDS.map((name) => attributes.get(name)?.slice(0, 300) ?? "").join(" ");
  if (!/logo|brand/i.test(words) || draft.logos.length >= MAX_LOGOS) return;
  const url = cut(attribute(attributes, "src"), MAX_LINK_CHARS);
  draft.logos.push({ url, words: words.toLowerCase() });
}
