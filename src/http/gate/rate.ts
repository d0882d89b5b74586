import { Refusal } from "../../base/failure.ts";

/** Whole seconds until another start fits, by a time in monotonic milliseconds; 0: it fits now, and counts. */
export type Rates = { readonly take: (name: string, nowMs: number) => number };

const SLOT_MS = 100;
/** A second, and the slot that is under way. */
const SLOTS = 1000 / SLOT_MS + 1;
const MAX_NAMES = 10_000;

type Rate = { slot: number; readonly counts: number[]; total: number };

/** At most so many starts of each name in any second; by tenths of one, so that up to a tenth less may be let in. */
export function createRates(perSecond: number): Rates {
  const rates = new Map<string, Rate>();
  const rateOf = (name: string, slot: number): Rate => {
    const known = rates.get(name);
    if (known !== undefined) return known;
    if (rates.size >= MAX_NAMES) rates.clear();
    const made = { slot, counts: Array.from({ length: SLOTS }, () => 0), total: 0 };
    rates.set(name, made);
    return made;
  };
  return {
    take: (name, nowMs) => {
      const slot = Math.floor(nowMs / SLOT_MS);
      const rate = rateOf(name, slot);
      forget(rate, slot);
      if (rate.total >= perSecond) return secondsToWait(rate, nowMs);
      rate.total++;
      rate.counts[slot % SLOTS] = (rate.counts[slot % SLOTS] ?? 0) + 1;
      return 0;
    },
  };
}

/** A start counts until its slot leaves the second, up to a tenth later: who comes again then must not be refused. */
function secondsToWait({ slot, counts }: Rate, nowMs: number): number {
  let first = slot - SLOTS + 1;
  while (first < slot && (counts[first % SLOTS] ?? 0) === 0) first++;
  return Math.max(1, Math.ceil(((first + SLOTS) * SLOT_MS - nowMs) / 1000));
}

/** Empties the slots between the last one used and this one, which stood for a second that is over. */
function forget(rate: Rate, slot: number): void {
  if (rate.slot === slot) return;
  const first = Math.max(rate.slot + 1, slot - SLOTS + 1);
  for (let one = first; one <= slot; one++) {
    rate.total -= rate.counts[one % SLOTS] ?? 0;
    rate.counts[one % SLOTS] = 0;
  }
  rate.slot = slot;
}

/** The refusal of a token that asks more than its rate allows. */
export const tooManyBy = (perSecond: number, what: "questions" | "requests", retryAfterS: number): Refusal =>
  new Refusal("RATE_LIMIT_EXCEEDED", {
    message: `More than ${perSecond} ${what} a second by this token (gate.per_second)`,
    retryAfterS,
  });
