import { isUtf8 } from "node:buffer";
import { type DroppedRow, type FeedText, MAX_LINE_CHARS } from "./formats/format.ts";
import { linesOf as linesOfText } from "./formats/rows.ts";

/** Bytes that are decoded at once: a list of any size costs its bytes and this. */
const PIECE_BYTES = 256 * 1024;

/** Bytes at the head of a list that tell what it is. */
const HEAD_BYTES = 8192;

const UTF8_BOM = [0xef, 0xbb, 0xbf];
/** What begins with one of these is in that encoding; spreadsheets and Windows write lists so. */
const WIDE_BOMS: readonly (readonly [encoding: string, bom: readonly number[]])[] = [
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];

const beginsWith = (bytes: Uint8Array, bom: readonly number[]): boolean =>
  bom.every((octet, at) => bytes[at] === octet);

/**
 * The content of a list without its BOM: UTF-16 where a BOM says so, else UTF-8, or Latin-1 where it is no valid UTF-8.
 * Source: catalogue.
 */
export function feedTextOf(bytes: Uint8Array): FeedText {
  const encoding = wideEncodingOf(bytes) ?? (isUtf8(bytes) ? "utf-8" : "latin1");
  // In Latin-1 the BOM of UTF-8 would be three letters before the first entry.
  const body = encoding === "latin1" && beginsWith(bytes, UTF8_BOM) ? bytes.subarray(3) : bytes;
  return {
    lines: () => linesOf(body, encoding),
    text: () => new TextDecoder(encoding).decode(body),
  };
}

const wideEncodingOf = (bytes: Uint8Array): string | undefined =>
  WIDE_BOMS.find(([, bom]) => beginsWith(bytes, bom))?.[0];

/** The first characters of a list. */
export const headOf = (bytes: Uint8Array): string =>
  new TextDecoder(wideEncodingOf(bytes)).decode(bytes.subarray(0, HEAD_BYTES));

/** Lines piece by piece; one that is too long is cut while it is read, so that none costs more than a piece. */
function* linesOf(bytes: Uint8Array, encoding: string): Generator<string | DroppedRow> {
  const decoder = new TextDecoder(encoding);
  let open = "";
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    const isLast = at + PIECE_BYTES >= bytes.length;
    const text = open + decoder.decode(bytes.subarray(at, at + PIECE_BYTES), { stream: !isLast });
    // A CR at the end may be half of a CRLF.
    const end = isLast
      ? text.length
      : 1 + Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r", text.length - 2));
    yield* linesOfText(text.slice(0, end));
    open = text.slice(end);
    if (open.length > MAX_LINE_CHARS) {
      open = open.slice(0, MAX_LINE_CHARS + 1) + (open.endsWith("\r") ? "\r" : "");
    }
  }
}
