import { cut, foldBlanks } from "./fold.ts";
import { emptyForms, endForm, endHidden, type FormsDraft } from "./form-drafts.ts";
import type { Page } from "./page.ts";
import { READERS } from "./readers.ts";
import type { Attributes, Continuation } from "./tokens.ts";

const MAX_TEXT_CHARS = 65_536;
const MAX_SCRIPT_CHARS = 262_144;
const MAX_TITLE_CHARS = 1024;

type Growing<T> = T extends readonly (infer One)[]
  ? One[]
  : T extends ReadonlyMap<infer Key, infer Value>
    ? Map<Key, Value>
    : T;

/** Where in the page its reader stands. */
type Place = {
  /** `script`, `title`, …: an element whose text is not the page's, and holds no tags. */
  raw: string;
  /** `svg`, `noscript`, `template`: an element that shows no text of the page. */
  hidden: string;
  /** Whether a formula is open: like a drawing, it has tags of its own. */
  isFormula: boolean;
  /** `foreignobject`, `mi`, …: an element of a drawing or formula that holds HTML. */
  point: string;
  /** The drawing that goes on where such an element ends, after HTML that ends drawings elsewhere. */
  parted: Pick<Place, "hidden" | "isFormula" | "point"> | null;
  /** Text since the last tag that was not taken in yet: one word may come in many pieces. */
  pending: string;
  /** Whether there were words since the last tag, and whether a blank follows them. */
  words: "none" | "some" | "some and a blank";
};

/** A page while it is read. */
export type PageDraft = { -readonly [Key in keyof Omit<Page, Later>]: Growing<Page[Key]> } & {
  title: string | null;
  readonly formsDraft: FormsDraft;
  /** Pages that frames hold in themselves. */
  readonly frameTexts: string[];
  framesChars: number;
  place: Place;
};

type Later = "title" | "forms" | "formsCount" | "isCut" | "inputsCount";

export function emptyDraft(): PageDraft {
  return {
    title: null,
    metas: new Map(),
    lang: "",
    baseHref: null,
    canonicalUrl: null,
    faviconUrl: null,
    refresh: null,
    text: "",
    textBytes: 0,
    links: [],
    linksCount: 0,
    resources: [],
    resourcesCount: 0,
    scriptsCount: 0,
    iframesCount: 0,
    scriptText: "",
    logos: [],
    formsDraft: emptyForms(),
    frameTexts: [],
    framesChars: 0,
    place: startOfPage(),
  };
}

export const startOfPage = (): Place => ({
  raw: "",
  hidden: "",
  isFormula: false,
  point: "",
  parted: null,
  pending: "",
  words: "none",
});

const RAW = new Set(["script", "style", "title", "iframe", "noembed", "noframes"]);
const HIDDEN = new Set(["svg", "noscript", "template"]);
/** Elements that the tokenizer takes all text after for theirs, as it is outside drawings. */
const TEXT_HOLDERS = new Set([...RAW, "textarea", "xmp", "plaintext"]);
/** Elements that end a drawing which was not closed (HTML standard, 13.2.6.5). */
const NOT_IN_DRAWINGS = new Set(
  (
    "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta " +
    "nobr ol p pre ruby s small span strike strong sub sup table tt u ul var"
  ).split(" "),
);

/** Takes a tag in. */
export function onTag(
  draft: PageDraft,
  name: string,
  attributes: Attributes,
  isSelfClosing: boolean,
): Continuation {
  const { place } = draft;
  endText(draft);
  if (NOT_IN_DRAWINGS.has(name) || (name === "noscript" && place.point !== "")) leaveDrawing(draft);
  READERS.get(name)?.(draft, attributes);
  if (isInDrawing(place)) {
    if (isSelfClosing) return TEXT_HOLDERS.has(name) ? "anew" : "on";
    if (place.point === "") return enterInDrawing(place, name);
  }
  if (name === "template" && SHADOW.test(attributes.get("shadowrootmode") ?? "")) return "on";
  return enter(place, name, isSelfClosing);
}

const isInDrawing = ({ hidden, isFormula }: Place): boolean => hidden === "svg" || isFormula;

/** Elements in which HTML stands again (HTML standard, 13.2.6). */
const POINTS = new Set("foreignobject desc title mi mo mn ms mtext annotation-xml".split(" "));

/** No element of a drawing holds text alone: tags go on inside it. */
function enterInDrawing(place: Place, name: string): Continuation {
  if (POINTS.has(name)) place.point = name;
  if (!TEXT_HOLDERS.has(name)) return name === "svg" || name === "math" ? enter(place, name, false) : "on";
  if (name === "script") place.raw = name;
  return "anew";
}

/** A template that is shown where it stands. */
const SHADOW = /^(?:open|closed)$/i;

function enter(place: Place, name: string, isSelfClosing: boolean): Continuation {
  if (name === "script") {
    place.raw = name;
    return "script";
  }
  if (RAW.has(name)) place.raw = name;
  if (name === "math" && !isSelfClosing) place.isFormula = true;
  const isElements = name === "svg" ? !isSelfClosing : HIDDEN.has(name) && !place.isFormula;
  if (!isElements || place.hidden !== "") return "on";
  place.hidden = name;
  return name === "noscript" ? "apart" : "on";
}

function leaveDrawing(draft: PageDraft): void {
  const { place } = draft;
  if (!isInDrawing(place)) return;
  const { hidden, isFormula, point } = place;
  if (point !== "") place.parted = { hidden, isFormula, point };
  place.isFormula = false;
  place.point = "";
  if (hidden === "svg") show(draft);
}

function show({ place, formsDraft }: PageDraft): void {
  Object.assign(place, { hidden: "", raw: "", isFormula: false, point: "" });
  endHidden(formsDraft);
}

function endPoint(place: Place, name: string): void {
  const { parted } = place;
  if (name === "svg" || name === "math") place.parted = null;
  if (name === place.point) place.point = "";
  if (name !== parted?.point || place.hidden !== "") return;
  Object.assign(place, { hidden: parted.hidden, isFormula: parted.isFormula, point: "", parted: null });
}

/** Whether the page goes on in a drawing, where a section of CDATA is text. */
export const holdsSections = ({ place }: PageDraft): boolean => isInDrawing(place) && place.point === "";

/** Takes an end tag in, or the end of the page. */
export function onEndTag(draft: PageDraft, name: string): void {
  const { place } = draft;
  endText(draft);
  if (name === place.raw) place.raw = "";
  if (name === "form") endForm(draft.formsDraft, place.hidden !== "");
  if (name === place.hidden) show(draft);
  if (name === "math") place.isFormula = false;
  endPoint(place, name);
}

/** Takes a piece of text in. */
export function onText(draft: PageDraft, text: string): void {
  const { place } = draft;
  place.pending += text;
  if (place.pending.length > SLICE_CHARS) takeText(draft);
}

/** Megabytes of text are folded slice by slice: no copy of all of it is made. */
const SLICE_CHARS = 65_536;

function endText(draft: PageDraft): void {
  const { place } = draft;
  if (place.raw === "title" && place.pending !== "") addTitle(draft, place.pending);
  else if (place.pending !== "") takeText(draft);
  if (place.words !== "none" && draft.text.length < MAX_TEXT_CHARS) draft.text += " ";
  place.pending = "";
  place.words = "none";
}

function takeText(draft: PageDraft): void {
  const { place } = draft;
  const text = place.pending;
  place.pending = place.raw === "title" ? cut(text, MAX_TITLE_CHARS) : "";
  if (place.raw === "script") draft.scriptText += cut(text, MAX_SCRIPT_CHARS - draft.scriptText.length);
  else if (place.raw === "" && place.hidden === "") {
    for (let start = 0, end = 0; start < text.length; start = end) {
      end = endOfSlice(text, start);
      addWords(draft, text.slice(start, end));
    }
  }
}

/** Not between the halves of a character. */
function endOfSlice(text: string, start: number): number {
  const end = start + SLICE_CHARS;
  const isHalf = (text.charCodeAt(end - 1) & 0xfc00) === 0xd800;
  return end < text.length && isHalf ? end + 1 : end;
}

/** A page's first title is its own; drawings have titles too. */
function addTitle(draft: PageDraft, text: string): void {
  if (draft.place.hidden === "") draft.title ??= cut(text, MAX_TITLE_CHARS);
}

function addWords(draft: PageDraft, text: string): void {
  const { place } = draft;
  const folded = foldBlanks(text);
  const words = folded.trim();
  if (words === "") {
    if (place.words !== "none") place.words = "some and a blank";
    return;
  }
  const isApart = place.words === "some and a blank" || (place.words === "some" && folded.startsWith(" "));
  const added = isApart ? ` ${words}` : words;
  draft.textBytes += Buffer.byteLength(added);
  const room = MAX_TEXT_CHARS - draft.text.length;
  if (room > 0) draft.text += cut(added, room);
  place.words = folded.endsWith(" ") ? "some and a blank" : "some";
}
