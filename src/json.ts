/** Takes JSON text as UTF-8, one piece after the other. */
export type JsonOutput = {
  readonly text: (text: string) => void;
  /** A string as a JSON value. */
  readonly string: (value: string) => void;
  readonly bytes: (bytes: Uint8Array) => void;
  /** A member's name as `nameOf` has it, the first of its object or a later one. */
  readonly name: (name: Uint8Array, isFirst: boolean) => void;
};

/**
 * A part of an answer that writes its own JSON text, from prepared pieces. Everywhere else it behaves as the
 * object it stands for: plain `JSON.stringify` calls `toJSON`.
 */
export class PreparedJson<T = unknown> {
  readonly #toObject: () => T;
  readonly writeTo: (output: JsonOutput) => void;

  constructor(toObject: () => T, writeTo: (output: JsonOutput) => void) {
    this.#toObject = toObject;
    this.writeTo = writeTo;
  }

  toObject(): T {
    return this.#toObject();
  }

  toJSON(): T {
    return this.#toObject();
  }
}

/** How the text of an object is had: made but once, or from the objects that it was put together of. */
type Text = { bytes: Buffer | null; readonly parts: readonly object[] | null; isAgain: boolean };

const texts = new WeakMap<object, Text>();

/** The same value, whose JSON text is made but once: for what stands in many answers. Nobody may change it any more. */
export function keepText<T extends object>(value: T): T {
  if (!texts.has(value)) texts.set(Object.freeze(value), { bytes: null, parts: null, isAgain: false });
  return value;
}

/**
 * One object of the members of several, which share none: its text is put together of theirs, so that those of
 * `keepText` are written from memory; the second time it is kept as a whole. Nobody may change it any more.
 */
export function joinMembers<A extends object, B extends object, C extends object, D extends object>(
  a: A,
  b: B,
  c: C,
  d: D,
): A & B & C & D {
  const joined = Object.freeze({ ...a, ...b, ...c, ...d });
  texts.set(joined, { bytes: null, parts: [a, b, c, d], isAgain: false });
  return joined;
}

/** `JSON.stringify` that lets `PreparedJson` parts write themselves. */
export const stringify = (value: unknown): string => encodeJson("", value, "").toString();

/**
 * The same as UTF-8, between `before` and `after`: the beginning of `memory`, or of larger memory when it is too small.
 * Pieces are encoded one by one: joined first, one sign beyond Latin-1 in any of them would make all of them two bytes
 * a character.
 */
export function encodeJson(
  before: string,
  value: unknown,
  after: string,
  memory: Buffer = Buffer.allocUnsafe(16_384),
): Buffer {
  const output = createOutput(memory);
  output.text(before);
  writeValue(value, output, DEPTH.report);
  output.text(after);
  return output.written();
}

function createOutput(memory: Buffer) {
  let bytes = memory;
  let end = 0;
  const makeRoom = (size: number): void => {
    if (end + size <= bytes.length) return;
    const larger = Buffer.allocUnsafe(2 * (end + size));
    bytes.copy(larger, 0, 0, end);
    bytes = larger;
  };
  return {
    text: (text: string): void => {
      makeRoom(3 * text.length);
      const ascii = text.length <= MAX_SHORT ? writeAscii(text, bytes, end) : -1;
      end = ascii < 0 ? end + bytes.write(text, end) : ascii;
    },
    string: (text: string): void => {
      makeRoom(3 * text.length + 2);
      const ascii = text.length <= MAX_SHORT ? writeQuoted(text, bytes, end) : -1;
      if (ascii >= 0) {
        end = ascii;
        return;
      }
      const json = JSON.stringify(text);
      makeRoom(3 * json.length);
      end += bytes.write(json, end);
    },
    bytes: (more: Uint8Array): void => {
      makeRoom(more.length);
      bytes.set(more, end);
      end += more.length;
    },
    name: (name: Uint8Array, isFirst: boolean): void => {
      const { length } = name;
      makeRoom(length);
      // So few that a loop is faster than a call of `set`.
      for (let i = 0; i < length; i++) bytes[end + i] = name[i] ?? 0;
      if (isFirst) bytes[end] = OPENING_BRACKET;
      end += length;
    },
    written: (): Buffer => bytes.subarray(0, end),
  };
}

const OPENING_BRACKET = 123;

/** Up to this length a loop is faster than a call of `write`. */
const MAX_SHORT = 40;

/** Writes a text of ASCII alone: where it ends, or -1 when it is none. */
function writeAscii(text: string, bytes: Buffer, start: number): number {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 127) return -1;
    bytes[start + i] = code;
  }
  return start + text.length;
}

/** Writes a string of ASCII alone that JSON leaves as it is, in quotes: where it ends, or -1 when it is none. */
function writeQuoted(text: string, bytes: Buffer, start: number): number {
  bytes[start] = 34;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 126 || code < 32 || code === 34 || code === 92) return -1;
    bytes[start + 1 + i] = code;
  }
  bytes[start + 1 + text.length] = 34;
  return start + text.length + 2;
}

/** How deep prepared and kept parts are looked for: members of a report's members, in a report or in one of many. */
const DEPTH = { report: 2, item: 3 } as const;

/** Writes many values that hold a report each as one array. */
export function writeList(values: readonly unknown[], output: JsonOutput): void {
  output.text("[");
  for (const [i, value] of values.entries()) {
    if (i > 0) output.text(",");
    writeValue(value, output, DEPTH.item);
  }
  output.text("]");
}

/** Writes prepared and kept parts as they are, and all else as JSON.stringify has it. */
function writeValue(value: unknown, output: JsonOutput, depth: number): void {
  if (writeKnown(value, output)) return;
  if (depth > 0 && isPlain(value) && (depth > 1 || hasPrepared(value)))
    writeMembers(value, output, depth - 1);
  else output.text(JSON.stringify(value));
}

/** Writes a prepared, a kept or a joined part; false for all others. */
function writeKnown(value: unknown, output: JsonOutput): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (value instanceof PreparedJson) {
    value.writeTo(output);
    return true;
  }
  const text = texts.get(value);
  if (text === undefined) return false;
  if (text.parts === null || text.bytes !== null || text.isAgain) output.bytes(keptBytes(text, value));
  else writeJoined(text.parts, output);
  text.isAgain = true;
  return true;
}

function writeJoined(parts: readonly object[], output: JsonOutput): void {
  let mark = "{";
  for (const part of parts) {
    const text = membersOf(part);
    if (text.length === 0) continue;
    output.text(mark);
    mark = ",";
    if (typeof text === "string") output.text(text);
    else output.bytes(text);
  }
  output.text(mark === "{" ? "{}" : "}");
}

/** The text between the brackets. */
function membersOf(part: object): string | Buffer {
  const text = texts.get(part);
  if (text === undefined || text.parts !== null) return JSON.stringify(part).slice(1, -1);
  return keptBytes(text, part).subarray(1, -1);
}

function keptBytes(text: Text, value: object): Buffer {
  text.bytes ??= Buffer.from(JSON.stringify(value));
  return text.bytes;
}

function writeMembers(value: Members, output: JsonOutput, depth: number): void {
  let isFirst = true;
  for (const key in value) {
    const member = value[key];
    if (member === undefined || typeof member === "function" || typeof member === "symbol") continue;
    output.name(nameOf(key), isFirst);
    isFirst = false;
    if (typeof member === "string") output.string(member);
    else if (typeof member === "number") output.text(Number.isFinite(member) ? String(member) : "null");
    else if (typeof member === "object" && member !== null) writeValue(member, output, depth);
    else output.text(JSON.stringify(member));
  }
  output.text(isFirst ? "{}" : "}");
}

const names = new Map<string, Uint8Array>();

/** A member's name as JSON, with the colon, behind the sign that stands before it; the few that reports have are made once. */
function nameOf(key: string): Uint8Array {
  const known = names.get(key);
  if (known !== undefined) return known;
  const made = Buffer.from(`,${JSON.stringify(key)}:`);
  if (names.size < 1000) names.set(key, made);
  return made;
}

type Members = Readonly<Record<string, unknown>>;

/** An object whose text is that of its members. */
const isPlain = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !("toJSON" in value);

function hasPrepared(value: Members): boolean {
  for (const key in value) if (value[key] instanceof PreparedJson) return true;
  return false;
}
