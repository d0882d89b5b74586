import { expect, test } from "vitest";
import { type FeedState, NEVER_TRIED } from "../feeds/state.ts";
import { tableRows } from "./table-rows.ts";
import { defineTables, PUBLISHED_TABLES } from "./tables.ts";

const NOW_MS = Date.parse("2026-11-23T12:00:00Z");
const SHIPPED = { city: "2026-06-05T00:00:00Z", routes_ipv4: null, routes_ipv6: null, as_names: null };
const urls = {
  city: PUBLISHED_TABLES.city.url,
  routes_ipv4: PUBLISHED_TABLES.routes_ipv4.url,
  routes_ipv6: null,
  as_names: "https://mirror.example/asn.txt",
};
const retrieved: FeedState = {
  ...NEVER_TRIED,
  contentHash: "a".repeat(64),
  entries: 5,
  retrievedAt: "2026-11-23T11:00:00Z",
};

const rowOf = (key: string, state: FeedState | null) =>
  tableRows(defineTables(urls), (asked) => (asked === key ? state : null), SHIPPED, NOW_MS).find(
    (row) => row.key === key,
  );

test("tables from elsewhere than their publisher are the operator's, and those without a URL are none", () => {
  expect(defineTables(urls).map(({ key, builtin, minEntries }) => [key, builtin, minEntries > 1])).toEqual([
    ["table-city", true, true],
    ["table-routes-ipv4", true, true],
    ["table-as-names", false, false],
  ]);
});

test("a table that was never retrieved is the shipped one, or none", () => {
  expect(rowOf("table-city", null)).toMatchObject({ status: "stale", seed: true, entries: null });
  expect(rowOf("table-routes-ipv4", null)).toMatchObject({ status: "never", seed: false, dataAgeS: null });
  const failed = {
    ...NEVER_TRIED,
    lastAttempt: "2026-11-23T11:00:00Z",
    lastError: "The server answered 503",
  };
  expect(rowOf("table-routes-ipv4", failed)).toMatchObject({ status: "error", lastError: failed.lastError });
});

test("a table is as old as its publisher says, in the file or by its date, else as its retrieval", () => {
  const age = (state: Partial<FeedState>) => rowOf("table-routes-ipv4", { ...retrieved, ...state })?.dataAgeS;
  expect(age({})).toBe(3600);
  expect(age({ lastModified: "Mon, 23 Nov 2026 08:00:00 GMT" })).toBe(4 * 3600);
  expect(age({ lastModified: "Tue, 24 Nov 2026 08:00:00 GMT" })).toBe(3600);
  expect(age({ publishedAt: "2026-11-23T00:00:00Z" })).toBe(12 * 3600);
});

test.each([
  ["table-city", "2026-10-15T00:00:00Z", "ok"],
  ["table-city", "2026-10-01T00:00:00Z", "stale"],
  ["table-routes-ipv4", "2026-11-22T13:00:00Z", "ok"],
  ["table-routes-ipv4", "2026-11-22T11:00:00Z", "stale"],
])("%s of %s is %s", (key, publishedAt, status) => {
  expect(rowOf(key, { ...retrieved, publishedAt })).toMatchObject({ status, seed: false, entries: 5 });
});
