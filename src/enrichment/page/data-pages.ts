const PAGE =
  /^data:\s{0,8}(?:text\/html|application\/xhtml\+xml|text\/xml|application\/xml|image\/svg\+xml)\b/i;
const MAX_TYPE_CHARS = 256;

/** The page that a `data:` address holds; null: it holds none. Source: Fetch, 6 "data: URLs". */
export function pageIn(address: string): string | null {
  const comma = address.slice(0, MAX_TYPE_CHARS).indexOf(",");
  const type = comma < 0 ? "" : address.slice(0, comma);
  if (!PAGE.test(type)) return null;
  const octets = decodePercent(address.slice(comma + 1));
  return /;\s{0,8}base64\s{0,8}$/i.test(type)
    ? Buffer.from(octets.toString("latin1"), "base64").toString()
    : octets.toString();
}

function decodePercent(text: string): Buffer {
  const octets = Buffer.from(text);
  let length = 0;
  for (let i = 0; i < octets.length; i++) {
    const pair = octets[i] === PERCENT ? octets.toString("latin1", i + 1, i + 3) : "";
    const isCode = HEX_PAIR.test(pair);
    octets[length++] = isCode ? Number.parseInt(pair, 16) : (octets[i] ?? 0);
    if (isCode) i += 2;
  }
  return octets.subarray(0, length);
}

const PERCENT = 0x25;
const HEX_PAIR = /^[0-9a-f]{2}$/i;
