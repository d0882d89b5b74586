import { writeSnapshot } from "../../listings/snapshot.ts";
import { createIntervalCollector } from "../intervals.ts";
import { prefixed } from "../sections.ts";
import { createTextInterner, type TextInterner } from "../text-table.ts";
import { type NamedSystem, readAsNames } from "./as-names.ts";
import { createRouteNesting } from "./nested-routes.ts";
import { type Family, type RisDump, readRisDump } from "./ris-dump.ts";
import type { RouteContents } from "./route-contents.ts";
import { createOriginSets, forEachVisible } from "./visible-routes.ts";

/** Form of the snapshot's sections; one more with every change of them or of what goes in. */
export const ROUTES_SNAPSHOT = { kind: "routes", version: 1 } as const;

/** What a snapshot of contents with these hashes is called; null: there is none to make. */
export function routesFingerprint({ v4, v6, names }: RouteContents<string>): string | null {
  if (v4 === null && v6 === null && names === null) return null;
  return `routes-${ROUTES_SNAPSHOT.version} ${v4 ?? "none"} ${v6 ?? "none"} ${names ?? "none"}`;
}

/**
 * Makes the snapshot of announced routes and names of systems: today's 1.1 million IPv4 and 0.25 million IPv6 prefixes in
 * some 4 s, a file of 20 MB; meant for a child process. Throws InvalidValue when a content cannot be read.
 */
export async function buildRoutesSnapshot(
  outFile: string,
  contents: RouteContents<Uint8Array>,
  fingerprint: string,
): Promise<void> {
  const routes = createRouteRows();
  const systems = createSystems();
  const sections = {
    ...intervalsOf("v4", contents.v4, { routes, systems }),
    ...intervalsOf("v6", contents.v6, { routes, systems }),
  };
  const named = contents.names === null ? [] : readAsNames(contents.names).systems;
  await writeSnapshot(outFile, {
    ...ROUTES_SNAPSHOT,
    fingerprint,
    meta: { v4: contents.v4 !== null, v6: contents.v6 !== null, names: contents.names !== null },
    sections: { ...sections, ...routes.sections(), ...systems.sections(named) },
  });
}

type Parts = {
  readonly routes: ReturnType<typeof createRouteRows>;
  readonly systems: ReturnType<typeof createSystems>;
};

function intervalsOf(family: Family, bytes: Uint8Array | null, { routes, systems }: Parts) {
  const dump: RisDump | null = bytes === null ? null : readRisDump(bytes, family);
  const collector = createIntervalCollector(2 * (dump?.uppers.length ?? 0) + 2);
  const nesting = createRouteNesting(collector);
  if (dump !== null) {
    forEachVisible(dump, (upper, lower, length, origins) => {
      nesting.add(upper, lower, length, routes.rowOf(origins, length));
      for (const origin of origins) systems.count(origin, family, upper, length);
    });
  }
  nesting.end();
  return prefixed(family, family === "v4" ? collector.packIpv4() : collector.packIpv6());
}

/** Rows by origins and length: neighbours with the same ones need one interval, and an address and a length make a route. */
function createRouteRows() {
  const sets = createOriginSets();
  const rows = new Map<number, number>();
  const setOf: number[] = [0];
  const lengthOf: number[] = [0];
  return {
    rowOf: (origins: readonly number[], length: number): number => {
      const set = sets.numberOf(origins);
      const key = set * 128 + length;
      const known = rows.get(key);
      if (known !== undefined) return known;
      rows.set(key, setOf.length);
      setOf.push(set);
      lengthOf.push(length);
      return setOf.length - 1;
    },
    sections: () => ({
      "route.set": Uint32Array.from(setOf),
      "route.length": Uint8Array.from(lengthOf),
      ...prefixed("sets", sets.columns()),
    }),
  };
}

type Counted = { v4: number; v6: number; addresses: number; end: number };

/** What each AS announces, and what it is called; one row per AS in ascending order from 1. */
function createSystems() {
  const counted = new Map<number, Counted>();
  return {
    /** IPv4 prefixes must come in order: addresses in several of an AS's count once. */
    count: (asn: number, family: Family, start: number, length: number): void => {
      const system = counted.get(asn) ?? { v4: 0, v6: 0, addresses: 0, end: 0 };
      counted.set(asn, system);
      system[family]++;
      if (family === "v6") return;
      const end = start + 2 ** (32 - length);
      system.addresses += Math.max(0, end - Math.max(start, system.end));
      system.end = Math.max(end, system.end);
    },
    sections: (named: readonly NamedSystem[]) => systemSections(counted, named),
  };
}

function systemSections(counted: ReadonlyMap<number, Counted>, named: readonly NamedSystem[]) {
  const names = new Map(named.map((system) => [system.asn, system]));
  const numbers = Uint32Array.from(new Set([0, ...counted.keys(), ...names.keys()])).toSorted();
  const texts = createTextInterner(3 * named.length + 1);
  const columns = {
    number: numbers,
    ipv4Prefixes: new Uint32Array(numbers.length),
    ipv6Prefixes: new Uint32Array(numbers.length),
    ipv4Addresses: new Float64Array(numbers.length),
    name: new Uint32Array(numbers.length),
    description: new Uint32Array(numbers.length),
    country: new Uint32Array(numbers.length),
  };
  for (const [row, asn] of numbers.entries()) {
    const { v4, v6, addresses } = counted.get(asn) ?? NOTHING_ANNOUNCED;
    columns.ipv4Prefixes[row] = v4;
    columns.ipv6Prefixes[row] = v6;
    columns.ipv4Addresses[row] = addresses;
    const system = names.get(asn);
    columns.name[row] = intern(texts, system?.name);
    columns.description[row] = intern(texts, system?.description);
    columns.country[row] = intern(texts, system?.country);
  }
  return { ...prefixed("as", columns), ...prefixed("texts", texts.table()) };
}

const NOTHING_ANNOUNCED = { v4: 0, v6: 0, addresses: 0 };

function intern(texts: TextInterner, text = ""): number {
  const bytes = Buffer.from(text);
  return texts.intern(bytes, 0, bytes.length);
}
