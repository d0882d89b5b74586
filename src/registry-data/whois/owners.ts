import type { OutlineEntry } from "./outline.ts";
import { roleOf } from "./roles.ts";

/**
 * Whose an entry is. `own`: the asked domain's. `beside`: it stands below another heading that is not sure to have ended.
 * `foreign`: a contact's, a registrar's, a name server's or a key's.
 */
export type Owner = "own" | "beside" | "foreign";

/** What only people, organisations and their objects have. */
const CONTACT_LABELS: ReadonlySet<string> = new Set([
  "address",
  "city",
  "e mail",
  "email",
  "fax",
  "fax no",
  "handle",
  "name",
  "nic hdl",
  "nic hdl br",
  "org",
  "organisation",
  "organization",
  "organization id",
  "person",
  "phone",
  "postal code",
  "street",
  "street address",
  "tech c",
  "telephone",
  "voice",
  "zip code",
]);

/** Objects that have dates and no address. */
const ADDRESSLESS: ReadonlySet<string> = new Set(["key", "key set", "keyset", "nserver", "nsset"]);

/** Entries of one heading or object; at the top, of one block. */
const unitOf = ({ unit, block }: OutlineEntry): string => (unit > 0 ? `unit ${unit}` : `block ${block}`);

function unitsOf(entries: readonly OutlineEntry[]): ReadonlyMap<string, readonly OutlineEntry[]> {
  const units = new Map<string, OutlineEntry[]>();
  for (const entry of entries) {
    const known = units.get(unitOf(entry));
    if (known === undefined) units.set(unitOf(entry), [entry]);
    else known.push(entry);
  }
  return units;
}

const hasContactLine = (unit: readonly OutlineEntry[]): boolean =>
  unit.some(({ label }) => CONTACT_LABELS.has(label));

/**
 * The entries with their true roles: a block that begins with `Registrar: Example` or `Technical Contact: Example` is an
 * object only when it goes on with a name, an address or a telephone number; otherwise its lines are the domain's.
 */
export function withTrueRoles(entries: readonly OutlineEntry[]): OutlineEntry[] {
  const contacts = new Set<string>();
  for (const [name, unit] of unitsOf(entries)) if (hasContactLine(unit.slice(1))) contacts.add(name);
  return entries.map((entry) => {
    if (!entry.isObject || ADDRESSLESS.has(entry.section) || contacts.has(unitOf(entry))) return entry;
    return { ...entry, section: "", role: "domain", unit: 0, isObject: false, isDeeper: false };
  });
}

/** Whose each entry is. `isOfDomain` tells labels that only a domain has. */
export function createOwnerOf(
  entries: readonly OutlineEntry[],
  isOfDomain: (entry: OutlineEntry) => boolean,
): (entry: OutlineEntry) => Owner {
  const units = unitsOf(entries);
  const contacts = new Set<string>();
  for (const [name, unit] of units) {
    const isContact = hasContactLine(unit) && !unit.some((entry) => isOfDomain(entry) || isOfHolder(entry));
    if (isContact) contacts.add(name);
  }
  return (entry) => {
    if (entry.role === "domain") return contacts.has(unitOf(entry)) ? "foreign" : "own";
    return entry.isObject || entry.isDeeper ? "foreign" : "beside";
  };
}

const isOfHolder = ({ label, section }: OutlineEntry): boolean =>
  roleOf(label) === "registrant" || /\bdomain\b|\bdates?\b/.test(section);
