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

/** Why an engine is off: a sentence for people, and its class where the catalogue switches it off. */
export type Off = { readonly reason: string; readonly class: DisabledClass | null };

/** What the operator and the owners decided about which engines are on. */
export type Choices = {
  readonly disable: ReadonlySet<string>;
  readonly enable: ReadonlySet<string>;
  readonly accept: ReadonlySet<DisabledClass>;
  /** Names of the publishers' keys that are configured. */
  readonly keys: ReadonlySet<string>;
  /** Switches of owners, by engine: true is on. They go before the file. */
  readonly switches: ReadonlyMap<string, boolean>;
};

/** What of an engine's entry decides whether it is on. */
export type Switchable = {
  readonly key: string;
  readonly enabled: boolean;
  /** Why the catalogue switches it off; null: it does not. */
  readonly off: Off | null;
  /** Name of the publisher's key that it needs; null: none. */
  readonly needsKey: string | null;
  /** Name of the publisher's key that it sends when it is configured, needed or not; null: none. */
  readonly takesKey: string | null;
  /** Whether nothing can switch it on in this version. */
  readonly isUnaskable: boolean;
};

/**
 * Why an engine is off; null when it is on. An owner's switch goes before `engines.disable`, that before a configured key,
 * that before `engines.enable` and `engines.accept`. What cannot be asked stays off whatever anyone says.
 */
export function offReason(entry: Switchable, choices: Choices): Off | null {
  const { key, off } = entry;
  const isOn = choices.switches.get(key);
  if (isOn === false) return { reason: "Switched off by an owner", class: null };
  if (isOn === undefined && (!entry.enabled || choices.disable.has(key))) {
    return { reason: "Switched off by the configuration", class: null };
  }
  if (entry.isUnaskable) return off;
  if (entry.needsKey !== null && !choices.keys.has(entry.needsKey)) {
    return off ?? { reason: `Needs the key engines.keys.${entry.needsKey}`, class: "account" };
  }
  if (off === null || isOn === true || choices.enable.has(key)) return null;
  if (off.class !== null && choices.accept.has(off.class)) return null;
  const isAccountAlone = off.class === "account" && entry.takesKey !== null;
  return isAccountAlone && choices.keys.has(entry.takesKey) ? null : off;
}
