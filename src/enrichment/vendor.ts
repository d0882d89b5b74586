import { z } from "zod";
import type { Clock } from "../base/clock.ts";
import type { CountLook } from "../base/metrics.ts";
import { nullable, type Wire } from "../base/wire.ts";
import { type Cacheable, createAnswerCache } from "../net/dns/answer-cache.ts";

/** What an optional upstream says of the target: the Enrichment object of interface 2.6. */
export const EnrichmentShape = z
  .object({
    listed: z.boolean().describe("Whether the upstream names the target"),
    dataset: nullable.describe("Data set that names it"),
    botname: nullable.describe("Name of the botnet"),
    detection: nullable.describe("What it was detected as"),
    heuristic: nullable.describe("Heuristic that names it"),
    rule: nullable.describe("Rule that names it"),
    listed_at: nullable.describe("When it was listed, ISO 8601"),
    valid_until: nullable.describe("Until when the listing holds, ISO 8601"),
    seen_count: z.int().nullable().describe("How often it was seen"),
    country_code: nullable.describe("ISO 3166-1 alpha-2"),
    asn: z.int().nullable().describe("Number of its AS"),
  })
  .meta({ id: "VendorEnrichment", description: "What the configured upstream says of the target" });
export type VendorEnrichment = Wire<typeof EnrichmentShape>;

/** Of the signal that a record makes in a score. Source: design 4.4. */
export const VENDOR_RECORD_STRENGTH = 0.8;

/** Completed, and nothing found. */
export const NOT_LISTED: VendorEnrichment = {
  listed: false,
  dataset: null,
  botname: null,
  detection: null,
  heuristic: null,
  rule: null,
  listed_at: null,
  valid_until: null,
  seen_count: null,
  country_code: null,
  asn: null,
};

/** What an upstream said, when, and whether its answer was kept since. */
export type VendorAnswer = {
  readonly said: VendorEnrichment;
  readonly asOf: Date;
  readonly cached: boolean;
};

const MAX_ENTRIES = 10_000;

/** `ask` with its answers kept for as long as it says; null: it gave none. */
export function keepVendorAnswers(
  { clock, count = null }: { readonly clock: Clock; readonly count?: CountLook | null },
  ask: (key: string) => Promise<Cacheable<VendorEnrichment | null>>,
): (key: string) => Promise<VendorAnswer | null> {
  const cache = createAnswerCache<Omit<VendorAnswer, "cached"> | null>(clock, MAX_ENTRIES, count);
  const look = async (key: string) => {
    const { value, ttlS } = await ask(key);
    return { value: value === null ? null : { said: value, asOf: clock.now() }, ttlS };
  };
  return async (key) => {
    const kept = cache.peek(key);
    if (kept !== null) return { ...kept, cached: true };
    const answer = await cache.ask(key, () => look(key));
    return answer === null ? null : { ...answer, cached: false };
  };
}
