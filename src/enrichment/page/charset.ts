import { isUtf8 as isWholeUtf8 } from "node:buffer";

const META_BYTES = 1024;

/** A page's text and the encoding that it was read in, by the label of the encoding standard. */
export type DecodedPage = { readonly text: string; readonly charset: string };

/**
 * Decodes a page: byte order mark, then `charset` of the content type, then of a `<meta>` or the XML declaration in the
 * first 1,024 octets, else UTF-8, or windows-1252 of a page that no octet above ASCII makes UTF-8; octets that are none
 * become U+FFFD. Never throws. Source: HTML standard, 13.2.3.2 (encoding sniffing).
 */
export function decodePage(body: Buffer, contentType: string): DecodedPage {
  const decoder = decoderOf(bomOf(body)) ?? decoderOf(labelIn(contentType)) ?? decoderOf(ownLabelOf(body));
  if (decoder !== null) return { text: decoder.decode(body), charset: decoder.encoding };
  const text = UTF_8.decode(body);
  const isUtf8 = isWholeUtf8(body) || /[^\p{ASCII}\ufffd]/u.test(text);
  return isUtf8
    ? { text, charset: UTF_8.encoding }
    : { text: WESTERN.decode(body), charset: WESTERN.encoding };
}

const UTF_8 = new TextDecoder("utf-8");
/** What browsers take where nothing is said. */
const WESTERN = new TextDecoder("windows-1252");

function bomOf(body: Buffer): string | null {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return "utf-8";
  if (body[0] === 0xfe && body[1] === 0xff) return "utf-16be";
  return body[0] === 0xff && body[1] === 0xfe ? "utf-16le" : null;
}

const labelIn = (text: string): string | null =>
  /charset\s{0,8}=\s{0,8}["']?([a-z0-9_:.-]{1,40})/i.exec(text)?.[1] ?? null;

/** What can be read octet by octet is no UTF-16, whatever it says. */
function ownLabelOf(body: Buffer): string | null {
  const head = body.subarray(0, META_BYTES).toString("latin1");
  const meta = labelIn(/<meta\b[^>]{0,400}charset[^>]{0,80}/i.exec(head)?.[0] ?? "");
  const label =
    meta ??
    /^<\?xml\b[^>]{0,80}\bencoding\s{0,8}=\s{0,8}["']([A-Za-z0-9_:.-]{1,40})["']/.exec(head)?.[1] ??
    null;
  return label !== null && /^utf-?16/i.test(label) ? "utf-8" : label;
}

function decoderOf(label: string | null): InstanceType<typeof TextDecoder> | null {
  if (label === null) return null;
  try {
    return new TextDecoder(label);
  } catch (error) {
    if (error instanceof RangeError) return null; // no label of the encoding standard
    throw error;
  }
}
