import { Refusal } from "../base/failure.ts";
import type { ExportFacts } from "../exports/facts.ts";
import type { ExportStanding } from "../exports/shelf.ts";
import { nothingIn, type Variant } from "../exports/variant.ts";

/** An export that is served now. */
export type Served = ExportStanding & { readonly facts: ExportFacts };

/** The first build follows the index by some seconds; clients that try again nine times still wait for a slow machine's. */
const FIRST_BUILD_S = 12;
/** A build may make it right. */
const BUILD_S = 30;
/** Only lists that load again make it right. */
const LISTS_S = 3600;

/**
 * An export where it may be served. Throws SERVICE_UNAVAILABLE where not: never an empty list in its place, which consumers take
 * for their new one.
 */
export function assertServed(standing: ExportStanding): Served {
  const { closed, facts, held, fault } = standing;
  if (closed === null && facts !== null) return { ...standing, facts };
  const isFirst = held === null && fault === null;
  const retryAfterS = facts !== null ? LISTS_S : isFirst ? FIRST_BUILD_S : BUILD_S;
  throw new Refusal("SERVICE_UNAVAILABLE", { message: closed ?? "It was not built yet", retryAfterS });
}

/** Throws as `assertServed` where there is nothing in the chosen variant of it. */
export function assertHolds(facts: ExportFacts, variant: Variant): void {
  const message = nothingIn(facts, variant);
  if (message !== null) throw new Refusal("SERVICE_UNAVAILABLE", { message, retryAfterS: LISTS_S });
}
