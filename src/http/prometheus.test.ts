import { expect, test } from "vitest";
import { readMetrics } from "../../test/metrics-page.ts";
import { createBudget } from "../net/budget.ts";
import { partyOfAccount } from "../net/party.ts";
import { createPrometheus, type MetricsSources } from "./prometheus.ts";

const SOURCES: MetricsSources = {
  engines: () => [
    { key: "fresh_list", entries: 1234, data_age_s: 60, status: "ok" },
    { key: "lost_list", entries: 0, data_age_s: null, status: "never" },
  ],
  tables: () => [
    { key: "table-city", entries: null, dataAgeS: 90, status: "stale" },
    { key: "table-as-names", entries: 7, dataAgeS: null, status: "never" },
  ],
  isDatabaseReachable: async () => true,
  areLimitsShared: () => null,
  missingParts: () => [],
  budgets: [],
  exports: { names: [], find: () => null, bouncersOf: () => [] },
};

const engine = (key: string, kind: "feed" | "dnsbl" = "feed") => ({ key, kind });

test("every answer of an engine is counted by its outcome, and only live answers of zones by their time", async () => {
  const { metrics, page } = createPrometheus({ version: "1.2.3" });
  const consultation = {
    verdicts: [
      { engine: engine("a_list"), detected: true, elapsedMs: 0 },
      { engine: engine("a_zone", "dnsbl"), detected: false, elapsedMs: 20 },
      { engine: engine("kept_zone", "dnsbl"), detected: false, elapsedMs: 0 },
    ],
    absences: [
      { engine: engine("b_zone", "dnsbl"), status: "timeout" },
      { engine: engine("c_zone", "dnsbl"), status: "refused" },
    ],
  };
  metrics.consulted(consultation);
  metrics.consulted({
    ...consultation,
    verdicts: [{ engine: engine("a_list"), detected: false, elapsedMs: 0 }],
  });
  // A scrape changes nothing.
  await page(SOURCES);
  const value = readMetrics(await page(SOURCES));
  expect(value('repute_engine_answers_total{engine="a_list",outcome="detected"}')).toBe(1);
  expect(value('repute_engine_answers_total{engine="a_list",outcome="clear"}')).toBe(1);
  expect(value('repute_engine_answers_total{engine="a_zone",outcome="clear"}')).toBe(1);
  expect(value('repute_engine_answers_total{engine="b_zone",outcome="timeout"}')).toBe(2);
  expect(value('repute_engine_answers_total{engine="c_zone",outcome="refused"}')).toBe(2);
  expect(value('repute_zone_answer_seconds_count{engine="a_zone"}')).toBe(1);
  expect(value('repute_zone_answer_seconds_bucket{le="0.01",engine="a_zone"}')).toBe(0);
  expect(value('repute_zone_answer_seconds_bucket{le="0.025",engine="a_zone"}')).toBe(1);
  expect(value('repute_zone_answer_seconds_count{engine="kept_zone"}')).toBeUndefined();
});

test("attempts at lists, and the indexes made of them, are counted with their time", async () => {
  const { metrics, page } = createPrometheus({ version: "1.2.3" });
  expect(readMetrics(await page(SOURCES))('repute_index_builds_total{outcome="failed"}')).toBe(0);
  metrics.tried("a_list", "ok");
  metrics.tried("a_list", "failed");
  metrics.tried("a_list", "failed");
  metrics.compiled(1500, "ok");
  metrics.compiled(10, "failed");
  const value = readMetrics(await page(SOURCES));
  expect(value('repute_list_tries_total{list="a_list",outcome="ok"}')).toBe(1);
  expect(value('repute_list_tries_total{list="a_list",outcome="failed"}')).toBe(2);
  expect(value('repute_index_builds_total{outcome="ok"}')).toBe(1);
  expect(value('repute_index_builds_total{outcome="failed"}')).toBe(1);
  expect(value("repute_index_build_seconds_sum")).toBe(1.5);
});

test("looks into each cache are counted apart", async () => {
  const { metrics, page } = createPrometheus({ version: "1.2.3" });
  const [reverse, zones] = [metrics.cache("reverse_dns"), metrics.cache("zones")];
  for (const isKept of [false, true, true]) reverse(isKept);
  zones(false);
  await page(SOURCES);
  const value = readMetrics(await page(SOURCES));
  expect(value('repute_cache_looks_total{cache="reverse_dns",outcome="kept"}')).toBe(2);
  expect(value('repute_cache_looks_total{cache="reverse_dns",outcome="asked"}')).toBe(1);
  expect(value('repute_cache_looks_total{cache="zones",outcome="kept"}')).toBe(0);
  expect(value('repute_cache_looks_total{cache="zones",outcome="asked"}')).toBe(1);
});

test("the page shows the engines as they are when it is made", async () => {
  const { page } = createPrometheus({ version: "1.2.3" });
  const before = readMetrics(await page(SOURCES));
  expect(before('repute_build_info{version="1.2.3"}')).toBe(1);
  expect(before('repute_engine_entries{engine="fresh_list"}')).toBe(1234);
  expect(before('repute_engine_data_age_seconds{engine="fresh_list"}')).toBe(60);
  expect(before('repute_engine_data_age_seconds{engine="lost_list"}')).toBeUndefined();
  expect(before('repute_engine_status{engine="lost_list",status="never"}')).toBe(1);
  expect(before('repute_table_data_age_seconds{table="table-city"}')).toBe(90);
  expect(before('repute_table_entries{table="table-city"}')).toBeUndefined();
  expect(before('repute_table_entries{table="table-as-names"}')).toBe(7);
  expect(before('repute_table_data_age_seconds{table="table-as-names"}')).toBeUndefined();
  expect(before('repute_table_status{table="table-city",status="stale"}')).toBe(1);
  expect(before("repute_database_reachable")).toBe(1);
  expect(before("repute_limits_shared")).toBe(1);
  const after = readMetrics(
    await page({
      engines: () => [{ key: "lost_list", entries: 5, data_age_s: 1, status: "ok" }],
      tables: () => [{ key: "table-city", entries: 3, dataAgeS: 1, status: "ok" }],
      isDatabaseReachable: async () => false,
      areLimitsShared: () => false,
      missingParts: () => ["lists"],
      budgets: [],
      exports: { names: [], find: () => null, bouncersOf: () => [] },
    }),
  );
  expect(after('repute_engine_entries{engine="fresh_list"}')).toBeUndefined();
  expect(after('repute_engine_status{engine="lost_list",status="never"}')).toBeUndefined();
  expect(after('repute_engine_status{engine="lost_list",status="ok"}')).toBe(1);
  expect(after('repute_table_status{table="table-city",status="stale"}')).toBeUndefined();
  expect(after('repute_table_entries{table="table-city"}')).toBe(3);
  expect(after("repute_database_reachable")).toBe(0);
  expect(after("repute_limits_shared")).toBe(0);
  expect(after("repute_ready")).toBe(0);
});

test("calls are counted by endpoint and status, free ones apart, with what they cost and what is under way", async () => {
  const { metrics, page } = createPrometheus({ version: "1.2.3" });
  const call = { kind: "metered", endpoint: "check-ip", elapsedMs: 4 } as const;
  for (let i = 0; i < 4; i++) metrics.began();
  metrics.ended({ ...call, status: 200, creditsCharged: 2 });
  metrics.ended({ ...call, status: 402, creditsCharged: 0 });
  metrics.ended({ ...call, kind: "free", endpoint: "/api/free/check-ip", status: 429, creditsCharged: 0 });
  const value = readMetrics(await page(SOURCES));
  expect(value('repute_calls_total{endpoint="check-ip",status="200"}')).toBe(1);
  expect(value('repute_calls_total{endpoint="check-ip",status="402"}')).toBe(1);
  expect(value('repute_free_calls_total{endpoint="/api/free/check-ip",status="429"}')).toBe(1);
  expect(value('repute_credits_charged_total{endpoint="check-ip"}')).toBe(2);
  expect(value('repute_call_seconds_bucket{le="0.005",endpoint="check-ip"}')).toBe(2);
  expect(value("repute_calls_in_flight")).toBe(1);
});

test("budgets show what is held, what waits and what was refused, and name no account", async () => {
  const { page } = createPrometheus({ version: "1.2.3" });
  const budget = createBudget({ capacity: 4, maxWaiting: 1 });
  const request = { party: partyOfAccount("who"), amount: 3, signal: new AbortController().signal };
  for (let i = 0; i < 4; i++) void budget.acquire(request);
  const sources = { ...SOURCES, budgets: [{ name: "dns", budget }] };
  await page(sources);
  const text = await page(sources);
  const value = readMetrics(text);
  expect(value('repute_budget_capacity{budget="dns"}')).toBe(4);
  expect(value('repute_budget_held{budget="dns"}')).toBe(3);
  expect(value('repute_budget_waiting{budget="dns"}')).toBe(1);
  expect(value('repute_budget_refused_total{budget="dns"}')).toBe(2);
  expect(text).not.toContain("who");
});
