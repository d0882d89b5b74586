import type { Log } from "../base/log.ts";
import { nextTurn } from "../base/next-turn.ts";
import { countryFactsOf } from "../enrichment/ip/country.ts";
import type { Deps } from "../products/deps.ts";

/**
 * Makes what lookups make at their first use, piece by piece: the first callers do not wait for it, nor do others beside them.
 * Never rejects: what fails is logged, and made by the call that needs it.
 */
export async function prepareFirstCalls({
  domainFacts,
  pageAnalysis,
  log,
}: Pick<Deps, "domainFacts" | "pageAnalysis"> & { readonly log: Log }): Promise<void> {
  try {
    // The first of all countries has the names of currencies loaded.
    countryFactsOf("US");
    await domainFacts.prepare();
    await nextTurn();
    await pageAnalysis.prepare();
  } catch (error) {
    log.warn({ err: error }, "Cannot prepare for the first calls");
  }
}
