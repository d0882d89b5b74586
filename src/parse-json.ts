import { InvalidValue } from "./failure.ts";

/** Where a text stops being JSON: a character index, the length at a premature end. */
export class InvalidJson extends InvalidValue {
  readonly offset: number;

  constructor(offset: number, message: string) {
    super("json_invalid", message);
    this.offset = offset;
  }
}

/**
 * Parses a body that a stranger sent. Nesting deeper than `maxDepth` is refused before the parser sees it;
 * `__proto__` becomes an own member as JSON.parse has it, and no code may look members up without `Object.hasOwn`.
 * Throws InvalidJson. Source: design 13.1, security P8.
 */
export function parseJson(text: string, maxDepth = 32): unknown {
  const tooDeep = offsetOfDepth(text, maxDepth);
  if (tooDeep >= 0) throw new InvalidJson(tooDeep, `Nesting deeper than ${maxDepth}`);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new InvalidJson(firstFault(text), withoutExcerpt(messageOf(cause)));
  }
}

/** The engine's sentence without the part of the text that it quotes. */
function withoutExcerpt(message: string): string {
  const quote = message.search(/,? (?:\.\.\.)?"/);
  return quote < 0 ? message : message.slice(0, quote);
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

type Cursor = { readonly text: string; at: number };
type Expected = "value" | "value or end" | "name" | "name or end" | "separator";

const MAY_END: ReadonlySet<Expected> = new Set(["value or end", "name or end", "separator"]);

/**
 * Length of the longest start of `text` that could still become JSON: the whole length at a premature end. One pass,
 * without recursion. Source: RFC 8259.
 */
function firstFault(text: string): number {
  const cursor = { text, at: 0 };
  const closers: number[] = [];
  let expected: Expected | null = "value";
  while (expected !== null) {
    passWhile(cursor, isBlank);
    expected = step(cursor, expected, closers);
  }
  return cursor.at;
}

/** Passes what is expected and returns what has to follow; null at the fault. */
function step(cursor: Cursor, expected: Expected, closers: number[]): Expected | null {
  const code = cursor.text.charCodeAt(cursor.at);
  const closer = closers.at(-1);
  if (code === closer && MAY_END.has(expected)) {
    closers.pop();
    cursor.at++;
    return "separator";
  }
  if (expected === "separator") {
    if (closer === undefined || code !== COMMA) return null;
    cursor.at++;
    return closer === CLOSE_LIST ? "value" : "name";
  }
  if (expected === "name" || expected === "name or end") return passName(cursor) ? "value" : null;
  if (code !== OPEN_LIST && code !== OPEN_OBJECT) return passScalar(cursor, code) ? "separator" : null;
  cursor.at++;
  if (code === OPEN_LIST) {
    closers.push(CLOSE_LIST);
    return "value or end";
  }
  closers.push(CLOSE_OBJECT);
  return "name or end";
}

const QUOTE = 34;
const COMMA = 44;
const MINUS = 45;
const DOT = 46;
const ZERO = 48;
const BACKSLASH = 92;
const OPEN_LIST = 91;
const CLOSE_LIST = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

const isBlank = (code: number): boolean => code === 32 || code === 9 || code === 10 || code === 13;
const isDigit = (code: number): boolean => code >= ZERO && code <= 57;
const isHexDigit = (code: number): boolean =>
  isDigit(code) || (code >= 65 && code <= 70) || (code >= 97 && code <= 102);

function passName(cursor: Cursor): boolean {
  if (cursor.text.charCodeAt(cursor.at) !== QUOTE || !passString(cursor)) return false;
  passWhile(cursor, isBlank);
  return passOne(cursor, (code) => code === 58);
}

function passScalar(cursor: Cursor, code: number): boolean {
  if (code === QUOTE) return passString(cursor);
  if (code === MINUS || isDigit(code)) return passNumber(cursor);
  const word = ["true", "false", "null"].find((each) => each.charCodeAt(0) === code);
  return (
    word !== undefined && [...word].every((letter) => passOne(cursor, (c) => c === letter.charCodeAt(0)))
  );
}

function passString(cursor: Cursor): boolean {
  for (cursor.at++; cursor.at < cursor.text.length; cursor.at++) {
    const code = cursor.text.charCodeAt(cursor.at);
    if (code === QUOTE) {
      cursor.at++;
      return true;
    }
    if (code < 32 || (code === BACKSLASH && !passEscape(cursor))) return false;
  }
  return false;
}

/** Ends on the last character of the escape, or on the one that does not belong there. */
function passEscape(cursor: Cursor): boolean {
  const { text } = cursor;
  cursor.at++;
  if (text.charAt(cursor.at) !== "u")
    return cursor.at < text.length && '"\\/bfnrt'.includes(text.charAt(cursor.at));
  for (let i = 0; i < 4; i++) {
    cursor.at++;
    if (!isHexDigit(text.charCodeAt(cursor.at))) return false;
  }
  return true;
}

function passNumber(cursor: Cursor): boolean {
  passOne(cursor, (code) => code === MINUS);
  if (!passOne(cursor, (code) => code === ZERO) && !passWhile(cursor, isDigit)) return false;
  if (passOne(cursor, (code) => code === DOT) && !passWhile(cursor, isDigit)) return false;
  if (!passOne(cursor, (code) => code === 69 || code === 101)) return true;
  passOne(cursor, (code) => code === MINUS || code === 43);
  return passWhile(cursor, isDigit);
}

/** Passes one character if it is one of those; says whether it was. */
function passOne(cursor: Cursor, isIt: (code: number) => boolean): boolean {
  const passes = isIt(cursor.text.charCodeAt(cursor.at));
  if (passes) cursor.at++;
  return passes;
}

/** Passes all characters of a kind; says whether there was one. */
function passWhile(cursor: Cursor, isIt: (code: number) => boolean): boolean {
  const start = cursor.at;
  while (isIt(cursor.text.charCodeAt(cursor.at))) cursor.at++;
  return cursor.at > start;
}

function offsetOfDepth(text: string, maxDepth: number): number {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 34) i = endOfString(text, i);
    else if (code === 91 || code === 123) {
      depth++;
      if (depth > maxDepth) return i;
    } else if (code === 93 || code === 125) depth--;
  }
  return -1;
}

function endOfString(text: string, start: number): number {
  let i = start + 1;
  for (; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 92) i++;
    else if (code === 34) return i;
  }
  return i;
}
