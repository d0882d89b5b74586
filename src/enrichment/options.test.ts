import { describe, expect, test } from "vitest";
import { enrichmentOptionsSchema, geoOptionsSchema } from "./options.ts";

describe("enrichmentOptionsSchema", () => {
  test("has a default for every key", () => {
    expect(enrichmentOptionsSchema.parse(undefined)).toEqual({
      asn_listing: { zone: null },
      record_api: { url: null, username: null, password: null, timeout_ms: 2000 },
    });
    expect(geoOptionsSchema.parse({})).toEqual({
      database: null,
      asn_database: null,
      tables: {
        city: "https://download.db-ip.com/free/dbip-city-lite-{month}.mmdb.gz",
        routes_ipv4: "https://www.ris.ripe.net/dumps/riswhoisdump.IPv4.gz",
        routes_ipv6: "https://www.ris.ripe.net/dumps/riswhoisdump.IPv6.gz",
        as_names: "https://ftp.ripe.net/ripe/asnames/asn.txt",
      },
    });
  });

  test.each([
    [{ asn_listing: { zone: "not a zone" } }],
    [{ asn_listing: { zones: "asn.example" } }],
    [{ record_api: { url: "ftp://example" } }],
    [{ record_api: { timeout_ms: 0 } }],
    [{ unknown: 1 }],
  ])("refuses %j", (options) => {
    expect(enrichmentOptionsSchema.safeParse(options).success).toBe(false);
  });
});
