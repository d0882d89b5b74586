import { expect, test } from "vitest";
import { list, state } from "../../test/list-states.ts";
import { DAY_MS } from "../base/durations.ts";
import { emptyListings } from "../blocklist-index/open-index.ts";
import type { Listings, ListState } from "../blocklist-index/types.ts";
import { defineEngines } from "../engines/definitions.ts";
import { allowlistsOptionsSchema, enginesOptionsSchema } from "../engines/options.ts";
import { feedOfNetworkList } from "../enrichment/classifying-lists.ts";
import { loadNetworkLists } from "../enrichment/ip/networks.ts";
import { answeringLists } from "./answering-lists.ts";

const T0 = Date.parse("2026-11-21T12:00:00Z");
const at = (days: number): string => new Date(T0 + days * DAY_MS).toISOString();

const definitions = defineEngines({
  engines: enginesOptionsSchema.parse({
    builtin: false,
    feeds: [list("hourly"), list("monthly", { refresh_minutes: 43_200 }), list("off", { enabled: false })],
  }),
  allowlists: allowlistsOptionsSchema.parse([list("ours")]),
});
const classifying = loadNetworkLists().map(feedOfNetworkList).slice(0, 1);
const range = classifying[0]?.key ?? "";

const listings = (...lists: ListState[]): Listings => ({ ...emptyListings(), lists });

test.each([
  ["what was just retrieved", 0, ["hourly", "monthly", "ours", range]],
  ["a stale list", 6, ["hourly", "monthly", "ours", range]],
  ["an expired list, and an allowlist", 8, ["monthly", range]],
  ["a daily list of ranges that expired", 30, ["monthly"]],
  ["the last one", 721, []],
])("%s: after %d days answer %j", (_what, days, expected) => {
  const all = listings(...["hourly", "monthly", "off", "ours", range].map((key) => state(key, at(0))));
  expect(answeringLists({ definitions, classifying }, all, T0 + days * DAY_MS)).toEqual(expected.toSorted());
});

test("a list that is retrieved again answers again; one without content never does", () => {
  const nowMs = T0 + 40 * DAY_MS;
  const all = listings(state("hourly", at(40)), state("ours", null, { loaded: false }), state(range, at(0)));
  expect(answeringLists({ definitions, classifying }, all, nowMs)).toEqual(["hourly"]);
});
