import { columnFieldOf } from "./labels.ts";
import { MAX_LABEL_LENGTH, plainLabel } from "./plain-label.ts";

/** A line with a label; the value may be empty. */
export type Labelled = { readonly label: string; readonly value: string; readonly isBracketed: boolean };

/**
 * `label: value`, `label:....value`, `label. . . .value`, `[label] value`, `a. [label] value`, `a [label] value`; null: none of
 * them.
 */
export function labelledOf(text: string): Labelled | null {
  const bracketed = /^(?:[a-z](?:\. ?| ))?\[([^[\]]{1,60})\](?: +(\S.*))?$/.exec(text);
  if (bracketed !== null) {
    return { label: plainLabel(bracketed[1] ?? ""), value: bracketed[2] ?? "", isBracketed: true };
  }
  const [before, after] = halvesOf(text.replace("：", ": ")) ?? [];
  if (before === undefined || after === undefined) return null;
  const label = plainLabel(before);
  if (label === "" || label.split(" ").length > MAX_LABEL_WORDS) return null;
  return { label, value: after.replace(LEADER, "").trim(), isBracketed: false };
}

/** What leads the eye from a label to its value, behind a colon or in its place. */
const LEADER = /^(?: *\.){3,}/;
const LEADER_ALONE = /(?<!\. ?)(?: ?\.){8,} ?(?=[^\s.:])/;

/** What stands before and behind the end of a label. */
function halvesOf(text: string): readonly [string, string] | null {
  const [dots, colon] = [text.search(LEADER_ALONE), colonOf(text)];
  const end = dots >= 0 && (colon < 0 || dots < colon) ? dots : colon;
  return end < 1 || end > MAX_LABEL_LENGTH ? null : [text.slice(0, end), text.slice(end).replace(/^:/, "")];
}

/** Whether a line has no label and tells no event. */
export const isBare = (text: string): boolean => labelledOf(text) === null && sentenceOf(text) === null;

/** Where a label ends: not in a URL, a time of day or an IPv6 address. */
function colonOf(text: string): number {
  const colon = text.indexOf(":");
  const before = text.slice(0, Math.max(colon, 0));
  const after = text.charAt(colon + 1);
  const isInside = after !== "" && !/\s/.test(after);
  if (!isInside) return colon;
  const isOfValue =
    /(?:^|\s)(?:https?|ftp)$|\d$|^[\da-f]{1,4}$/i.test(before) || after === "/" || after === ":";
  // `flags:KSK protocol:3`: several values in a line.
  return isOfValue || /\s[a-z]+:[^\s/]/i.test(text.slice(colon)) ? -1 : colon;
}

const MAX_LABEL_WORDS = 8;

/** A statement without a colon. `isColumn`: its value may go on in the next line, below the first. */
export type Stated = { readonly label: string; readonly value: string; readonly isColumn: boolean };

// "Last updated" alone is the database's.
const SENTENCE =
  /^(?:(?:domain |record )?(?:will |currently )?(registered|created|expires?|activated)|record (last updated|last modified))(?: on)?[ .:]+(?=\S*\d)(.{1,60})$/i;

/** What parts a label from its value where no colon does: a gap, a sign of equality, the line of a table, a leader. */
const GAP = / {2,}| ?(?:=>?|\||-{3,}|_{3,}|(?: ?\.){3,}) ?/g;
const MAX_GAPS = 5;

const DOMAIN_LINE =
  /^domain(?: name)? +((?:[a-z\d-]{1,63}\.){1,9}[a-z][a-z\d-]{1,62}(?: +\([a-z ]{1,30}\))?)$/i;

/** `Domain EXAMPLE.LAB (ACTIVE)`, `Record expires on 2027-05-31 (YYYY-MM-DD)`, `Registered on 15th January 2003 at 10:20:30`. */
export function sentenceOf(text: string): Stated | null {
  if (text.length > 100) return null;
  const name = DOMAIN_LINE.exec(text)?.[1];
  if (name !== undefined) return { label: "domain", value: name, isColumn: false };
  const column = columnsOf(text);
  if (column !== null) return column;
  const [, event, update, value] = SENTENCE.exec(text.replace(/ {2,}/g, " ")) ?? [];
  return value === undefined
    ? null
    : { label: `${plainLabel(event ?? update ?? "")} on`, value, isColumn: false };
}

/**
 * `Nameserver      ns1.example.lab`, `Created = 2003-01-15`, `| Expires | 2027-05-31 |`: a label that a domain has, the longest
 * one that is known, and its value in columns.
 */
function columnsOf(text: string): Stated | null {
  const line = text.replace(/^\| ?| ?\|$/g, "");
  const gaps = [...line.matchAll(GAP)].slice(0, MAX_GAPS).reverse();
  for (const { index, 0: gap } of gaps) {
    const label = plainLabel(line.slice(0, index));
    const value = line.slice(index + gap.length).trim();
    if (isColumn(label, value)) return { label, value, isColumn: true };
  }
  return null;
}

/** Whether the label is a domain's and the value begins like one of its kind. */
function isColumn(label: string, value: string): boolean {
  switch (columnFieldOf(label)) {
    case null:
      return false;
    case "created":
    case "expires":
    case "updated":
      return /^\S{0,12}\d/.test(value);
    case "registrar":
      // No sentence: `choose one of our partners`
      return !/^$|https?:\/\/|^\p{Ll}\S* (?:\S+ ){3}/u.test(value);
    case "domain":
    case "nameServer":
      return /^[^\s.]+\./.test(value);
    default:
      return value !== "";
  }
}

/** A short line of words may head a block; a host name or a sentence does not. */
export function headingOf(text: string): string | null {
  const label = plainLabel(text);
  const isShort = text.length <= 60 && label.split(" ").length <= 5;
  return isShort && /^\*{0,2} ?[\p{L}][^.@!?]*$/u.test(text) && label !== "" ? label : null;
}
