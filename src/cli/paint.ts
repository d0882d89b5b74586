import { styleText } from "node:util";
import { printable } from "../base/clean-text.ts";
import type { Style } from "../products/product.ts";

/** Columns that everything printed fits in. */
export const WIDTH = 80;

type Ink = "bold" | "dim" | "green" | "yellow" | "red";

// Colours travel through a text as two noncharacters and become terminal codes only after everything else that could
// be one was taken out: an escape in a title or a TXT record never reaches the terminal.
const INKS: readonly (readonly [ink: Ink, start: string, end: string])[] = [
  ["bold", "\uFDD0", "\uFDD1"],
  ["dim", "\uFDD2", "\uFDD3"],
  ["green", "\uFDD4", "\uFDD5"],
  ["yellow", "\uFDD6", "\uFDD7"],
  ["red", "\uFDD8", "\uFDD9"],
];
const MARKS = /[\uFDD0-\uFDD9]/g;

const same = (text: string): string => text;

/** How to paint; without colours every function is the identity. */
export function styleFor({ hasColours }: { hasColours: boolean }): Style {
  const painter = (wanted: Ink) => {
    const [, start, end] = INKS.find(([ink]) => ink === wanted) ?? ["", "", ""];
    return hasColours ? (text: string) => start + text + end : same;
  };
  return {
    width: WIDTH,
    bold: painter("bold"),
    dim: painter("dim"),
    good: painter("green"),
    warn: painter("yellow"),
    bad: painter("red"),
  };
}

/** A text as it may go to the terminal: no codes but those of our own paint. */
export function paint(text: string, { hasColours }: { hasColours: boolean }): string {
  const safe = printable(text);
  return safe.replace(MARKS, (mark) => (hasColours ? (CODES.get(mark) ?? "") : ""));
}

const CODES: ReadonlyMap<string, string> = new Map(
  INKS.flatMap(([ink, start, end]) => {
    const [open = "", close = ""] = styleText(ink, "|", { validateStream: false }).split("|");
    return [[start, open] as const, [end, close] as const];
  }),
);
