import { isDomainsAlone } from "./labels.ts";
import { headingOf, isBare, type Labelled, labelledOf, sentenceOf } from "./line-forms.ts";
import { isComment, isEndOfRecord, type Line, linesOf } from "./lines.ts";
import { plainLabel } from "./plain-label.ts";
import { roleOf, type StatementRole } from "./roles.ts";

/** One statement of an answer: a label and its value, and the heading that both stand under. */
export type OutlineEntry = {
  /** The heading as `plainLabel` has it; `""` at the top. */
  readonly section: string;
  readonly role: StatementRole;
  /** As `plainLabel` has it; `""` for a value that has only its heading. */
  readonly label: string;
  readonly value: string;
  /** Number of the part between blank lines. */
  readonly block: number;
  /** Number of the heading or object that the line belongs to; 0 at the top. */
  readonly unit: number;
  /** Whether the unit began with a label of an object (`contact: ABC-1`) in place of a heading. */
  readonly isObject: boolean;
  /** Whether the line is indented deeper than its unit's first line. */
  readonly isDeeper: boolean;
};

/** Bounds of what is kept; a record has a hundred lines. Source: security P23. */
const MAX_VALUE_LENGTH = 500;
const MAX_ENTRIES = 2000;

type Section = {
  readonly label: string;
  readonly role: StatementRole;
  readonly indent: number;
  /** What belongs to it: lines indented deeper, or all lines until a blank one. */
  readonly extent: "deeper" | "block";
  readonly isBracketed: boolean;
  readonly isObject: boolean;
  readonly unit: number;
  readonly hasContent: boolean;
};

type Reading = {
  readonly entries: OutlineEntry[];
  section: Section | null;
  /** The label that deeper lines without one go on with. */
  last: { readonly label: string; readonly indent: number; readonly isEmpty?: boolean } | null;
  block: number;
  units: number;
  isBlockStart: boolean;
};

/**
 * Cuts a WHOIS answer into statements, whatever its registry's layout: `label: value`, `label....: value`,
 * `[label] value`, headings with lines below them (indented or until a blank line, with or without colon), objects of
 * RPSL whose first label is their class. Comments, empty values and prose are left out. Linear in the text's length.
 */
export function outlineOf(text: string): OutlineEntry[] {
  const lines = linesOf(text);
  const reading: Reading = {
    entries: [],
    section: null,
    last: null,
    block: 0,
    units: 0,
    isBlockStart: true,
  };
  const below = firstBelow(lines);
  for (const [i, line] of lines.entries()) {
    const isEnd = reading.entries.length > 0 && isEndOfRecord(line.text);
    if (isEnd || reading.entries.length >= MAX_ENTRIES) break;
    readLine(reading, line, below[i] ?? null);
  }
  return reading.entries;
}

/** The next line that is not blank, and whether a blank one comes before it. */
type Below = { readonly line: Line; readonly isApart: boolean };

function firstBelow(lines: readonly Line[]): readonly (Below | null)[] {
  const below: (Below | null)[] = new Array(lines.length).fill(null);
  let next: Line | null = null;
  let isApart = false;
  for (let i = lines.length - 1; i >= 0; i--) {
    const line = lines[i];
    if (line === undefined) continue;
    below[i] = next && { line: next, isApart };
    if (isComment(line.text)) continue;
    isApart = line.text === "";
    if (!isApart) next = line;
  }
  return below;
}

function readLine(reading: Reading, line: Line, next: Below | null): void {
  if (line.text === "") {
    reading.isBlockStart = true;
    reading.last = null;
    return;
  }
  if (isComment(line.text)) {
    readComment(reading, line);
    return;
  }
  if (reading.isBlockStart) reading.block++;
  leaveSection(reading, line);
  const labelled = labelledOf(line.text);
  if (labelled === null) readBare(reading, line, next);
  else if (labelled.value === "") readEmpty(reading, labelled, line, next);
  else readLabelled(reading, labelled, line);
  reading.isBlockStart = false;
}

/** `% Registrant:` above an object is its heading. */
function readComment(reading: Reading, line: Line): void {
  const heading = plainLabel(line.text.replace(/^[%#]+|:$/g, ""));
  if (COMMENT_HEADINGS.has(heading)) openSection(reading, heading, line);
}

function leaveSection(reading: Reading, line: Line): void {
  const { section, isBlockStart } = reading;
  if (section === null || !section.hasContent) return;
  if (section.extent === "deeper" ? line.indent <= section.indent : isBlockStart) reading.section = null;
}

function readEmpty(reading: Reading, { label, isBracketed }: Labelled, line: Line, next: Below | null): void {
  const isDeeper = next !== null && next.line.indent > line.indent;
  const role = roleOf(label);
  // Below an empty field of the domain's own, a blank line starts something else.
  const hasDeeper = isDeeper && !(next.isApart && role === "domain");
  const isNear = next !== null && (!next.isApart || role === "nameServer");
  const isHeading = isNear && role !== "domain" && isBare(next.line.text);
  if (reading.isBlockStart || isBracketed || hasDeeper || isHeading)
    openSection(reading, label, line, { isBracketed });
  else reading.last = { label, indent: line.indent, isEmpty: true };
}

function readLabelled(reading: Reading, { label, value, isBracketed }: Labelled, line: Line): void {
  if (isBracketed && reading.section?.isBracketed) reading.section = null;
  if (isPastEmptyHeading(reading, label, line) || isPastContact(reading, label)) reading.section = null;
  const isBelowHeading = reading.section !== null && !reading.section.hasContent;
  if (reading.isBlockStart && !isBelowHeading && isObjectClass(label)) {
    openSection(reading, label, line, { isObject: true });
  }
  addEntry(reading, label, value, line);
  reading.last = { label, indent: line.indent };
}

/** The domain's name after the lines of a contact begins its own, however far they are indented. */
const isPastContact = ({ section }: Reading, label: string): boolean =>
  label === "domain name" && section?.role === "registrant" && section.hasContent && !section.isObject;

/** Nothing stands below the heading when the domain's next field follows, indented no deeper. */
function isPastEmptyHeading({ section }: Reading, label: string, line: Line): boolean {
  if (section === null || section.hasContent || line.indent > section.indent) return false;
  return isDomainsAlone(label, section.role);
}

/** A line between others that heads those indented deeper, each of which has a label. */
const isAbove = ({ indent, text }: Line, next: Below | null): boolean =>
  next !== null &&
  !next.isApart &&
  next.line.indent > indent &&
  labelledOf(next.line.text) !== null &&
  roleOf(plainLabel(text)) !== "domain";

/** A date that stands in the line below its label. */
const DATE_ALONE = /^\d{1,4}[-/. ]\w{1,9}[-/. ]\d{1,4}(?!\d)/;

function readBare(reading: Reading, line: Line, next: Below | null): void {
  const { section, last, isBlockStart } = reading;
  const sentence = sentenceOf(line.text);
  const isInSection = section !== null && (section.extent === "block" || line.indent > section.indent);
  const isFirstOfSection = section !== null && !section.hasContent && line.indent > section.indent;
  const label = isBlockStart || isAbove(line, next) ? headingOf(line.text) : null;
  if (sentence !== null) {
    addEntry(reading, sentence.label, sentence.value, line);
    if (sentence.isColumn) reading.last = { label: sentence.label, indent: line.indent };
  } else if (last?.isEmpty === true && DATE_ALONE.test(line.text))
    addEntry(reading, last.label, line.text, line);
  else if (last !== null && line.indent > last.indent) addEntry(reading, last.label, line.text, line);
  else if (isFirstOfSection) addEntry(reading, "", line.text, line);
  else if (label !== null && (!isInSection || roleOf(label) !== "domain")) openSection(reading, label, line);
  else if (isInSection) addEntry(reading, "", line.text, line);
}

function openSection(
  reading: Reading,
  label: string,
  { indent }: Line,
  { isBracketed = false, isObject = false } = {},
): void {
  reading.units++;
  reading.section = {
    label,
    role: roleOf(label),
    indent,
    extent: "block",
    isBracketed,
    isObject,
    unit: reading.units,
    hasContent: false,
  };
  reading.last = null;
}

function addEntry(reading: Reading, label: string, text: string, line: Line): void {
  const { section, block } = reading;
  const value = text.slice(0, MAX_VALUE_LENGTH).trim();
  reading.entries.push({
    section: section?.label ?? "",
    role: section?.role ?? "domain",
    label,
    value,
    block,
    unit: section?.unit ?? 0,
    isObject: section?.isObject ?? false,
    isDeeper: section !== null && line.indent > section.indent,
  });
  if (section === null || section.hasContent) return;
  // A heading whose first line is indented deeper holds only such lines.
  const extent = line.indent > section.indent ? "deeper" : "block";
  reading.section = { ...section, extent, hasContent: true };
}

/** `contact: ABC-1`, `Technical Contact: ABC-1`: the first line of an object of its own. */
const isObjectClass = (label: string): boolean =>
  OBJECT_CLASSES.has(label) || (/\bcontact$/.test(label) && roleOf(label) === "contact");

/** First labels of objects that are not the domain's: RPSL, CZ.NIC's FRED and their like. */
const OBJECT_CLASSES: ReadonlySet<string> = new Set([
  "contact",
  "key set",
  "keyset",
  "nic handle",
  "nic hdl",
  "nic hdl br",
  "norid handle",
  "nserver",
  "nsset",
  "organisation",
  "person",
  "personname",
  "registrant",
  "registrar",
  "role",
]);

const COMMENT_HEADINGS: ReadonlySet<string> = new Set([
  "administrative contacts",
  "registrant",
  "registrar",
  "technical contacts",
]);
