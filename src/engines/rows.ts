import { z } from "zod";
import { nullable, type Wire } from "../base/wire.ts";
import { LISTED_KINDS } from "../targets/listed-kinds.ts";
import type { EngineStanding } from "./applicability.ts";
import type { EngineDefinition } from "./definitions.ts";
import type { ZoneStanding } from "./dnsbl/zone.ts";
import { UNAVAILABLE_STATUSES } from "./kind.ts";

/** One row of `feeds list --json`. Source: design 3.4. */
export const EngineRowShape = z.object({
  key: z.string(),
  name: z.string(),
  kind: z.enum(["feed", "dnsbl", "allow"]),
  target: z.enum(LISTED_KINDS),
  status: z
    .enum(["ok", "never", "disabled", "gone", ...UNAVAILABLE_STATUSES])
    .describe("`gone`: the publisher has not had it for a week"),
  entries: z.int(),
  dropped: z.int(),
  data_age_s: z.int().nullable(),
  last_success: nullable,
  last_attempt: nullable,
  last_error: nullable,
  next_attempt: nullable,
  changed_at: nullable,
  seed: z.boolean(),
});
export type EngineRow = Wire<typeof EngineRowShape>;

type Known = Omit<EngineStanding, "miss">;

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
    last_error: errorOf(known),
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

function errorOf({ definition, state }: Known): string | null {
  if (state?.trouble !== "gone") return state?.lastError ?? null;
  const { replacedBy } = definition;
  return `The publisher has removed the list${replacedBy === null ? "" : `; "${replacedBy}" replaces it`}`;
}

function statusOf({ definition, state, age, absence }: Known): EngineRow["status"] {
  if (definition.engine.disabled !== null) return "disabled";
  if (state?.trouble === "key_refused") return "refused";
  if (state?.trouble === "gone") return "gone";
  if (absence !== null) {
    const isUntried =
      absence.status === "error" && definition.feed !== null && !state?.lastAttempt && !state?.fault;
    return isUntried ? "never" : absence.status;
  }
  return age?.stale ? "stale" : "ok";
}
