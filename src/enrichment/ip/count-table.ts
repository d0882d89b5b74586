import type { CountTable } from "../../feeds/table.ts";
import { readAsNames } from "./asn/as-names.ts";
import { type AddressFamily, readRisDump } from "./asn/ris-dump.ts";
import { readCityTable } from "./geo/build-geo.ts";

/** Reads a table as its snapshot is made of it, and counts; for a child process. Throws InvalidValue when it is none. */
export const countTable: CountTable = (kind, bytes) => {
  switch (kind) {
    case "city": {
      const { networks, builtAt } = readCityTable(bytes);
      return { entries: networks, dropped: 0, publishedAt: builtAt.toISOString() };
    }
    case "routes_ipv4":
      return countRoutes(bytes, "v4");
    case "routes_ipv6":
      return countRoutes(bytes, "v6");
    case "as_names": {
      const { systems, dropped } = readAsNames(bytes);
      return { entries: systems.length, dropped, publishedAt: null };
    }
    default:
      return kind satisfies never;
  }
};

function countRoutes(bytes: Uint8Array, family: AddressFamily) {
  const { rows, dropped } = readRisDump(bytes, family);
  return { entries: rows - dropped, dropped, publishedAt: null };
}
