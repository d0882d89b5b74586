import { z } from "zod";
import { feedUrlSchema } from "../feeds/feed.ts";
import type { TableKind } from "../feeds/table.ts";
import { PUBLISHED_TABLES } from "./tables.ts";

/** Where one table is retrieved. */
const tableUrl = (table: TableKind, what: string) =>
  feedUrlSchema
    .nullable()
    .default(PUBLISHED_TABLES[table].url)
    .describe(`Where ${what}; null: nothing is retrieved, and what is shipped answers`);

const databasePath = z.string().min(1).nullable().default(null);

/** The operator's `geo:`. */
export const geoOptionsSchema = z
  .strictObject({
    database: databasePath.describe(
      "MaxMind DB file with cities or countries; its rows go before the bundled ones",
    ),
    asn_database: databasePath.describe(
      "MaxMind DB file with AS numbers; its rows go before the bundled ones",
    ),
    tables: z
      .strictObject({
        city: tableUrl(
          "city",
          "the city database of both families is, a MaxMind DB; {month} becomes the month as 2026-11",
        ),
        routes_ipv4: tableUrl(
          "routes_ipv4",
          "the dump of announced IPv4 routes is, as RIPE RIS publishes it",
        ),
        routes_ipv6: tableUrl("routes_ipv6", "the dump of announced IPv6 routes is"),
        as_names: tableUrl("as_names", "the names of AS numbers are, as RIPE NCC publishes them"),
      })
      .prefault({}),
  })
  .prefault({});

/** The operator's `enrichment:`. */
export const enrichmentOptionsSchema = z
  .strictObject({
    asn_listing: z
      .strictObject({
        zone: z
          .string()
          .regex(/^(?=.{1,200}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*\.?$/i)
          .nullable()
          .default(null)
          .describe("DNS zone of listed autonomous systems, asked as <AS number>.<zone>"),
      })
      .prefault({}),
    record_api: z
      .strictObject({
        url: z
          .url({ protocol: /^https?$/ })
          .nullable()
          .default(null)
          .describe("Record service, asked as GET <url>/<address or domain>"),
        username: z.string().nullable().default(null).describe("Name for its Basic authentication"),
        password: z.string().nullable().default(null).describe("Secret for its Basic authentication"),
        timeout_ms: z.int().min(100).max(5000).default(2000).describe("Time for one question"),
      })
      .prefault({}),
  })
  .prefault({});
export type EnrichmentOptions = z.infer<typeof enrichmentOptionsSchema>;
