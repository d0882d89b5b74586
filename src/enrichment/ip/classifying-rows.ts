import { ageSeconds } from "../../base/clock.ts";
import type { Listings, ListState } from "../../blocklist-index/types.ts";
import { isOver, isStale, type Lifetime } from "../../feeds/list-age.ts";
import { createListRoles } from "./list-roles.ts";

/** State of a list that only classifies: VPN, hosting, free mail and the like. */
export type ClassifyingRow = {
  readonly key: string;
  /** `expired`: it has content, too old to be asked; `never`: no retrieval was tried, and it has no seed. */
  readonly status: "ok" | "stale" | "expired" | "never" | "error";
  readonly entries: number;
  /** Seconds; null without content. */
  readonly dataAgeS: number | null;
  readonly seed: boolean;
  readonly lastError: string | null;
};

/** By key. */
export function classifyingRows(
  lists: readonly { readonly key: string; readonly refreshMinutes: number }[],
  listings: Listings,
  nowMs: number,
): readonly ClassifyingRow[] {
  const keys = new Set(lists.map(({ key }) => key));
  const roles = createListRoles(lists.map((list) => ({ ...list, flags: [], builtin: true }))).of(listings);
  return listings.lists
    .flatMap((state, i) => (keys.has(state.key) ? [rowOf(state, roles[i] ?? null, nowMs)] : []))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1));
}

function rowOf(state: ListState, life: Lifetime | null, nowMs: number): ClassifyingRow {
  const { key, entries, seed, lastError } = state;
  const dataAgeS = life === null ? null : ageSeconds(life.asOfMs, nowMs);
  return { key, status: statusOf(state, life, nowMs), entries, dataAgeS, seed, lastError };
}

function statusOf(
  { lastAttempt, fault }: ListState,
  life: Lifetime | null,
  nowMs: number,
): ClassifyingRow["status"] {
  if (life === null) return lastAttempt === null && (fault ?? null) === null ? "never" : "error";
  if (isOver(life, nowMs)) return "expired";
  return isStale(life, nowMs) ? "stale" : "ok";
}
