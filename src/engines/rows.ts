import type { ListState } from "../listings/listings.ts";
import type { EngineDefinition } from "./definitions.ts";
import type { Age } from "./feed.ts";
import type { Absence, Engine, UnavailableStatus } from "./kind.ts";

/** One row of `feeds list --json`. Source: design 3.4. */
export type EngineRow = {
  readonly key: string;
  readonly name: string;
  readonly kind: Engine["kind"];
  readonly target: Engine["target"];
  readonly status: "ok" | "stale" | "never" | UnavailableStatus;
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

/** The row of one engine; `confirmedAt` is the last look that found its file unchanged. */
export function rowOf(known: Known, confirmedAt: string | null | undefined): EngineRow {
  const { definition, state, age, absence } = known;
  const { key, name, kind, target } = definition.engine;
  const isConfirmed = state?.lastError === null && confirmedAt != null;
  const lastAttempt = isConfirmed ? confirmedAt : (state?.lastAttempt ?? null);
  return {
    key,
    name,
    kind,
    target,
    status: statusOf(known),
    entries: state?.entries ?? 0,
    dropped: state?.dropped ?? 0,
    data_age_s: age?.dataAgeS ?? null,
    last_success: isConfirmed ? confirmedAt : (state?.retrievedAt ?? null),
    last_attempt: lastAttempt,
    last_error: definition.feed === null && absence ? absence.detail : (state?.lastError ?? null),
    next_attempt: nextAttempt(definition, lastAttempt),
    changed_at: state?.changedAt ?? null,
    seed: state?.seed ?? false,
  };
}

function statusOf({ definition, state, age, absence }: Known): EngineRow["status"] {
  if (absence !== null) {
    const isUntried = absence.status === "error" && definition.feed !== null && !state?.lastAttempt;
    return isUntried ? "never" : absence.status;
  }
  return age?.stale ? "stale" : "ok";
}

/** Only files are looked at again; the seed never changes, and there is no downloading yet. */
function nextAttempt({ engine, feed }: EngineDefinition, lastAttempt: string | null): string | null {
  if (feed?.source.kind !== "file" || engine.disabled !== null || lastAttempt === null) return null;
  const next = new Date(Date.parse(lastAttempt) + engine.refreshMinutes * 60_000);
  return `${next.toISOString().slice(0, 19)}Z`;
}
