import { isoSeconds } from "../../base/clock.ts";
import type { SourceAge } from "../../enrichment/facts.ts";
import type { RegistryLookup } from "../../registry-data/outcome.ts";
import { ageOfData, freshnessOfSources } from "../../risk/freshness.ts";
import type { WhoisReport } from "./shape.ts";

/** When the answer is put together, and what is known beside the registration. */
export type Gathered = {
  readonly computedAt: Date;
  readonly elapsedMs: number;
  /** By the lists of free mailbox providers. */
  readonly isFreeMailbox: (domain: string) => boolean;
};

/** Fields that are unknown when the registry gave no answer, and those that are unknown whatever it said. */
type Unknown = { readonly registry: readonly string[]; readonly others: readonly string[] };

type End = Pick<
  WhoisReport,
  "lookup_status" | "error" | "provenance" | "fetched_at" | "freshness" | "unknown_fields" | "elapsed_ms"
>;

/** What every registration's answer ends with: how it came about and how old it is, with what is told beside it. */
export function endOf(
  lookup: RegistryLookup<unknown>,
  { computedAt, elapsedMs }: Pick<Gathered, "computedAt" | "elapsedMs">,
  unknown: Unknown,
  beside: readonly SourceAge[] = [],
): End {
  const { provenance, error, fetchedAt, stale, cached } = lookup;
  const age = ageOfData({ asOf: fetchedAt, stale, cached }, computedAt);
  const registryFields = lookup.status === "error" ? unknown.registry : [];
  return {
    lookup_status: lookup.status,
    error,
    provenance,
    fetched_at: fetchedAt === null ? null : isoSeconds(fetchedAt),
    freshness: freshnessOfSources(age, beside, computedAt),
    unknown_fields: [...registryFields, ...unknown.others].sort(),
    elapsed_ms: Math.round(elapsedMs),
  };
}
