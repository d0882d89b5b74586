import type { Budget } from "./budget.ts";

const shown = { better: "lower", must: null, aim: null } as const;

const atMost = (must: number, aim: number) => ({ better: "lower", must, aim }) as const;
const atLeast = (must: number, aim: number) => ({ better: "higher", must, aim }) as const;

const of = (row: string, figures: readonly Omit<Budget, "row">[]): readonly Budget[] =>
  figures.map((figure) => ({ row, ...figure }));

const waitsFor = (key: string, what: string): readonly Omit<Budget, "row">[] => [
  {
    key: `one_waits_for_${key}`,
    figure: `% of the running statements that wait ${what}, one process`,
    unit: "",
    ...shown,
  },
  { key: `two_wait_for_${key}`, figure: "the same, two processes", unit: "", ...shown },
];

const pauseOf = (family: string, what: string): Omit<Budget, "row"> => ({
  key: `pause_${family}_ms`,
  figure: `longest pause of the event loop: ${what}`,
  unit: "ms",
  ...atMost(50, 20),
});

/** Every figure of the bench in the order of the table. Ratios are the result; absolute figures hold for one machine. */
export const BUDGETS: readonly Budget[] = [
  ...of("check-ip", [
    { key: "cpu_vs_bare", figure: "CPU per call / bare node:http echo", unit: "x", ...atMost(4, 3) },
    { key: "vs_bare", figure: "calls per second / bare echo", unit: "x", ...atLeast(0.24, 0.33) },
    {
      key: "vs_full",
      figure: "calls per second / node:http that only stringifies the same report",
      unit: "x",
      ...atLeast(0.8, 1.2),
    },
    { key: "p99_vs_bare", figure: "p99 at 64 connections / bare echo", unit: "x", ...atMost(5, 3) },
    {
      key: "compact_cpu",
      figure: "view=compact: CPU per call / the default view",
      unit: "x",
      ...atMost(0.9, 0.8),
    },
    {
      key: "verdict_cpu",
      figure: "view=verdict: CPU per call / the default view",
      unit: "x",
      ...atMost(0.8, 0.7),
    },
    { key: "charged_per_200", figure: "credits in the history per 200", unit: "", ...atMost(1.03, 1) },
    { key: "calls_per_s", figure: "calls per second, one core", unit: "per s", ...shown },
    { key: "cpu_us", figure: "CPU per call", unit: "µs", ...shown },
    { key: "bare_cpu_us", figure: "CPU per call: bare echo", unit: "µs", ...shown },
    { key: "full_cpu_us", figure: "CPU per call: stringified report", unit: "µs", ...shown },
  ]),
  ...of("fresh", [
    {
      key: "repeated_cpu",
      figure: "addresses seen before: CPU per call / bare echo",
      unit: "x",
      ...atMost(4, 3),
    },
    {
      key: "nameless_cpu",
      figure: "every address new, without a reverse name: CPU per call / bare echo",
      unit: "x",
      ...atMost(8, 5),
    },
    {
      key: "nameless_rate",
      figure: "the same: calls per second / bare echo",
      unit: "x",
      ...atLeast(0.12, 0.2),
    },
    {
      key: "named_cpu",
      figure: "every address new, with a reverse name that is confirmed: CPU per call / bare echo",
      unit: "x",
      ...atMost(8, 5),
    },
    { key: "named_rate", figure: "the same: calls per second / bare echo", unit: "x", ...atLeast(0.12, 0.2) },
    { key: "named_p99", figure: "the same: p99 / bare echo", unit: "x", ...atMost(12, 6) },
    {
      key: "zoned_cpu",
      figure: "every address new, 10 DNS blacklists: CPU per call / bare echo",
      unit: "x",
      ...atMost(30, 15),
    },
    { key: "zoned_per_s", figure: "the same: calls per second", unit: "per s", ...shown },
    {
      key: "failing_cpu",
      figure: "a resolver that answers SERVFAIL: CPU per call / addresses seen before",
      unit: "x",
      ...atMost(1.2, 1.05),
    },
    {
      key: "silent_cpu",
      figure: "a silent resolver: CPU per call / addresses seen before",
      unit: "x",
      ...atMost(1.2, 1.05),
    },
    { key: "silent_rate", figure: "the same: calls per second / addresses seen before", unit: "x", ...shown },
    { key: "fresh_echo_cpu_us", figure: "CPU per call: bare echo", unit: "µs", ...shown },
    { key: "repeated_cpu_us", figure: "CPU per call: addresses seen before", unit: "µs", ...shown },
    { key: "nameless_cpu_us", figure: "CPU per call: new, without a name", unit: "µs", ...shown },
    { key: "named_cpu_us", figure: "CPU per call: new, with a name", unit: "µs", ...shown },
    { key: "zoned_cpu_us", figure: "CPU per call: new, 10 DNS blacklists", unit: "µs", ...shown },
  ]),
  ...of("gate", [
    {
      key: "gate_cpu_vs_bare",
      figure: "CPU per question / bare node:http echo",
      unit: "x",
      ...atMost(1.3, 1.1),
    },
    { key: "gate_p99_ms", figure: "p99 at 2,000 questions a second", unit: "ms", ...atMost(5, 1.5) },
    {
      key: "gate_swap_p99_ms",
      figure: "the same while the index is rebuilt and swapped",
      unit: "ms",
      ...atMost(5, 1.5),
    },
    { key: "gate_calls_per_s", figure: "questions per second, one core", unit: "per s", ...shown },
    { key: "gate_cpu_us", figure: "CPU per question", unit: "µs", ...shown },
    { key: "gate_bare_cpu_us", figure: "CPU per call: bare echo", unit: "µs", ...shown },
  ]),
  ...of("gate-nginx", [
    {
      key: "nginx_p99_added_ms",
      figure: "a page behind nginx, 2,000 a second: p99 that the gate adds to that of a bare one",
      unit: "ms",
      ...atMost(1.5, 0.5),
    },
    { key: "nginx_p99_ms", figure: "the same: p99 with the gate", unit: "ms", ...shown },
    { key: "nginx_bare_p99_ms", figure: "the same: p99 with the bare one", unit: "ms", ...shown },
  ]),
  ...of("index", [
    {
      key: "text_to_engines_ns",
      figure: "text of an address to its engines, 60 lists",
      unit: "ns",
      ...atMost(1000, 600),
    },
    { key: "sets_over_index", figure: "60 Sets and sorted ranges / index", unit: "x", ...shown },
    { key: "mmdb_over_index", figure: "mmdb-lib with 200,000 of the entries / index", unit: "x", ...shown },
    {
      key: "block_list_over_index",
      figure: "net.BlockList with 20,000 of the entries / index",
      unit: "x",
      ...shown,
    },
    { key: "bytes_per_ipv4", figure: "bytes per IPv4 entry", unit: "bytes", ...atMost(8, 6) },
    { key: "bytes_per_ipv6", figure: "bytes per IPv6 entry", unit: "bytes", ...atMost(20, 11) },
  ]),
  ...of("start", [
    { key: "first_start_s", figure: "serve to the first 200, very first start", unit: "s", ...atMost(6, 4) },
    {
      key: "start_s",
      figure: "serve to the first 200, existing data folder",
      unit: "s",
      ...atMost(1.5, 0.6),
    },
    { key: "rest_mb", figure: "memory at rest with the seed (RSS)", unit: "MB", ...atMost(320, 250) },
  ]),
  ...of("restart", [
    {
      key: "restart_over_steady",
      figure: "calls per second in the first 10 s after a restart under full load / later on",
      unit: "x",
      ...atLeast(0.5, 0.75),
    },
    { key: "restart_per_s", figure: "calls per second in the first 10 s", unit: "per s", ...shown },
    { key: "steady_per_s", figure: "calls per second later on", unit: "per s", ...shown },
  ]),
  ...of("update", [
    {
      key: "update_p99_ratio",
      figure: "p99 of check-ip, 200 a second, while the index is rebuilt and swapped / before",
      unit: "x",
      ...atMost(2.5, 1.5),
    },
    { key: "update_p99_ms", figure: "the same p99", unit: "ms", ...shown },
    { key: "update_max_ms", figure: "its slowest call", unit: "ms", ...atMost(60, 40) },
    { key: "update_s", figure: "changed file to swapped index", unit: "s", ...atMost(12, 6) },
    {
      key: "loaded_start_s",
      figure: "restart to the first 200 with these lists",
      unit: "s",
      ...atMost(1.5, 0.6),
    },
  ]),
  ...of("unchanged", [
    {
      key: "unchanged_cpu_vs_bare",
      figure: "an export that has not changed (304): CPU per call / bare node:http echo",
      unit: "x",
      ...atMost(1.2, 1),
    },
    { key: "unchanged_cpu_us", figure: "CPU per call", unit: "µs", ...shown },
    { key: "unchanged_bare_cpu_us", figure: "CPU per call: bare echo", unit: "µs", ...shown },
  ]),
  ...of("exports", [
    {
      key: "exports_s",
      figure: "build of three exports, per million entries of them: the first",
      unit: "s",
      ...atMost(1, 0.5),
    },
    { key: "exports_again_s", figure: "the same when nothing has changed", unit: "s", ...atMost(1, 0.5) },
    { key: "exports_entries", figure: "entries of the three", unit: "", ...shown },
    {
      key: "exports_p99_ratio",
      figure: "p99 of check-ip, 200 a second, while exports are built of a changed list / before",
      unit: "x",
      ...atMost(2.5, 1.5),
    },
  ]),
  ...of("charges", [
    {
      key: "group_over_each",
      figure: "charges in groups / one commit each, SQLite",
      unit: "x",
      ...atLeast(8, 14),
    },
    { key: "group_over_each_hot", figure: "the same, all from one account", unit: "x", ...atLeast(8, 14) },
    { key: "charges_per_s", figure: "charges in groups, SQLite", unit: "per s", ...shown },
    {
      key: "postgres_group_over_each",
      figure: "charges in groups / one commit each, PostgreSQL",
      unit: "x",
      ...atLeast(5, 9),
    },
    { key: "postgres_charges_per_s", figure: "charges in groups, PostgreSQL", unit: "per s", ...shown },
  ]),
  ...of("databases", [
    {
      key: "postgres_cpu_over_sqlite",
      figure: "CPU of the service per charged call: PostgreSQL / SQLite",
      unit: "x",
      ...atMost(1.2, 1.1),
    },
    {
      key: "postgres_rate_over_sqlite",
      figure: "calls per second: PostgreSQL on the other core / SQLite",
      unit: "x",
      ...atLeast(0.6, 0.8),
    },
    { key: "sqlite_per_s", figure: "calls per second, SQLite", unit: "per s", ...shown },
    { key: "postgres_per_s", figure: "calls per second, PostgreSQL", unit: "per s", ...shown },
  ]),
  ...of("processes", [
    {
      key: "two_over_one",
      figure: "CPU per charged call: two processes on PostgreSQL and Valkey / one",
      unit: "x",
      ...atMost(1.15, 1.05),
    },
    { key: "one_process_cpu_us", figure: "CPU per charged call, one process", unit: "µs", ...shown },
    { key: "two_processes_cpu_us", figure: "CPU per charged call, two processes", unit: "µs", ...shown },
    { key: "one_process_per_s", figure: "calls per second, one process", unit: "per s", ...shown },
    {
      key: "two_processes_per_s",
      figure: "calls per second, two processes on the same processor",
      unit: "per s",
      ...shown,
    },
    {
      key: "two_wait_for_each_other",
      figure: "% of its time that each of two processes waits for a lock of the other's",
      unit: "",
      ...atMost(5, 2),
    },
    ...waitsFor("locks", "for a lock"),
    ...waitsFor("latches", "for PostgreSQL's own structures (LWLock)"),
    ...waitsFor("disk", "for the disk"),
  ]),
  ...of("lookups", [
    {
      key: "slow_p99_ratio",
      figure: "p99 of check-ip beside 1,000 lookups at a slow server / alone",
      unit: "x",
      ...atMost(1.5, 1.2),
    },
  ]),
  ...of("bulk", [
    {
      key: "bulk_over_single",
      figure: "bulk of 100 addresses / one call, warm caches",
      unit: "x",
      ...atMost(4, 2),
    },
    {
      key: "singles_over_bulk",
      figure: "100 single calls in turn / a bulk of them",
      unit: "x",
      ...atLeast(12, 16),
    },
    {
      key: "bulk_beside_p99",
      figure: "p99 of check-ip beside bulks of 100 / alone",
      unit: "x",
      ...atMost(4, 2.5),
    },
  ]),
  ...of("check-file", [
    {
      key: "lines_per_s",
      figure: "lines per second of a file of 10,000, from local lists alone",
      unit: "per s",
      ...atLeast(2000, 4000),
    },
    { key: "file_peak_mb", figure: "the same: peak of resident memory", unit: "MB", ...shown },
    { key: "file_growth", figure: "that peak for 50,000 lines / for 10,000", unit: "x", ...atMost(1.3, 1.1) },
  ]),
  ...of("pages", [
    { key: "page_1_mb_ms", figure: "CPU of reading a page of 1 MB", unit: "ms", ...atMost(150, 75) },
    {
      key: "page_5_mb_nested_ms",
      figure: "CPU of reading 5 MB of nested tags",
      unit: "ms",
      ...atMost(1000, 300),
    },
    { key: "whois_1_mb_ms", figure: "CPU of reading 1 MB of WHOIS", unit: "ms", ...atMost(1000, 300) },
  ]),
  ...of("web", [
    { key: "docs_kb", figure: "sent for the heaviest page of /docs (kB)", unit: "", ...atMost(150, 60) },
    { key: "docs_usable_s", figure: "/docs usable on a throttled phone", unit: "s", ...atMost(2, 1.5) },
    { key: "feeds_paint_s", figure: "/app/feeds, largest paint on it", unit: "s", ...atMost(2.5, 2) },
    { key: "feeds_nodes", figure: "/app/feeds, elements", unit: "", ...atMost(2500, 1500) },
  ]),
  ...of("hostile", [
    pauseOf("bodies", "bodies of 1 MiB that are JSON or nearly"),
    pauseOf("dashboard", "bodies of the pages' interface"),
    pauseOf("urls", "URLs of 4,096 characters, single and a hundred at once"),
    pauseOf("emails", "e-mail addresses of 320 characters, the same"),
    pauseOf("names", "domain names of 1,024 characters, the same"),
    pauseOf("txt", "TXT records of 60 KB"),
    pauseOf("policies", "SPF, DMARC, BIMI, MTA-STS, TLS-RPT of 60 KB"),
    pauseOf("ptr", "250 PTR records"),
    pauseOf("whois", "WHOIS answers of 1 MiB"),
    pauseOf("rdap", "RDAP answers of 1 MiB"),
    pauseOf("pages", "pages of 5 MB"),
    pauseOf("headers", "64 KiB of headers and cookies, ten redirects"),
    pauseOf("certificates", "a certificate of 1,000 names"),
    pauseOf("lists", "a list of awkward lines, swapped in"),
  ]),
  ...of("rates", [
    {
      key: "known_good_below_20",
      figure: "known good that no source lists: below 20",
      unit: "%",
      ...atLeast(99.95, 100),
    },
    {
      key: "guarded_below_50",
      figure: "what must not be called malicious: below 50",
      unit: "%",
      ...atLeast(100, 100),
    },
    {
      key: "ipsum_5_reached_50",
      figure: "what five lists name, fresh: 50 or more",
      unit: "%",
      ...atLeast(100, 100),
    },
  ]),
  ...of("tables", [
    {
      key: "routes_compile_s",
      figure: "1.1 M IPv4 and 0.25 M IPv6 routes, 100,000 names: compiled in the child",
      unit: "s",
      ...atMost(6, 4),
    },
    { key: "routes_judge_s", figure: "the IPv4 dump as it came: judged in the child", unit: "s", ...shown },
    { key: "routes_memory_mb", figure: "memory of the service with them", unit: "MB", ...atMost(60, 30) },
    {
      key: "route_lookup_ns",
      figure: "address to its route and origins, processor time",
      unit: "ns",
      ...atMost(1000, 600),
    },
  ]),
];
