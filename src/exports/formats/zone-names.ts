import { namesAbove } from "./dotted-names.ts";

/** What is said of a name: whether it is listed, else it is let through; `below`: the same of all below it, null: nothing. */
export type SaidOfName = { readonly isListed: boolean; readonly below: boolean | null };

type ZoneName = SaidOfName & { readonly name: string };

/**
 * Owners of a zone by which every name goes by the nearest entry above it. A wildcard holds for nothing below another owner, nor
 * for the names between the two, of which there is nothing in the zone (RFC 4592, 2.2.2 and 3.3.1): below a listed
 * `evil.example`, BIND and Unbound would let `b.evil.example` through for an entry `a.b.evil.example`. So an entry that says
 * what the one above it says is left out, and the names between two that differ are owners of their own. Names that the zone
 * cannot hold come out as they are.
 */
export function* zoneNames(
  entries: ReadonlyMap<string, SaidOfName>,
  canHold: (name: string) => boolean,
): Generator<ZoneName> {
  /** What the nearest entry above says of all below it; null where there is none, or it stands for itself alone. */
  const saidAbove = (name: string): boolean | null => {
    const nearest = namesAbove(name).find((one) => entries.has(one));
    return nearest === undefined ? null : (entries.get(nearest)?.below ?? null);
  };
  const isRepeated = (name: string): boolean => {
    const entry = entries.get(name);
    return entry?.isListed === entry?.below && saidAbove(name) === entry?.below;
  };
  /** Up to the next owner above. */
  const namesBetween = (name: string): readonly string[] => {
    const above = namesAbove(name);
    return above.slice(
      0,
      above.findIndex((one) => entries.has(one) && !isRepeated(one)),
    );
  };
  const between = new Set<string>();
  for (const [name, entry] of entries) {
    const said = canHold(name) ? saidAbove(name) : null;
    if (said !== null && isRepeated(name)) continue;
    for (const one of said === null ? [] : namesBetween(name)) {
      if (!between.has(one)) yield { name: one, isListed: said === true, below: said };
      between.add(one);
    }
    yield { name, ...entry };
  }
}
