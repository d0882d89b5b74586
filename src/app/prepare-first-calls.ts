import { nextTurn } from "../base/next-turn.ts";
import { countryFactsOf } from "../enrichment/ip/country.ts";
import type { Deps } from "../products/deps.ts";

/**
 * Makes what lookups make at their first use, tenths of a second in all, piece by piece: the first callers do not wait for it, nor
 * do others beside them.
 */
export async function prepareFirstCalls({ domainFacts, pageAnalysis }: Deps): Promise<void> {
  // The first of all countries has the names of currencies loaded.
  countryFactsOf("US");
  await domainFacts.prepare();
  await nextTurn();
  await pageAnalysis.prepare();
}
