import type { Engine } from "./kind.ts";

/** Classes of the reasons why a built-in engine is off by default. Source: sources 1. */
export const DISABLED_CLASSES = [
  "non_commercial",
  "low_volume",
  "unstated_terms",
  "little_known",
  "unmaintained",
  "noisy",
  "repeats",
  "broad",
  "account",
] as const;
export type DisabledClass = (typeof DISABLED_CLASSES)[number];

/** How the catalogue's sentences of each class begin. */
const BEGINNINGS: readonly (readonly [beginning: string, of: DisabledClass])[] = [
  ["Free for non-commercial use", "non_commercial"],
  ["Free at low volume", "low_volume"],
  ["The publisher states no terms", "unstated_terms"],
  ["Little is known", "little_known"],
  ["No recent sign", "unmaintained"],
  ["Too many false alarms", "noisy"],
  ["Repeats ", "repeats"],
  ["Large or broad", "broad"],
  ["Needs a key", "account"],
  ["Needs a subscription", "account"],
  ["The resolver must be registered", "account"],
];

/** The class of the reason why an engine is off; null while it is on, and where the reason is of no class. */
export function disabledClassOf({ disabled }: Pick<Engine, "disabled">): DisabledClass | null {
  if (disabled === null) return null;
  return BEGINNINGS.find(([beginning]) => disabled.startsWith(beginning))?.[1] ?? null;
}
