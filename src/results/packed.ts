import { promisify } from "node:util";
import { deflateRaw, inflateRaw } from "node:zlib";

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/** No answer is larger: what unpacks to more was not packed here. */
const MAX_TEXT_BYTES = 16 * 1024 * 1024;

/** A text deflated (RFC 1951), in a thread of the pool. */
export const pack = (text: string): Promise<Uint8Array> => deflate(Buffer.from(text));

/** The text of `pack`. Rejects for bytes that are none, or hold more than 16 MiB. */
export async function unpack(packed: Uint8Array): Promise<string> {
  const text = await inflate(packed, { maxOutputLength: MAX_TEXT_BYTES });
  return text.toString("utf8");
}
