import { sourceOf } from "../feeds/feed.ts";
import type { TableDefinition, TableKind } from "../feeds/table.ts";

/** A table as its publisher has it. */
type PublishedTable = {
  readonly key: string;
  readonly name: string;
  readonly url: string;
  readonly refreshMinutes: number;
  /** About half of today's rows: with fewer the publisher's file is broken. */
  readonly minEntries: number;
};

const HOUR = 60;
const DAY = 24 * HOUR;

/**
 * What is retrieved of place and network. Keys have a hyphen, so that none is an engine's. DB-IP's file is monthly and looked
 * for daily; the dumps of RIPE RIS come every eight hours.
 */
export const PUBLISHED_TABLES: Readonly<Record<TableKind, PublishedTable>> = {
  city: {
    key: "table-city",
    name: "DB-IP City Lite",
    url: "https://download.db-ip.com/free/dbip-city-lite-{month}.mmdb.gz",
    refreshMinutes: DAY,
    minEntries: 1_000_000,
  },
  routes_ipv4: {
    key: "table-routes-ipv4",
    name: "RIPE RIS, IPv4 routes",
    url: "https://www.ris.ripe.net/dumps/riswhoisdump.IPv4.gz",
    refreshMinutes: 8 * HOUR,
    minEntries: 500_000,
  },
  routes_ipv6: {
    key: "table-routes-ipv6",
    name: "RIPE RIS, IPv6 routes",
    url: "https://www.ris.ripe.net/dumps/riswhoisdump.IPv6.gz",
    refreshMinutes: 8 * HOUR,
    minEntries: 100_000,
  },
  as_names: {
    key: "table-as-names",
    name: "RIPE NCC, names of AS numbers",
    url: "https://ftp.ripe.net/ripe/asnames/asn.txt",
    refreshMinutes: DAY,
    minEntries: 50_000,
  },
};

/** Where each table is retrieved; null: it is not, and what is shipped answers. */
export type TableUrls = Readonly<Record<TableKind, string | null>>;

/** The tables that are retrieved. One from elsewhere than its publisher is the operator's, and may be of any size. */
export function defineTables(urls: TableUrls): readonly TableDefinition[] {
  const kinds: readonly TableKind[] = ["city", "routes_ipv4", "routes_ipv6", "as_names"];
  return kinds.flatMap((table) => {
    const { key, name, url: published, refreshMinutes, minEntries } = PUBLISHED_TABLES[table];
    const url = urls[table];
    const source = url === null ? null : sourceOf(url);
    if (source === null) return [];
    const builtin = url === published;
    return [{ key, name, table, builtin, source, refreshMinutes, minEntries: builtin ? minEntries : 1 }];
  });
}
