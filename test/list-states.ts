import type { ListState } from "../src/blocklist-index/types.ts";

/** A list of addresses as the configuration has it, asked every hour. */
export const list = (key: string, more: object = {}) => ({
  ...{ key, target: "ip", format: "plain", url: "https://l.example/a", refresh_minutes: 60 },
  ...more,
});

/** The state of a list of one address. */
export const state = (key: string, retrievedAt: string | null, more: Partial<ListState> = {}): ListState => ({
  ...{ key, entries: 1, dropped: 0, seed: false, retrievedAt, publishedAt: null, changedAt: retrievedAt },
  ...{ lastAttempt: retrievedAt, lastError: null, loaded: true, contentHash: null, families: ["v4"] },
  ...more,
});
