import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { stringify } from "../json.ts";
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
  reference: null,
  homepage: null,
  builtin: false,
  refreshMinutes: 60,
  disabled: null,
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
  allowlists: [],
  scanTimeMs: 3.7,
  cached: false,
  ...more,
});

const absence = (key: string, status: Absence["status"]): Absence => ({
  engine: engine(key),
  status,
  since: status === "disabled" ? null : "2026-11-21T09:00:00Z",
  detail: "why",
});

describe("reportBlacklists()", () => {
  test("writes a detection out as the interface has it", () => {
    const verdicts = [hit("a", "192.0.2.0/24", { reference: "https://a.example/?q={value}" }), verdict("b")];
    const absences = [absence("c", "stale"), absence("d", "disabled")];
    const report = reportBlacklists(consultation({ verdicts, absences }), "192.0.2.7");
    expect(JSON.parse(JSON.stringify(report))).toEqual({
      engines: {
        a: {
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
        },
        b: expect.objectContaining({ detected: false, matched: null, reference: "" }),
      },
      detections: 1,
      engines_count: 2,
      detection_rate: "50%",
      scan_time_ms: 3,
      engines_unavailable: [
        { key: "c", name: "List c", status: "stale", since: "2026-11-21T09:00:00Z", detail: "why" },
        { key: "d", name: "List d", status: "disabled", since: null, detail: "why" },
      ],
      engines_total: 3,
      coverage: 0.67,
      allowlists: {},
    });
  });

  test.each<[Partial<Engine>, string, string]>([
    [
      { reference: "https://a.example/{value}" },
      "https://a.example/2001%3Adb8%3A%3A7",
      "the template with the target",
    ],
    [{ homepage: "https://a.example/" }, "https://a.example/", "the home page"],
    [{}, "", "nothing"],
    [{ reference: "https://a.example/all" }, "https://a.example/all", "a template without a place"],
  ])("the reference of a miss is: case %#", (more: Partial<Engine>, reference: string) => {
    const report = reportBlacklists(consultation({ verdicts: [verdict("a", {}, more)] }), "2001:db8::7");
    expect(report.engines.toObject()["a"]?.reference).toBe(reference);
  });

  test("the prepared text says the same as the object, whatever the lists and targets hold", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary" }).map((s) => s.toWellFormed()),
      fc.constant('"{value}\\'),
    );
    const template = fc.option(fc.tuple(text, text).map((parts) => parts.join("{value}")));
    const anyVerdict = fc
      .record({
        name: text,
        reference: template,
        homepage: fc.option(text),
        value: fc.option(fc.oneof(text, fc.ipV4())),
        isList: fc.boolean(),
        reason: fc.option(text),
        other: fc.constantFrom<Partial<Verdict>>(
          {},
          { dataAgeS: 13 },
          { category: "c2" },
          { confidence: "low" },
          { stale: true },
          { seed: true },
          { elapsedMs: 5 },
          { codes: ["127.0.0.2"] },
        ),
      })
      .map(({ name, reference, homepage, value, isList, reason, other }) => {
        const miss = verdict("k", {}, { name, reference, homepage });
        const matched = value === null ? null : ({ value, level: "network" } as const);
        return {
          miss,
          said: matched === null ? miss : { ...miss, detected: true, matched, reason, ...other },
          isList,
        };
      });
    fc.assert(
      fc.property(fc.array(anyVerdict, { maxLength: 6 }), fc.oneof(text, fc.ipV4()), (found, target) => {
        const named = found.map(({ miss, said, isList }, i) => {
          const engine = { ...miss.engine, key: `engine_${i}` };
          const itsMiss = { ...miss, engine };
          return { miss: itsMiss, said: said === miss ? itsMiss : { ...said, engine }, isList };
        });
        const verdicts = named.map(({ said }) => said);
        const silence = named.filter(({ isList }) => isList).map(({ miss }) => miss);
        const heard = [{ verdicts }, { verdicts, silence }, { verdicts: silence, silence }];
        // What is kept of the target before leaves no trace in the next one's.
        for (const about of [target, "192.0.2.7", target, "x"]) {
          for (const said of heard) {
            const { engines } = reportBlacklists(consultation(said), about);
            expect(stringify({ engines })).toBe(JSON.stringify({ engines: engines.toObject() }));
          }
        }
      }),
    );
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
  expect(coverage({ verdicts: [], absences: [absence("a", "disabled")] })).toBe(0);
  const verdicts = [verdict("a"), verdict("b", { stale: true })];
  expect(coverage({ verdicts, absences: [absence("c", "timeout"), absence("d", "disabled")] })).toBe(1 / 3);
  expect(roundCoverage(0.285)).toBe(0.29);
  expect(roundCoverage(1 / 3)).toBe(0.33);
});
