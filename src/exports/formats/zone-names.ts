/** What is said of a name: whether it is listed, else it is let through; `below`: the same of all below it, null: nothing. */
export type SaidOfName = { readonly isListed: boolean; readonly below: boolean | null };

type ZoneName = SaidOfName & { readonly name: string };

/**
 * Owners of a zone by which every name goes by the nearest entry above it. A wildcard holds for nothing below another owner, nor
 * for the names between the two, of which there is nothing in the zone (RFC 4592, 2.2.2 and 3.3.1): below a listed
 * `evil.example`, BIND and Unbound would let `b.evil.example` through for an entry `a.b.evil.example`. So the names between two
 * entries are owners of their own. Those above a name that the zone cannot hold are not needed.
 */
export function* zoneNames(
  entries: ReadonlyMap<string, SaidOfName>,
  canHold: (name: string) => boolean,
): Generator<ZoneName> {
  const owners = new Set<string>();
  for (const [name, entry] of entries) {
    const between: string[] = [];
    let above = parentOf(name);
    for (; above !== "" && !entries.has(above); above = parentOf(above)) between.push(above);
    const said = entries.get(above)?.below ?? null;
    for (const one of said !== null && canHold(name) ? between : []) {
      if (!owners.has(one)) yield { name: one, isListed: said === true, below: said };
      owners.add(one);
    }
    yield { name, ...entry };
  }
}

const parentOf = (name: string): string => {
  const dot = name.indexOf(".");
  return dot < 0 ? "" : name.slice(dot + 1);
};
