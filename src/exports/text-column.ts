import { createColumn } from "../blocklist-index/columns.ts";

/** Texts one after the other as UTF-8, and where each ends. */
export type TextColumns = { readonly bytes: Uint8Array; readonly ends: Uint32Array };

/** A growing column of texts, without an object for each. */
export type TextColumn = {
  readonly push: (text: string) => void;
  /** Given a flag for each text, only those with 1. */
  readonly picked: (isKept?: Uint8Array) => TextColumns;
};

/** Octets of UTF-8 that a character of a text takes at most. */
const MAX_OCTETS = 3;

/** An empty column. */
export function createTextColumn(): TextColumn {
  let bytes = Buffer.alloc(4096);
  const ends = createColumn();
  let length = 0;
  return {
    push: (text) => {
      const needed = length + text.length * MAX_OCTETS;
      if (needed > bytes.length) {
        const larger = Buffer.allocUnsafeSlow(Math.max(bytes.length * 2, needed));
        bytes.copy(larger, 0, 0, length);
        bytes = larger;
      }
      length += bytes.write(text, length);
      ends.push(length);
    },
    picked: (isKept) => {
      const all: TextColumns = { bytes: bytes.subarray(0, length), ends: ends.values() };
      return isKept === undefined
        ? { bytes: Uint8Array.from(all.bytes), ends: all.ends.slice() }
        : pick(all, isKept);
    },
  };
}

function pick({ bytes, ends }: TextColumns, isKept: Uint8Array): TextColumns {
  const kept = createColumn();
  const pieces: Uint8Array[] = [];
  let length = 0;
  for (let at = 0; at < ends.length; at++) {
    if (isKept[at] !== 1) continue;
    const piece = bytes.subarray(ends[at - 1] ?? 0, ends[at]);
    pieces.push(piece);
    length += piece.length;
    kept.push(length);
  }
  return { bytes: Uint8Array.from(Buffer.concat(pieces)), ends: kept.values().slice() };
}

/** Reads single texts. */
export function textReader({ bytes, ends }: TextColumns): (at: number) => string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return (at) => text.toString("utf8", ends[at - 1] ?? 0, ends[at]);
}
