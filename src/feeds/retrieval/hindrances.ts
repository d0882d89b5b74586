import type { Log } from "../../base/log.ts";

/** Tells the log of attempts that this machine kept from being made: each cause once, until none of its lists has it any more. */
export type Hindrances = {
  /** The attempt at these lists was impossible. */
  readonly met: (lists: readonly string[], error: unknown) => void;
  /** One was made. */
  readonly passed: (lists: readonly string[]) => void;
};

/** Attempts are repeated every second while the disk is full, say. */
export function createHindrances(log: Log): Hindrances {
  const causes = new Map<string, string>();
  return {
    met: (lists, error) => {
      const cause = causeOf(error);
      const isTold = [...causes.values()].includes(cause);
      for (const list of lists) causes.set(list, cause);
      if (isTold) log.debug({ err: error, lists }, "Still cannot update lists");
      else log.error({ err: error, lists }, "Cannot update lists; trying again every second");
    },
    passed: (lists) => {
      if (causes.size === 0) return;
      for (const list of lists) causes.delete(list);
      if (causes.size === 0) log.info({}, "Lists can be updated again");
    },
  };
}

/** A system's error is its code: its sentence names another file for each list. */
const causeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return "code" in error ? String(error.code) : error.message;
};
