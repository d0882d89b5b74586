import { Tokenizer } from "htmlparser2";

/** A tag's attributes, names in lower case, the first of doubles; values as decoded. */
export type Attributes = ReadonlyMap<string, string>;

/** What a page is made of, in its order. Nesting is not followed: a tree of hostile depth would cost its square. */
export type PageVisitor = {
  readonly onTag: (name: string, attributes: Attributes, isSelfClosing: boolean) => void;
  readonly onEndTag: (name: string) => void;
  /** A piece of text; one text may come in many pieces. */
  readonly onText: (text: string) => void;
};

const MAX_NAME_CHARS = 64;
const MAX_VALUE_CHARS = 4096;
const MAX_ATTRIBUTES = 256;
const NONE: Attributes = new Map();

/**
 * Reads a page as flat tags and texts by htmlparser2's tokenizer: linear in its length, whatever it holds. Names and
 * values are cut, attributes beyond 256 of a tag dropped.
 */
export function readPage(html: string, visitor: PageVisitor): void {
  const nameAt = (start: number, end: number) =>
    html.slice(start, Math.min(end, start + MAX_NAME_CHARS)).toLowerCase();
  const onText = (start: number, end: number) => visitor.onText(html.slice(start, end));
  const tokenizer = new Tokenizer(
    { xmlMode: false, decodeEntities: true },
    {
      ...tagReader(html, nameAt, visitor),
      onclosetag: (start, end) => visitor.onEndTag(nameAt(start, end)),
      ontext: onText,
      ontextentity: (codepoint) => visitor.onText(String.fromCodePoint(codepoint)),
      oncdata: () => undefined,
      oncomment: () => undefined,
      ondeclaration: () => undefined,
      onprocessinginstruction: () => undefined,
      onend: () => undefined,
    },
  );
  tokenizer.write(html);
  tokenizer.end();
}

/** Puts a tag together from the tokenizer's pieces. */
function tagReader(html: string, nameAt: (start: number, end: number) => string, { onTag }: PageVisitor) {
  let tag = "";
  let attributes: Map<string, string> | null = null;
  let name = "";
  let value = "";
  const endTag = (isSelfClosing: boolean) => {
    onTag(tag, attributes ?? NONE, isSelfClosing);
    attributes = null;
  };
  const addToValue = (text: string) => {
    if (value.length < MAX_VALUE_CHARS) value += text;
  };
  return {
    onopentagname: (start: number, end: number) => {
      tag = nameAt(start, end);
      attributes = null;
    },
    onopentagend: () => endTag(false),
    onselfclosingtag: () => endTag(true),
    onattribname: (start: number, end: number) => {
      name = nameAt(start, end);
      value = "";
    },
    onattribdata: (start: number, end: number) =>
      addToValue(html.slice(start, Math.min(end, start + MAX_VALUE_CHARS))),
    onattribentity: (codepoint: number) => addToValue(String.fromCodePoint(codepoint)),
    onattribend: () => {
      attributes ??= new Map();
      if (attributes.size < MAX_ATTRIBUTES && !attributes.has(name)) {
        attributes.set(name, value.slice(0, MAX_VALUE_CHARS));
      }
    },
  };
}
