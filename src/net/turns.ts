import { createBudget } from "./budget.ts";
import { presentParty } from "./party.ts";

/**
 * What may begin in one turn of the event loop, of all callers together: items of batches, and questions. Some
 * milliseconds of work; answers and other calls go between. Source: decision 0014.
 */
const BEGIN_IN_TURN = 16;

/** The event loop is the process's, so there is one of these. */
const places = createBudget({ capacity: BEGIN_IN_TURN, rule: "even" });

let taken: (() => void)[] = [];

function endTurn(): void {
  const places = taken;
  taken = [];
  for (const release of places) release();
}

/**
 * Waits until something may begin on behalf of the present party: undefined at once where this turn of the event loop has
 * room, false where the signal aborted first, or too much of the same holder waits.
 */
export function waitForTurn(signal: AbortSignal): Promise<boolean> | undefined {
  const place = places.acquire({ party: presentParty(), signal });
  if (place === null) return Promise.resolve(false);
  if (!(place instanceof Promise)) {
    takePlace(place.release);
    return undefined;
  }
  return place.then((held) => {
    if (held !== null) takePlace(held.release);
    return held !== null;
  });
}

function takePlace(release: () => void): void {
  if (taken.push(release) === 1) setImmediate(endTurn);
}
