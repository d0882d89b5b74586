import fc from "fast-check";
import { expect, test } from "vitest";
import { type SaidOfName, zoneNames } from "./zone-names.ts";

const label = fc.constantFrom("a", "b", "c");
const name = fc
  .tuple(fc.array(label, { maxLength: 5 }), fc.constantFrom("evil.com", "evil.co.uk", "co.uk", "github.io"))
  .map(([labels, end]) => [...labels, end].join("."));
const said = fc.oneof(
  fc.boolean().map((isListed): SaidOfName => ({ isListed, below: isListed })),
  fc.constantFrom<boolean | null>(false, null).map((below): SaidOfName => ({ isListed: true, below })),
);
const lists = fc.array(fc.tuple(name, said), { maxLength: 8 }).map((pairs) => new Map(pairs));

const upwards = (of: string): readonly string[] => of.split(".").map((_, i, all) => all.slice(i).join("."));

/** By the nearest entry: listed, let through, or null where there is none, or it says nothing of what is below it. */
function byEntries(entries: ReadonlyMap<string, SaidOfName>, asked: string): boolean | null {
  const own = entries.get(asked);
  if (own !== undefined) return own.isListed;
  const nearest = upwards(asked).find((one) => entries.has(one));
  return (nearest === undefined ? undefined : entries.get(nearest)?.below) ?? null;
}

/** As DNS reads a zone (RFC 4592): the owner itself, else the wildcard right below the closest owner that there is, empty or not. */
function byZone(owners: ReadonlyMap<string, boolean>, asked: string): boolean | null {
  const own = owners.get(asked);
  if (own !== undefined) return own;
  const there = new Set([...owners.keys()].flatMap(upwards));
  if (there.has(asked)) return null;
  const closest = upwards(asked).find((one) => there.has(one));
  return owners.get(`*.${closest}`) ?? null;
}

test("a zone says of every name what the nearest entry says", () => {
  fc.assert(
    fc.property(lists, name, (entries, asked) => {
      const owners = new Map<string, boolean>();
      for (const { name: owner, isListed, below } of zoneNames(entries, () => true)) {
        owners.set(owner, isListed);
        if (below !== null) owners.set(`*.${owner}`, below);
      }
      expect(byZone(owners, asked)).toBe(byEntries(entries, asked));
    }),
    { numRuns: 2000 },
  );
});

test("every entry is an owner, and so are the names between two of which the upper one holds for all below it", () => {
  const told = (...entries: readonly (readonly [string, boolean, below?: null])[]) =>
    [
      ...zoneNames(
        new Map(entries.map(([one, isListed, below = isListed]) => [one, { isListed, below }])),
        () => true,
      ),
    ].map(({ name: owner, isListed }) => [owner, isListed]);
  expect(told(["evil.com", true], ["a.b.evil.com", true], ["c.b.evil.com", false])).toEqual([
    ["evil.com", true],
    ["b.evil.com", true],
    ["a.b.evil.com", true],
    ["c.b.evil.com", false],
  ]);
  expect(told(["co.uk", true, null], ["a.evil.co.uk", true])).toHaveLength(2);
});
