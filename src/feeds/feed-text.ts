import type { FeedText } from "./formats/format.ts";
import { linesOf } from "./formats/rows.ts";

/** The content of a list: UTF-8 without its BOM, or Latin-1 where it is no valid UTF-8. Source: catalogue. */
export function feedTextOf(bytes: Uint8Array): FeedText {
  const decoded = decode(bytes);
  return { lines: () => linesOf(decoded), text: () => decoded };
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return new TextDecoder("latin1").decode(bytes);
    throw error;
  }
}
