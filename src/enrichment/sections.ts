import { type Sections, u8Section, u16Section, u32Section } from "../blocklist-index/snapshot.ts";
import type { Ipv4Intervals, Ipv6Intervals } from "./ip/intervals.ts";
import type { TextTable } from "./text-table.ts";

/** The intervals under `v4.`. */
export const ipv4Intervals = (sections: Sections): Ipv4Intervals => ({
  directory: u32Section(sections, "v4.directory"),
  lows: u16Section(sections, "v4.lows"),
  rowLows: u16Section(sections, "v4.rowLows"),
  rowHighs: u8Section(sections, "v4.rowHighs"),
});

/** The intervals under `v6.`. */
export const ipv6Intervals = (sections: Sections): Ipv6Intervals => ({
  uppers: u32Section(sections, "v6.uppers"),
  directory: u32Section(sections, "v6.directory"),
  lowers: u32Section(sections, "v6.lowers"),
  rowLows: u16Section(sections, "v6.rowLows"),
  rowHighs: u8Section(sections, "v6.rowHighs"),
});

/** The texts under `name.`. */
export const textTable = (sections: Sections, name: string): TextTable => ({
  blob: u8Section(sections, `${name}.blob`),
  offsets: u32Section(sections, `${name}.offsets`),
});

/** The same columns with `prefix.` before their names, as a snapshot holds them. */
export const prefixed = <T>(prefix: string, columns: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(columns).map(([name, column]) => [`${prefix}.${name}`, column]));

/** ISO 8601 in the member `publishedAt` of a snapshot's meta, else null. */
export function publishedAtOf(meta: unknown): string | null {
  if (typeof meta !== "object" || meta === null || !("publishedAt" in meta)) return null;
  return typeof meta.publishedAt === "string" ? meta.publishedAt : null;
}
