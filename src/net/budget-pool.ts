/** How much there is of something, and how it is shared out. */
export type BudgetLimits = {
  readonly capacity: number;
  /** Most for one holder, whatever is free; default: what the rule of shares leaves. */
  readonly perHolder?: number;
  /** `even`: the rule of shares below does not hold, where the capacity is a handful. Default: `reserved`. */
  readonly rule?: "reserved" | "even";
};

export type BudgetSettings = BudgetLimits & {
  /** Of each group that a request names: a domain, a destination. */
  readonly ofGroup?: BudgetLimits;
  /** Requests of one holder that may wait; the next is refused at once. Default: 5,000. */
  readonly maxWaiting?: number;
};

/** A part of a budget. Giving back twice does nothing. */
export type BudgetShare = {
  readonly release: () => void;
  /** Gives back all but `amount`. */
  readonly shrink: (amount: number) => void;
};

/** What is held of it. */
export type Pool = { readonly limits: BudgetLimits; held: number; readonly byHolder: Map<string, number> };

export const newPool = (limits: BudgetLimits): Pool => ({ limits, held: 0, byHolder: new Map() });

const GENEROSITY = 4;

/**
 * The rule of shares: a holder of something may come to hold 4 × free² / capacity, free being what is left after that.
 * One alone gets three fifths. As the square falls faster than what is free, something is left for the newcomer after
 * twenty others took all they could; a multiple of what is free would be used up after five. He needs only what is free.
 */
export function fits({ limits, held, byHolder }: Pool, holder: string, amount: number): boolean {
  const { capacity, perHolder = Number.POSITIVE_INFINITY, rule = "reserved" } = limits;
  const free = capacity - held - amount;
  if (free < 0) return false;
  const own = byHolder.get(holder);
  if (own === undefined) return true;
  const total = own + amount;
  return total <= perHolder && (rule === "even" || total * capacity <= GENEROSITY * free * free);
}

export function add(pool: Pool, holder: string, amount: number): void {
  pool.held += amount;
  const own = (pool.byHolder.get(holder) ?? 0) + amount;
  if (own > 0) pool.byHolder.set(holder, own);
  else pool.byHolder.delete(holder);
}
