import { type Json, memberOf, objectsOf, textOf } from "./json.ts";

/** What RFC 9537 members name, the interface's name for it where there is one. */
export type Redacted = {
  /** Of the registrant. */
  readonly registrant: readonly string[];
  readonly others: readonly string[];
};

/** Names of the registry of RDAP JSON values (RFC 9537 6.2), lower case, and ours for them. */
const OUR_NAMES: ReadonlyMap<string, string> = new Map([
  ["registrant name", "registrant_name"],
  ["registrant organization", "registrant_organization"],
  ["registrant state/province", "registrant_state"],
  ["registrant state", "registrant_state"],
  ["registrant province", "registrant_state"],
  ["registrant country", "registrant_country"],
  ["registrant email", "registrant_email_domain"],
]);

/** Whether a redacted field tells of the registrant: ours, or the name that RDAP has for it. */
export const isOfRegistrant = (field: string): boolean =>
  /^(registry )?registrant\b|^registrant_/i.test(field);

const MAX_NAMES = 100;

/** Reads the `redacted` member (RFC 9537 4.2): each name by its registered type, else by its description. */
export function readRedacted(object: Json): Redacted {
  const registrant = new Set<string>();
  const others = new Set<string>();
  for (const entry of objectsOf(object, "redacted").slice(0, MAX_NAMES)) {
    const name = textOf(memberOf(entry, "name"), "type") ?? textOf(memberOf(entry, "name"), "description");
    if (name === null) continue;
    const field = OUR_NAMES.get(name.toLowerCase()) ?? name;
    (isOfRegistrant(field) ? registrant : others).add(field);
  }
  return { registrant: [...registrant], others: [...others] };
}
