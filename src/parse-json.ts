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
    const message = messageOf(cause).replace(/,? (?:\.\.\.)?".*/s, "");
    throw new InvalidJson(offsetIn(messageOf(cause), text) ?? firstFault(text), message);
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The offset that the engine's message tells; of an unexpected token it tells none. */
function offsetIn(message: string, text: string): number | null {
  if (message.startsWith("Unexpected end")) return text.length;
  const at = /at position (\d+)/.exec(message)?.[1];
  return at === undefined ? null : Number(at);
}

/** Length of the longest start of `body` that could still become JSON: twenty parses for one of 1 MiB. */
function firstFault(body: string): number {
  const text = withPlainStrings(body);
  let viable = 0;
  let broken = text.length + 1;
  while (broken - viable > 1) {
    const middle = (viable + broken) >>> 1;
    if (couldBecomeJson(text.slice(0, middle))) viable = middle;
    else broken = middle;
  }
  return viable;
}

/**
 * The same syntax at the same places with strings that hardly differ: as many names as a body can hold would make
 * each parse ten times as long. Up to the fault all strings are whole; what is behind it does not matter.
 */
function withPlainStrings(text: string): string {
  const pieces: string[] = [];
  let done = 0;
  for (let start = text.indexOf('"'); start >= 0; start = text.indexOf('"', done)) {
    const end = endOfString(text, start);
    if (end >= text.length) break;
    const inside = text.slice(start + 1, end);
    const isPlain = !/[\\\p{Cc}]/u.test(inside);
    pieces.push(text.slice(done, start + 1), isPlain ? "a".repeat(inside.length) : inside, '"');
    done = end + 1;
  }
  return pieces.join("") + text.slice(done);
}

function couldBecomeJson(start: string): boolean {
  try {
    JSON.parse(start);
    return true;
  } catch (cause) {
    const message = messageOf(cause);
    return offsetIn(message, start) === start.length;
  }
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
