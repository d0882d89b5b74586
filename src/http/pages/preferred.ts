/** Whether an `Accept` header wants `text/html` rather than `application/json` (design 13.1). None wants JSON. */
export function prefersHtml(accept: string | undefined): boolean {
  if (accept === undefined) return false;
  const ranges = accept.slice(0, MAX_ACCEPT).split(",").map(parseRange);
  return qualityOf("text/html", ranges) > qualityOf("application/json", ranges);
}

const MAX_ACCEPT = 1_000;

type MediaRange = { readonly range: string; readonly quality: number };

function parseRange(text: string): MediaRange {
  const [range = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith("q="));
  const quality = weight === undefined ? 1 : Number(weight.slice(2));
  return { range, quality: quality >= 0 && quality <= 1 ? quality : 0 };
}

/** By the most specific range that covers the type (RFC 9110 12.5.1). */
function qualityOf(type: string, ranges: readonly MediaRange[]): number {
  for (const covering of [type, `${type.split("/", 1)[0]}/*`, "*/*"]) {
    const found = ranges.find(({ range }) => range === covering);
    if (found !== undefined) return found.quality;
  }
  return 0;
}
