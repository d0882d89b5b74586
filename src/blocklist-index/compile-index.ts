import { systemRandom } from "../base/clock.ts";
import { compileAsns } from "./asns.ts";
import { createDetailCollector } from "./details.ts";
import { compileIpv4 } from "./ipv4.ts";
import { compileIpv6, networkOf } from "./ipv6.ts";
import { createRows, type IndexRows, truncate } from "./rows.ts";
import { type Sections, type SnapshotKind, writeSnapshot } from "./snapshot.ts";
import { createTextHash } from "./text-hash.ts";
import { compileTexts } from "./texts.ts";
import type { ListingDetail, ListingsBuilder } from "./types.ts";

/*
 * The compiled index: one structure for all lists, so that a lookup is one probe and not one per list.
 *
 * SETS. What a lookup finds is a set of (list, prefix length of the list's most specific entry), or of
 * (list, detail) for names, URLs and AS numbers. Distinct sets stand once, by number; 0 is the empty set. Section
 * `setStarts` leads to a set's rows in `setLists` and `setExtras`. An entry's CIDR is not stored: it is the
 * address that was asked, cut to the prefix length. Columns of numbers are as wide (u8, u16, u32) as their
 * greatest value needs, so that set numbers widen by themselves. `longest` has the longest prefix of each set.
 *
 * IPv4 (`v4.*`). CIDRs are nested or apart, so the address space falls into intervals with one set each. A
 * boundary says which set holds from its address on, and holds only inside the innermost network of that set
 * (its longest prefix) around the boundary; outside of it nothing is listed. So an isolated entry costs one
 * boundary and not two: 3 to 6 bytes. Ends of networks inside other networks have a boundary of their own.
 * `directory` leads from the upper 16 bits of an address to its bucket in `lows` (lower 16 bits, sorted) and
 * `sets`. A bucket into which a network of /0 to /15 runs repeats its set at 0.
 *
 * IPv6 (`v6.*`). The same in two layers: `shallow` for prefixes up to /64 (two words, 10 bytes with a u16 set),
 * `deep` for longer ones (four words, 18 bytes). Deep sets name the shallow networks around them as well, so
 * the deep layer is asked first and its answer is whole.
 *
 * NAMES and URLS (`name.*`, `url.*`). 64-bit hashes with seeds of this build's own, sorted. `directory` leads
 * from the upper bits to a bucket of 4 to 8; `middles` (u16) and `lows` (u32) hold the lower 48 bits. With 2^22
 * names a name that no list has is taken for a listed one once in 2^42. Less than 11 bytes per name, where a
 * hash table of whole fingerprints needs 14 for its empty slots. Names that a list excepts are among them, behind `@@`.
 *
 * AS NUMBERS (`asn.*`): sorted numbers.
 *
 * DETAILS. Few address entries have one: `v4.detail.*` and `v6.detail.*` hold them per list, sorted by network.
 * `detail.fields` are five text numbers per distinct detail, `text.bytes` and `text.ends` the distinct texts.
 */

/** An exception stands among the names, as no name is written. */
export const exceptionOf = (name: string): string => `@@${name}`;

/** Name and version of the index's snapshot; the version changes with the layout above, and with how rows are read. */
export const LISTINGS_SNAPSHOT: SnapshotKind = { kind: "listings", version: 3 };

/**
 * An empty builder. Its `add` functions throw for a list number beyond 65,535 and a prefix length that the
 * family does not have; host bits are cleared. `write` throws when an entry names a list that is not in `lists`.
 */
export function createListingsBuilder(): ListingsBuilder {
  const entries = createEntries(randomSeeds());
  const { v4, v6, asn, name, url, details, hash } = entries;
  /** Takes list and detail of the row whose words have been pushed. */
  const finish = (rows: IndexRows, list: number, prefix: number, detail: ListingDetail | undefined): void => {
    if (list >= entries.listCount) entries.listCount = list + 1;
    rows.ranks.push(prefix * 65536 + list);
    rows.details.push(details.add(detail));
  };
  const addText = (rows: IndexRows, list: number, text: string, detail: ListingDetail | undefined): void => {
    checkList(list);
    hash.update(text);
    rows.words[0]?.push(hash.high());
    rows.words[1]?.push(hash.low());
    finish(rows, list, 0, detail);
  };
  return {
    addIpv4: (list, value, prefix, detail) => {
      checkList(list);
      if (!(prefix >= 0 && prefix <= 32)) throw new RangeError(`No IPv4 prefix is ${prefix} bits long`);
      v4.words[0]?.push(prefix === 0 ? 0 : value & (-1 << (32 - prefix)));
      finish(v4, list, prefix, detail);
    },
    addIpv6: (list, words, prefix, detail) => {
      checkList(list);
      if (!(prefix >= 0 && prefix <= 128)) throw new RangeError(`No IPv6 prefix is ${prefix} bits long`);
      const network = networkOf(words, prefix);
      for (let w = 0; w < 4; w++) v6.words[w]?.push(network[w] ?? 0);
      finish(v6, list, prefix, detail);
    },
    addAsn: (list, number, detail) => {
      checkList(list);
      asn.words[0]?.push(number);
      finish(asn, list, 0, detail);
    },
    addName: (list, text, detail) => addText(name, list, text, detail),
    addException: (list, text) => addText(name, list, exceptionOf(text), undefined),
    addUrl: (list, text, detail) => addText(url, list, text, detail),
    checkpoint: () => {
      const marks = [v4, v6, asn, name, url].map((rows) => ({ rows, length: rows.ranks.length() }));
      return () => {
        for (const { rows, length } of marks) truncate(rows, length);
      };
    },
    write: async (path, lists, fingerprint) => {
      const sections = compile(entries, lists.length);
      return writeSnapshot(path, { ...LISTINGS_SNAPSHOT, fingerprint, meta: { lists }, sections });
    },
  };
}

function compile({ v4, v6, asn, name, url, details, seeds, listCount }: Entries, lists: number): Sections {
  if (listCount > lists) throw new RangeError(`An entry names list ${listCount - 1} of ${lists} lists`);
  return {
    ...compileIpv4(v4, details, lists),
    ...compileIpv6(v6, details, lists),
    ...compileAsns(asn, details),
    ...compileTexts(name, details, "name"),
    ...compileTexts(url, details, "url"),
    ...details.sections(),
    seeds: Uint32Array.from(seeds),
  };
}

function checkList(list: number): void {
  if (!(list >= 0 && list <= 0xffff)) throw new RangeError(`No list has the number ${list}`);
}

type Seeds = readonly [number, number];

function randomSeeds(): Seeds {
  const bytes = Buffer.from(systemRandom.bytes(8));
  return [bytes.readUInt32LE(0), bytes.readUInt32LE(4)];
}

type Entries = ReturnType<typeof createEntries>;

const createEntries = (seeds: Seeds) => ({
  v4: createRows(1),
  v6: createRows(4),
  asn: createRows(1),
  name: createRows(2),
  url: createRows(2),
  details: createDetailCollector(),
  hash: createTextHash(seeds),
  seeds,
  listCount: 0,
});
