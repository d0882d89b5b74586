import { messageOf } from "./caught.ts";

/** So many of one outage are told apart. */
const MAX_REASONS = 5;

/** The reasons for one outage so far: the first that shows, such as a connection that was lost, may not be the one that lasts. */
export type Reasons = {
  /** Notes a reason: the first of the outage, another one, or one that need not be told any more. */
  readonly note: (reason: unknown) => "first" | "other" | "told";
  /** The outage is over. */
  readonly clear: () => void;
};

export function createReasons(): Reasons {
  const texts = new Set<string>();
  return {
    note: (reason) => {
      const text = messageOf(reason);
      if (texts.has(text) || texts.size >= MAX_REASONS) return "told";
      texts.add(text);
      return texts.size === 1 ? "first" : "other";
    },
    clear: () => texts.clear(),
  };
}
