import { z } from "zod";

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
  })
  .prefault({});
export type GeoOptions = z.infer<typeof geoOptionsSchema>;

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
