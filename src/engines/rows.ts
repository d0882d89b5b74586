import type { ListState } from "../listings/listings.ts";
import type { EngineDefinition } from "./definitions.ts";
import type { ZoneStanding } from "./dnsbl/zone.ts";
import type { Age } from "./feed.ts";
import type { Absence, Engine, UnavailableStatus } from "./kind.ts";

/** One row of `feeds list --json`. Source: design 3.4. */
export type EngineRow = {
  readonly key: string;
  readonly name: string;
  readonly kind: Engine["kind"];
  readonly target: Engine["target"];
  readonly status: "ok" | "never" | "disabled" | UnavailableStatus;
  readonly entries: number;
  readonly dropped: number;
  readonly data_age_s: number | null;
  readonly last_success: string | null;
  readonly last_attempt: string | null;
  readonly last_error: string | null;
  readonly next_attempt: string | null;
  readonly changed_at: string | null;
  readonly seed: boolean;
};

type Known = {
  readonly definition: EngineDefinition;
  readonly state: ListState | null;
  readonly age: Age | null;
  readonly absence: Absence | null;
};

/** The row of one list. */
export function rowOf(known: Known): EngineRow {
  const { definition, state, age } = known;
  const { key, name, kind, target } = definition.engine;
  return {
    key,
    name,
    kind,
    target,
    status: statusOf(known),
    entries: state?.entries ?? 0,
    dropped: state?.dropped ?? 0,
    data_age_s: age?.dataAgeS ?? null,
    last_success: state?.retrievedAt ?? null,
    last_attempt: state?.lastAttempt ?? null,
    last_error: state?.lastError ?? null,
    next_attempt: state?.nextAttempt ?? null,
    changed_at: state?.changedAt ?? null,
    seed: state?.seed ?? false,
  };
}

/**
 * The row of a DNS blacklist, by its last self-test or answer; `never` until it is asked. Its attempts are the
 * self-tests, its data is live.
 */
export function zoneRowOf({ engine }: EngineDefinition, standing: ZoneStanding | null): EngineRow {
  const { key, name, kind, target } = engine;
  const condition = standing?.condition ?? "never";
  const isSilent = condition !== "ok" && condition !== "never";
  return {
    key,
    name,
    kind,
    target,
    status: engine.disabled === null ? condition : "disabled",
    entries: 0,
    dropped: 0,
    data_age_s: condition === "ok" ? 0 : null,
    last_success: standing?.lastSuccess ?? null,
    last_attempt: standing?.lastAttempt ?? null,
    last_error: isSilent ? (standing?.detail ?? null) : null,
    next_attempt: standing?.nextAttempt ?? null,
    changed_at: null,
    seed: false,
  };
}

function statusOf({ definition, state, age, absence }: Known): EngineRow["status"] {
  if (definition.engine.disabled !== null) return "disabled";
  if (absence !== null) {
    const isUntried =
      absence.status === "error" && definition.feed !== null && !state?.lastAttempt && !state?.fault;
    return isUntried ? "never" : absence.status;
  }
  return age?.stale ? "stale" : "ok";
}
