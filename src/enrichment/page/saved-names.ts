import { decodePercent } from "../../targets/url.ts";

/** How a response wants to be saved. */
export type SavedAs = {
  /** It is not to be shown but saved. */
  readonly isAttachment: boolean;
  /** Names that it gives the file, as written: programs differ in which of several they take. */
  readonly names: readonly string[];
};

/** `filename=invoice.pdf`, `filename="a \"b\".pdf"`, `filename*=UTF-8''a%20b.pdf`. */
const PARAMETER = /([\w*-]{1,32})\s*=\s*(?:"((?:[^"\\]|\\.)*)"?|([^;]*))/sy;

/** Reads `Content-Disposition` (RFC 6266); `""` where there is none. Linear; never throws. */
export function readDisposition(header: string): SavedAs {
  const type = header.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  const isTyped = type !== "" && !type.includes("=");
  const names: string[] = [];
  for (let at = isTyped ? nextPart(header, 0) : 0; at < header.length; ) {
    PARAMETER.lastIndex = at;
    const [, name, quoted, bare = ""] = PARAMETER.exec(header) ?? [];
    if (name === undefined) at = nextPart(header, at);
    else {
      at = startOfPart(header, PARAMETER.lastIndex);
      names.push(...nameIn(name.toLowerCase(), quoted?.replace(/\\(.)/gs, "$1") ?? bare));
    }
  }
  return { isAttachment: isTyped && type !== "inline", names };
}

/** Behind the next semicolon, or the end. */
function nextPart(header: string, from: number): number {
  const semicolon = header.indexOf(";", from);
  return semicolon < 0 ? header.length : startOfPart(header, semicolon);
}

function startOfPart(header: string, from: number): number {
  let at = from;
  while (at < header.length && "; \t".includes(header.charAt(at))) at++;
  return at;
}

function nameIn(parameter: string, value: string): readonly string[] {
  // Browsers undo escapes in either.
  if (parameter === "filename") return [...new Set([value.trim(), decodePercent(value.trim())])];
  return parameter === "filename*" ? [decodePercent(value.slice(value.lastIndexOf("'") + 1).trim())] : [];
}
