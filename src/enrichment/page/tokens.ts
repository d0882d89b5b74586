import { Tokenizer } from "htmlparser2";

/** A tag's attributes as far as they are read here, names in lower case, the first of doubles; values as decoded. */
export type Attributes = ReadonlyMap<string, string>;

/**
 * How the page goes on behind a tag. `apart`: up to the end tag of `<noscript>` stands a text of its own, whose tags,
 * comments and quotes end there, closed or not. `anew`: tags go on behind it, whatever its name. `script`: a script,
 * which may hold the text of scripts.
 */
export type Continuation = "on" | "apart" | "anew" | "script";

/** What a page is made of, in its order. Nesting is not followed: a tree of hostile depth would cost its square. */
export type PageVisitor = {
  readonly onTag: (name: string, attributes: Attributes, isSelfClosing: boolean) => Continuation;
  readonly onEndTag: (name: string) => void;
  /** A piece of text; one text may come in many pieces. */
  readonly onText: (text: string) => void;
  /** Whether `<![CDATA[` begins a text here; else it is a comment. */
  readonly holdsSections: () => boolean;
};

const MAX_NAME_CHARS = 64;
const MAX_VALUE_CHARS = 4096;
/** What steers the page, as long as a `Location` may be: what is cut off would be a redirect or an address that is missed. */
const MAX_URL_CHARS = 65_536;
/** What a frame may hold: a page of its own, as text or as a `data:` address. */
const MAX_FRAME_CHARS = 1_310_720;
/** Others may be as many as they like: none of them pushes these out. */
const LONGEST: ReadonlyMap<string, number> = new Map([
  ..."alt aria-label autocomplete class form http-equiv id lang name placeholder property rel shadowrootmode title type"
    .split(" ")
    .map((name) => [name, MAX_VALUE_CHARS] as const),
  ..."action content formaction href".split(" ").map((name) => [name, MAX_URL_CHARS] as const),
  ..."data src srcdoc".split(" ").map((name) => [name, MAX_FRAME_CHARS] as const),
]);
const NONE: Attributes = new Map();

/**
 * Reads a page as flat tags and texts by htmlparser2's tokenizer: linear in its length, whatever it holds. Names and
 * values are cut.
 */
export function readPage(page: string, visitor: PageVisitor): void {
  // Outside drawings it is a comment up to the next `>`, and the tokenizer does not know where drawings are.
  const html = page.replaceAll("<![CDATA[", `<!${SECTION}`);
  for (let at = 0; at < html.length; ) at = readOn(html, at, visitor);
}

/** Reads from there to the end, or to where reading has to begin anew, and says where that is. */
function readOn(html: string, from: number, visitor: PageVisitor): number {
  const stop = readPart(html.slice(from), visitor);
  if (stop === null) return html.length;
  const at = from + stop.length;
  if (stop.continuation === "section") return endOfSection(html, at);
  if (stop.continuation === "anew") return at;
  if (stop.continuation === "script") {
    const end = endOfScript(html, at);
    visitor.onText(html.slice(at, end));
    return end;
  }
  const end = endOfNoscript(html, at);
  readPart(html.slice(at, end), {
    ...visitor,
    onTag: (...tag) => {
      visitor.onTag(...tag);
      return "on";
    },
  });
  return end;
}

const NOSCRIPT = "noscript";
const ENDS_OF_NAMES = new Set([..." \t\n\f\r/>"]);

/** Where the next end tag of `<noscript>` begins. */
function endOfNoscript(html: string, from: number): number {
  for (let at = html.indexOf("</", from); at >= 0; at = html.indexOf("</", at + 2)) {
    const end = at + 2 + NOSCRIPT.length;
    const isNamed = html.slice(at + 2, end).toLowerCase() === NOSCRIPT;
    if (isNamed && ENDS_OF_NAMES.has(html.charAt(end))) return at;
  }
  return html.length;
}

const SECTION = "-CDATA[";

function endOfSection(html: string, from: number): number {
  const end = html.indexOf("]]>", from);
  return end < 0 ? html.length : end + 3;
}

/**
 * Where the end tag of a script begins: not in a comment in which the text of another script is open (HTML standard,
 * 13.2.5.15 to 31).
 */
function endOfScript(html: string, from: number): number {
  let state: "script" | "comment" | "inner" = "script";
  SCRIPT_MARKS.lastIndex = from;
  for (let mark = SCRIPT_MARKS.exec(html); mark !== null; mark = SCRIPT_MARKS.exec(html)) {
    const [text] = mark;
    if (text === "<!--") {
      if (state === "script") state = "comment";
      // `<!-->` is a whole comment.
      SCRIPT_MARKS.lastIndex = mark.index + 2;
    } else if (text === "-->") state = "script";
    else if (text.startsWith("</")) {
      if (state !== "inner") return mark.index;
      state = "comment";
    } else if (state === "comment") state = "inner";
  }
  return html.length;
}

const SCRIPT_MARKS = /<!--|-->|<\/?script(?=[\s/>])/gi;

type Stop = { readonly length: number; readonly continuation: Exclude<Continuation, "on"> | "section" };

/** Reads a part from its start; null: to its end. */
function readPart(html: string, visitor: PageVisitor): Stop | null {
  let stop: Stop | null = null;
  const nameAt = (start: number, end: number) =>
    html.slice(start, Math.min(end, start + MAX_NAME_CHARS)).toLowerCase();
  const onEnd = (end: number, continuation: Continuation | "section") => {
    if (continuation === "on") return;
    stop = { length: end + 1, continuation };
    tokenizer.pause();
  };
  const tokenizer: Tokenizer = new Tokenizer(
    { xmlMode: false, decodeEntities: true },
    {
      ...tagReader(html, { nameAt, onTag: visitor.onTag, onEnd }),
      onclosetag: (start, end) => visitor.onEndTag(nameAt(start, end)),
      ontext: (start, end) => visitor.onText(html.slice(start, end)),
      ontextentity: (codepoint) => visitor.onText(String.fromCodePoint(codepoint)),
      oncdata: () => undefined,
      oncomment: (start) => {
        const isSection = start > 0 && html.startsWith(`!${SECTION}`, start - 1);
        if (isSection && visitor.holdsSections()) onEnd(start, "section");
      },
      ondeclaration: () => undefined,
      onprocessinginstruction: () => undefined,
      onend: () => undefined,
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  return stop;
}

type TagReading = Pick<PageVisitor, "onTag"> & {
  readonly nameAt: (start: number, end: number) => string;
  /** Told where the tag ends, and what the visitor said of it. */
  readonly onEnd: (end: number, continuation: Continuation) => void;
};

/** Puts a tag together from the tokenizer's pieces. */
function tagReader(html: string, { nameAt, onTag, onEnd }: TagReading) {
  let tag = "";
  let attributes: Map<string, string> | null = null;
  let name = "";
  let value = "";
  const endTag = (end: number, isSelfClosing: boolean) => {
    const continuation = onTag(tag, attributes ?? NONE, isSelfClosing);
    attributes = null;
    onEnd(end, continuation);
  };
  let room = 0;
  /** Readers of addresses pass over what stands before them, however long it is. */
  const addToValue = (text: string) => {
    const piece = value === "" && room > MAX_VALUE_CHARS ? text.replace(/^[\0-\x20]+/, "") : text;
    if (value.length < room) value += piece.slice(0, room - value.length);
  };
  return {
    onopentagname: (start: number, end: number) => {
      tag = nameAt(start, end);
      attributes = null;
    },
    onopentagend: (end: number) => endTag(end, false),
    onselfclosingtag: (end: number) => endTag(end, true),
    onattribname: (start: number, end: number) => {
      name = nameAt(start, end);
      value = "";
      room = LONGEST.get(name) ?? 0;
    },
    onattribdata: (start: number, end: number) => {
      if (room > 0) addToValue(html.slice(start, end));
    },
    onattribentity: (codepoint: number) => addToValue(String.fromCodePoint(codepoint)),
    onattribend: () => {
      if (room === 0) return;
      attributes ??= new Map();
      if (!attributes.has(name)) attributes.set(name, value);
    },
  };
}
