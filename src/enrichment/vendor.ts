/** What an optional upstream says of an address: the Enrichment object of interface 2.6. */
export type VendorEnrichment = {
  readonly listed: boolean;
  readonly dataset: string | null;
  readonly botname: string | null;
  readonly detection: string | null;
  readonly heuristic: string | null;
  readonly rule: string | null;
  readonly listed_at: string | null;
  readonly valid_until: string | null;
  readonly seen_count: number | null;
  readonly country_code: string | null;
  readonly asn: number | null;
};
