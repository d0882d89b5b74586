import { describe, expect, test } from "vitest";
import { enrichmentOptionsSchema, geoOptionsSchema } from "./options.ts";

describe("enrichmentOptionsSchema", () => {
  test("has a default for every key", () => {
    expect(enrichmentOptionsSchema.parse(undefined)).toEqual({
      asn_listing: { zone: null },
      record_api: { url: null, username: null, password: null, timeout_ms: 2000 },
    });
    expect(geoOptionsSchema.parse({})).toEqual({ database: null, asn_database: null });
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
