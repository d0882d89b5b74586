import { createInflateRaw } from "node:zlib";

/** A page of more than a megabyte when coded is not read again. */
const MAX_KEPT_BYTES = 1024 * 1024;

/** The start of a coded body: its octets without the header. */
type CodedStart = { readonly data: Buffer };

/** The same octets, and what came of gzip or deflate so far; null of other codings, and of a start too long or without a header. */
export function keepingStart(
  octets: AsyncGenerator<Buffer>,
  coding: string | null,
): { readonly source: AsyncGenerator<Buffer>; readonly start: () => CodedStart | null } {
  if (coding !== "gzip" && coding !== "deflate") return { source: octets, start: () => null };
  let kept: Buffer[] = [];
  let bytes = 0;
  const source = async function* () {
    for await (const chunk of octets) {
      bytes += chunk.length;
      if (bytes <= MAX_KEPT_BYTES) kept.push(chunk);
      else kept = [];
      yield chunk;
    }
  };
  return {
    source: source(),
    start: () => {
      const start = Buffer.concat(kept);
      const length =
        coding === "gzip" ? headerLengthOf(start) : hasZlibHeader(start) ? ZLIB_HEADER_LENGTH : null;
      return length === null ? null : { data: start.subarray(length) };
    },
  };
}

/** What the start holds behind its first `skip` decoded octets, to the end of the first member; its checksum is not looked at. */
export async function* startDecoded({ data }: CodedStart, skip: number): AsyncGenerator<Buffer> {
  const inflate = createInflateRaw();
  inflate.end(data);
  let left = skip;
  for await (const chunk of inflate) {
    const piece: Buffer = chunk.subarray(Math.min(left, chunk.length));
    left -= chunk.length - piece.length;
    if (piece.length > 0) yield piece;
  }
}

const ZLIB_HEADER_LENGTH = 2;

/** Whether deflate comes with a header (RFC 1950, 2.2), whose first octet ends in 8; without one it has no checksum either. */
export const hasZlibHeader = (coded: Buffer): boolean => ((coded[0] ?? 0) & 0x0f) === 8;

const FIXED_LENGTH = 10;
const FLAGS_AT = 3;
const CHECKSUM = 0x02;
const EXTRA = 0x04;
const NAME = 0x08;
const COMMENT = 0x10;

/** Octets before the compressed data of a member of gzip; null: no header, or not all of one. Source: RFC 1952, 2.3. */
function headerLengthOf(coded: Buffer): number | null {
  if (coded.length < FIXED_LENGTH || coded.readUIntBE(0, 3) !== 0x1f8b08) return null;
  const flags = coded[FLAGS_AT] ?? 0;
  let at = FIXED_LENGTH;
  if (flags & EXTRA) {
    if (coded.length < at + 2) return null;
    at += 2 + coded.readUInt16LE(at);
  }
  for (const text of [NAME, COMMENT]) {
    if ((flags & text) === 0) continue;
    const end = coded.indexOf(0, at);
    if (end < 0) return null;
    at = end + 1;
  }
  if (flags & CHECKSUM) at += 2;
  return at <= coded.length ? at : null;
}
