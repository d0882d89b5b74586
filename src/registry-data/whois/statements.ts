import { isBlank, isBlankCountry } from "../privacy.ts";
import type { Field } from "./fields.ts";
import { fieldOf } from "./labels.ts";
import { ABROAD } from "./labels-abroad.ts";
import type { OutlineEntry } from "./outline.ts";
import { createOwnerOf, type Owner } from "./owners.ts";
import type { WhoisShape } from "./shape.ts";

/** What an answer says, field by field, in the order of its lines. */
export type Statements = {
  readonly all: (field: Field) => readonly string[];
  /** The first value that is no placeholder; a value with a label before one that has only its heading. */
  readonly first: (field: Field) => string | null;
  /** As `first`, of values with a label alone. */
  readonly labelled: (field: Field) => string | null;
  /**
   * What `read` makes of the lines of a field that stand together, from the first one that it can read: some registries
   * list every change.
   */
  readonly run: <T>(field: Field, read: (value: string) => T | null) => readonly T[];
};

type Statement = {
  readonly value: string;
  readonly isLabelled: boolean;
  readonly isAbroad: boolean;
  readonly line: number;
};

/** Fields that other objects of an answer have too: only the domain's own count. */
const OF_OBJECTS: ReadonlySet<Field> = new Set([
  "created",
  "expires",
  "updated",
  "status",
  "statusAndExpiry",
]);

/** Labels that only a domain's object has. */
const OF_DOMAIN_ALONE: ReadonlySet<Field | null> = new Set(["domain", "expires", "nameServer", "dnssec"]);

/** What the entries say, each label by its meaning. */
export function statementsOf(entries: readonly OutlineEntry[], { labels = {} }: WhoisShape): Statements {
  const ownerOf = createOwnerOf(entries, (entry) => OF_DOMAIN_ALONE.has(fieldOf(entry, labels)));
  const own = new Map<Field, Statement[]>();
  const beside = new Map<Field, Statement[]>();
  for (const [line, entry] of entries.entries()) {
    const field = fieldOf(entry, labels);
    if (field === null) continue;
    const table = tableFor(field, ownerOf(entry), { own, beside });
    const { value, label } = entry;
    const statement = { value, isLabelled: label !== "", isAbroad: ABROAD.has(label), line };
    const known = table?.get(field);
    if (known === undefined) table?.set(field, [statement]);
    else known.push(statement);
  }
  // Of an answer in two languages the English statements come first.
  const of = (field: Field): readonly Statement[] =>
    [...(own.get(field) ?? beside.get(field) ?? [])].sort((a, b) => Number(a.isAbroad) - Number(b.isAbroad));
  const told = (field: Field) => {
    const isEmpty = field === "registrantCountry" ? isBlankCountry : isBlank;
    return of(field).filter(({ value }) => !isEmpty(value));
  };
  const labelled = (field: Field) => told(field).find(({ isLabelled }) => isLabelled)?.value ?? null;
  return {
    all: (field) => of(field).map(({ value }) => value),
    first: (field) => labelled(field) ?? told(field)[0]?.value ?? null,
    labelled,
    run: (field, read) => runOf(of(field), read),
  };
}

function runOf<T>(statements: readonly Statement[], read: (value: string) => T | null): T[] {
  const start = statements.findIndex(({ value }) => read(value) !== null);
  const from = statements.slice(Math.max(start, 0));
  return from
    .filter(({ line }, i) => line === (from[0]?.line ?? 0) + i)
    .map(({ value }) => read(value))
    .filter((value) => value !== null);
}

type Tables = Readonly<Record<"own" | "beside", Map<Field, Statement[]>>>;

function tableFor(field: Field, owner: Owner, { own, beside }: Tables): Map<Field, Statement[]> | null {
  if (owner === "own" || !OF_OBJECTS.has(field)) return own;
  return owner === "beside" ? beside : null;
}

/** An object whose handle the domain names as its holder is the registrant's, whatever it is called. */
export function withHolderObjects(
  entries: readonly OutlineEntry[],
  { labels = {} }: WhoisShape,
): OutlineEntry[] {
  const fields = entries.map((entry) => fieldOf(entry, labels));
  const holders = new Set<string>();
  for (const [i, { value, role }] of entries.entries()) {
    if (fields[i] === "holder" && role === "domain") holders.add(value.toLowerCase());
  }
  const blocks = new Set<number>();
  const handles = new Set<string>();
  for (const [i, { value, block }] of entries.entries()) {
    if (fields[i] !== "handle" || !holders.has(value.toLowerCase())) continue;
    blocks.add(block);
    handles.add(value.toLowerCase());
  }
  if (blocks.size === 0) return [...entries];
  return entries.map((entry, i) => {
    // The reference and the object's own handle are no names.
    const isReference = fields[i] === "handle" || fields[i] === "holder";
    if (isReference && handles.has(entry.value.toLowerCase()))
      return { ...entry, role: "contact", label: "handle" };
    return blocks.has(entry.block) ? { ...entry, role: "registrant" } : entry;
  });
}
