import { messageOf } from "./caught.ts";
import { InvalidValue } from "./failure.ts";

/** Where a text stops being JSON: a character index, the length at a premature end. */
export class InvalidJson extends InvalidValue {
  readonly offset: number;

  constructor(offset: number, message: string) {
    super("json_invalid", message);
    this.offset = offset;
  }
}

/** What a text may hold before it is parsed. */
export type JsonBounds = {
  /** Default 32. */
  readonly maxDepth?: number;
  /** Names and values of all objects and lists together. Default: any number. */
  readonly maxParts?: number;
};

/**
 * For what one call sends or is answered: an object of 41,000 members. Each name that is new costs the parser a
 * microsecond, so that 1 MiB of them would stop the event loop for a tenth of a second.
 */
export const MAX_PARTS = 82_000;

/**
 * Parses a text that a stranger sent. Nesting and numbers of parts beyond the bounds are refused before the parser sees it;
 * `__proto__` becomes an own member as JSON.parse has it, and no code may look members up without `Object.hasOwn`.
 * Throws InvalidJson. Source: design 13.1, security P8.
 */
export function parseJson(text: string, bounds: JsonBounds = {}): unknown {
  refuseBeyond(text, bounds);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new InvalidJson(firstFault(text), withoutExcerpt(messageOf(cause)));
  }
}

/** JSON that the program wrote itself; null: it is damaged. */
export function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** The engine's sentence without the part of the text that it quotes. */
function withoutExcerpt(message: string): string {
  const quote = message.search(/,? (?:\.\.\.)?"/);
  return quote < 0 ? message : message.slice(0, quote);
}

type Cursor = { readonly text: string; at: number };
type Expected = "value" | "value or end" | "name" | "name or end" | "separator";

/**
 * Length of the longest start of `text` that could still become JSON: the whole length at a premature end. One pass,
 * without recursion. Source: RFC 8259.
 */
function firstFault(text: string): number {
  const cursor = { text, at: 0 };
  const closers: number[] = [];
  let expected: Expected | null = "value";
  while (expected !== null) {
    passBlanks(cursor);
    expected = step(cursor, expected, closers);
  }
  return cursor.at;
}

/** Passes what is expected and returns what has to follow; null at the fault. */
function step(cursor: Cursor, expected: Expected, closers: number[]): Expected | null {
  const code = cursor.text.charCodeAt(cursor.at);
  const closer = closers[closers.length - 1];
  if (code === closer && expected !== "value" && expected !== "name") {
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
const PLUS = 43;
const MINUS = 45;
const DOT = 46;
const ZERO = 48;
const COLON = 58;
const BACKSLASH = 92;
const OPEN_LIST = 91;
const CLOSE_LIST = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

const isDigit = (code: number): boolean => code >= ZERO && code <= 57;
const isHexDigit = (code: number): boolean =>
  isDigit(code) || (code >= 65 && code <= 70) || (code >= 97 && code <= 102);

function passName(cursor: Cursor): boolean {
  if (cursor.text.charCodeAt(cursor.at) !== QUOTE || !passString(cursor)) return false;
  passBlanks(cursor);
  return passOne(cursor, COLON);
}

function passScalar(cursor: Cursor, code: number): boolean {
  if (code === QUOTE) return passString(cursor);
  if (code === MINUS || isDigit(code)) return passNumber(cursor);
  const word = ["true", "false", "null"].find((each) => each.charCodeAt(0) === code);
  return word !== undefined && [...word].every((letter) => passOne(cursor, letter.charCodeAt(0)));
}

function passString(cursor: Cursor): boolean {
  const { text } = cursor;
  let at = cursor.at + 1;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE || code < 32) break;
    if (code !== BACKSLASH) continue;
    cursor.at = at;
    if (!passEscape(cursor)) return false;
    at = cursor.at;
  }
  cursor.at = at;
  return passOne(cursor, QUOTE);
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
  passOne(cursor, MINUS);
  if (!passOne(cursor, ZERO) && !passDigits(cursor)) return false;
  if (passOne(cursor, DOT) && !passDigits(cursor)) return false;
  if (!passOne(cursor, 69) && !passOne(cursor, 101)) return true;
  if (!passOne(cursor, MINUS)) passOne(cursor, PLUS);
  return passDigits(cursor);
}

/** Passes one character if it is that one; says whether it was. */
function passOne(cursor: Cursor, code: number): boolean {
  const passes = cursor.text.charCodeAt(cursor.at) === code;
  if (passes) cursor.at++;
  return passes;
}

/** Says whether there was a digit. */
function passDigits(cursor: Cursor): boolean {
  const { text, at: start } = cursor;
  let at = start;
  while (isDigit(text.charCodeAt(at))) at++;
  cursor.at = at;
  return at > start;
}

function passBlanks(cursor: Cursor): void {
  const { text } = cursor;
  let { at } = cursor;
  for (let code = text.charCodeAt(at); code === 32 || (code >= 9 && code <= 13); code = text.charCodeAt(at)) {
    // Vertical tab and form feed are no blanks of JSON.
    if (code === 11 || code === 12) break;
    at++;
  }
  cursor.at = at;
}

function refuseBeyond(
  text: string,
  { maxDepth = 32, maxParts = Number.POSITIVE_INFINITY }: JsonBounds,
): void {
  let depth = 0;
  let parts = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) i = endOfString(text, i);
    else if (code === OPEN_LIST || code === OPEN_OBJECT) depth++;
    else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth--;
    else if (code === COLON || code === COMMA) parts++;
    if (depth > maxDepth) throw new InvalidJson(i, `Nesting deeper than ${maxDepth}`);
    if (parts > maxParts) throw new InvalidJson(i, `More than ${maxParts} names and values`);
  }
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
