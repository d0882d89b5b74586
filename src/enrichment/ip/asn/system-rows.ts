import { prefixed } from "../../sections.ts";
import { createTextInterner, type TextInterner } from "../../text-table.ts";
import type { NamedSystem } from "./as-names.ts";
import type { AddressFamily } from "./ris-dump.ts";

type Counted = { v4: number; v6: number; addresses: number; end: number };

/** What each AS announces, and what it is called; one row per AS in ascending order from 1. */
export function createSystems() {
  const counted = new Map<number, Counted>();
  return {
    /** IPv4 prefixes must come in order: addresses in several of an AS's count once. */
    count: (asn: number, family: AddressFamily, start: number, length: number): void => {
      let system = counted.get(asn);
      if (system === undefined) {
        system = { v4: 0, v6: 0, addresses: 0, end: 0 };
        counted.set(asn, system);
      }
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
