import { describe, expect, test } from "vitest";
import { BLACKLISTS_TEXTS } from "./blacklists-views.ts";
import type { Absence, Consultation, Engine, Verdict } from "./kind.ts";
import { coverageOf, detectionRate, reportBlacklists, roundCoverage } from "./report.ts";
import { tallyOf } from "./tally.ts";

const engine = (key: string, more: Partial<Engine> = {}): Engine => ({
  key,
  name: `List ${key}`,
  kind: "feed",
  target: "ip",
  category: "abuse",
  confidence: "medium",
  family: key,
  aggregate: false,
  provider: null,
  reference: null,
  homepage: null,
  builtin: false,
  refreshMinutes: 60,
  disabled: null,
  disabledClass: null,
  licence: null,
  ...more,
});

const verdict = (key: string, more: Partial<Verdict> = {}, engineMore: Partial<Engine> = {}): Verdict => ({
  engine: engine(key, engineMore),
  detected: false,
  matched: null,
  category: "abuse",
  confidence: "medium",
  codes: [],
  reason: null,
  firstSeen: null,
  lastSeen: null,
  dataAgeS: 12,
  stale: false,
  seed: false,
  elapsedMs: 0,
  ...more,
});

const hit = (key: string, value: string, more: Partial<Engine> = {}): Verdict =>
  verdict(key, { detected: true, matched: { value, level: "network" }, reason: 'said "x"' }, more);

const consultation = (more: Partial<Consultation>): Consultation => ({
  verdicts: [],
  absences: [],
  disabled: [],
  allowlists: [],
  scanTimeMs: 3.7,
  cached: false,
  ...more,
});

const absence = (key: string, status: Absence["status"]): Absence => ({
  engine: engine(key),
  status,
  since: "2026-11-21T09:00:00Z",
  detail: "why",
});

const reference = "https://a.example/?q={value}";
const off = engine("d", { disabled: "Repeats other lists of this catalogue", disabledClass: "repeats" });
const own = engine("e", { disabled: "Switched off by the configuration" });
const said = consultation({
  verdicts: [
    hit("a", "192.0.2.0/24", { reference }),
    verdict("b", { stale: true }, { homepage: "https://b.example" }),
  ],
  absences: [absence("c", "stale"), absence("f", "timeout"), absence("g", "stale")],
  disabled: [off, own],
  allowlists: [{ ...hit("h", "192.0.2.0/24", { kind: "allow" }), detected: false, reason: null }],
});
const view = (name: keyof typeof BLACKLISTS_TEXTS, of = said, about = "192.0.2.7"): unknown =>
  JSON.parse(BLACKLISTS_TEXTS[name](reportBlacklists(of, about)));

const counts = {
  detections: 1,
  engines_count: 2,
  detection_rate: "50%",
  scan_time_ms: 3,
  engines_total: 5,
  coverage: 0.2,
};
const disabled = { count: 2, see: "/api/engines" };
const named = {
  name: "List a",
  detected: true,
  reference: "https://a.example/?q=192.0.2.0%2F24",
  elapsed_ms: 0,
  kind: "feed",
  category: "abuse",
  confidence: "medium",
  family: "a",
  matched: { value: "192.0.2.0/24", level: "network" },
  codes: [],
  reason: 'said "x"',
  first_seen: null,
  last_seen: null,
  data_age_s: 12,
  stale: false,
  seed: false,
};
const clear = { name: "List b", detected: false, elapsed_ms: 0, data_age_s: 12, stale: true };
const unavailable = (key: string, status: string) => ({
  ...{ key, name: `List ${key}`, status, detail: "why" },
  since: "2026-11-21T09:00:00Z",
});

describe("the Blacklists object", () => {
  test("in the view standard has all members of engines that name the target, six of the others", () => {
    expect(view("standard")).toEqual({
      ...counts,
      engines: { a: named, b: { ...clear, reference: "https://b.example" } },
      engines_unavailable: [
        unavailable("c", "stale"),
        unavailable("f", "timeout"),
        unavailable("g", "stale"),
      ],
      engines_disabled: disabled,
      allowlists: { h: expect.objectContaining({ kind: "allow", detected: false }) },
    });
  });

  test("in the view full has all members of every engine, and those that are off with their reasons", () => {
    expect(view("full")).toMatchObject({
      ...counts,
      engines: { a: named, b: { ...clear, kind: "feed", family: "b", matched: null, seed: false } },
      engines_disabled: {
        ...disabled,
        engines: [
          { key: "d", name: "List d", class: "repeats", reason: "Repeats other lists of this catalogue" },
          { key: "e", name: "List e", class: null, reason: "Switched off by the configuration" },
        ],
      },
    });
  });

  test("in the view compact has what names the target without empty members, and the keys of the others", () => {
    const { codes: _, first_seen: __, last_seen: ___, stale: ____, seed: _____, family, ...short } = named;
    // Absent: the engine's key.
    expect(family).toBe("a");
    expect(view("compact")).toEqual({
      ...counts,
      engines: { a: short },
      clear: { count: 1, keys: ["b"], stale: ["b"] },
      unanswered: { stale: ["c", "g"], timeout: ["f"] },
      unanswered_since: { stale: "2026-11-21T09:00:00Z", timeout: "2026-11-21T09:00:00Z" },
      engines_disabled: disabled,
      allowlists: { h: expect.objectContaining({ kind: "allow", detected: false }) },
    });
  });

  test.each<[Partial<Engine>, string, string]>([
    [
      { reference, homepage: "https://a.example/" },
      "https://a.example/?q=2001%3Adb8%3A%3A7",
      "https://a.example/",
    ],
    [{ reference }, "https://a.example/?q=2001%3Adb8%3A%3A7", ""],
    [{ homepage: "https://a.example/" }, "https://a.example/", "https://a.example/"],
    [{}, "", ""],
    [{ reference: "https://a.example/all" }, "https://a.example/all", "https://a.example/all"],
  ])("of an engine that does not name the target refers to its own page: case %#", (more, full, standard) => {
    const of = consultation({ verdicts: [verdict("a", {}, more)] });
    const named = { full, standard };
    for (const name of ["full", "standard"] as const) {
      expect(view(name, of, "2001:db8::7")).toMatchObject({ engines: { a: { reference: named[name] } } });
    }
  });

  test("of another target has the same engines as if it were the first, lists and zones alike", () => {
    const misses = [verdict("a", {}, { reference }), verdict("z", { elapsedMs: 4 }, { kind: "dnsbl" })];
    const [first, second] = [consultation({ verdicts: misses }), consultation({ verdicts: misses })];
    expect(view("standard", second, "192.0.2.8")).toEqual(view("standard", first, "192.0.2.9"));
    const later = misses.map((miss) => ({ ...miss, dataAgeS: 13 }));
    expect(view("standard", consultation({ verdicts: later }))).toMatchObject({
      engines: { a: { data_age_s: 13 }, z: { data_age_s: 13 } },
    });
  });
});

test.each([
  [0, 0, "0%"],
  [0, 5, "0%"],
  [5, 5, "100%"],
  [1, 300, "1%"],
  [299, 300, "99%"],
  [1, 8, "13%"],
  [1, 3, "33%"],
])("detectionRate(%i, %i) is %s", (detections, count, rate) => {
  expect(detectionRate(detections, count)).toBe(rate);
});

test("coverage counts fresh answers among enabled engines, half up to two decimals", () => {
  const coverage = (said: Parameters<typeof tallyOf>[0]) => coverageOf(tallyOf(said));
  expect(coverage({ verdicts: [], absences: [] })).toBe(0);
  const verdicts = [verdict("a"), verdict("b", { stale: true })];
  expect(coverage({ verdicts, absences: [absence("c", "timeout")] })).toBe(1 / 3);
  expect(roundCoverage(0.285)).toBe(0.29);
  expect(roundCoverage(1 / 3)).toBe(0.33);
});
