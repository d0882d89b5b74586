import { expect, test } from "vitest";
import { DAY_MS } from "../../base/durations.ts";
import type { ListState } from "../../blocklist-index/types.ts";
import { classifyingRows } from "./classifying-rows.ts";

const NOW = Date.parse("2026-11-22T12:00:00Z");

const state = (key: string, extra: Partial<ListState>): ListState => ({
  key,
  entries: 10,
  dropped: 0,
  seed: false,
  retrievedAt: null,
  publishedAt: null,
  changedAt: null,
  lastAttempt: null,
  lastError: null,
  loaded: true,
  contentHash: null,
  families: ["v4"],
  ...extra,
});
const daysAgo = (days: number): string => new Date(NOW - days * DAY_MS).toISOString();

const listingsOf = (lists: readonly ListState[]) => ({
  lists,
  fingerprint: "x",
  findIpv4: () => [],
  findIpv6: () => [],
  findAsn: () => [],
  findName: () => [],
  findException: () => [],
  findUrl: () => [],
  bytes: 0,
});

test("classifyingRows() tells the lists that are asked from those that are not, and leaves engines out", () => {
  const listings = listingsOf([
    state("young", { retrievedAt: daysAgo(0.5) }),
    state("stale", { retrievedAt: daysAgo(6), lastError: "The server answered 503" }),
    state("engine", { retrievedAt: daysAgo(1) }),
    state("dead", { retrievedAt: daysAgo(30) }),
    state("seed", { seed: true, publishedAt: daysAgo(92) }),
    state("old_seed", { seed: true, publishedAt: daysAgo(401) }),
    state("empty", { loaded: false, entries: 0 }),
    state("failed", {
      loaded: false,
      entries: 0,
      lastAttempt: daysAgo(1),
      lastError: "The server answered 503",
    }),
    state("refused", { loaded: false, entries: 0, fault: "No row of the list was understood" }),
  ]);
  const keys = ["young", "stale", "dead", "seed", "old_seed", "empty", "failed", "refused"];
  const lists = keys.map((key) => ({ key, refreshMinutes: 1440 }));
  const rows = classifyingRows(lists, listings, NOW);
  expect(rows.map(({ key, status, dataAgeS }) => [key, status, dataAgeS])).toEqual([
    ["dead", "expired", 30 * 86_400],
    ["empty", "never", null],
    ["failed", "error", null],
    ["old_seed", "expired", 401 * 86_400],
    ["refused", "error", null],
    ["seed", "stale", 92 * 86_400],
    ["stale", "stale", 6 * 86_400],
    ["young", "ok", 43_200],
  ]);
  expect(rows.find(({ key }) => key === "stale")?.lastError).toBe("The server answered 503");
});
