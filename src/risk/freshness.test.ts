import fc from "fast-check";
import { expect, test } from "vitest";
import { absent, COMPUTED_AT, consultationOf, engine, hit, miss } from "../../test/verdicts.ts";
import { NOT_LISTED } from "../enrichment/vendor.ts";
import { answeredLookup, failedLookup } from "../registry-data/outcome.ts";
import {
  ageOfConsultation,
  ageOfDnssec,
  ageOfLookup,
  ageOfVendor,
  besides,
  freshnessOf,
  freshnessOfSources,
} from "./freshness.ts";

const KINDS = ["place", "network", "registry", "other"] as const;
const NO_AGE = { age_s: null, stale: false };
const sources = {
  engines: { newest_age_s: 60, oldest_age_s: 60, stale_count: 0 },
  place: NO_AGE,
  network: NO_AGE,
  registry: NO_AGE,
  other: NO_AGE,
};
const fresh = { data_age_s: 60, stale: false, cached: false, computed_at: "2026-11-21T12:00:00Z" };
const engines = (newest: number | null, oldest: number | null, stale = 0) => ({
  ...sources,
  engines: { newest_age_s: newest, oldest_age_s: oldest, stale_count: stale },
});

test("freshnessOf() has no age when nothing answered", () => {
  const consultation = consultationOf({ absences: [absent(engine("a"), "timeout")] });
  const silent = besides([{ dataAgeS: null, stale: false, cached: false }]);
  expect(freshnessOf(consultation, silent, COMPUTED_AT)).toEqual({
    ...fresh,
    data_age_s: null,
    sources: engines(null, null),
  });
});

test.each([
  {
    parts: { verdicts: [miss(engine("a"))] },
    expected: { ...fresh, sources },
    why: "one engine, whether it detects or not",
  },
  {
    parts: { verdicts: [miss(engine("a")), hit(engine("b"), { dataAgeS: 900 }), miss(engine("c"))] },
    expected: { ...fresh, data_age_s: 900, sources: engines(60, 900) },
    why: "the oldest engine, and the newest",
  },
  {
    parts: { verdicts: [miss(engine("a"), { dataAgeS: 0 })] },
    expected: { ...fresh, data_age_s: 0, sources: engines(0, 0) },
    why: "a live answer",
  },
  {
    parts: { verdicts: [miss(engine("a"))], allowlists: [miss(engine("w"), { dataAgeS: 70, stale: true })] },
    expected: { ...fresh, data_age_s: 70, stale: true, sources: engines(60, 70, 1) },
    why: "an allowlist that names the target",
  },
  {
    parts: { verdicts: [miss(engine("a"))], cached: true },
    expected: { ...fresh, cached: true, sources },
    why: "a cached engine",
  },
])("freshnessOf() counts $why", ({ parts, expected }) => {
  expect(freshnessOf(consultationOf(parts), [], COMPUTED_AT)).toEqual(expected);
});

test("freshnessOf() counts an engine that was asked of several targets once", () => {
  const [first, second] = [
    consultationOf({ verdicts: [miss(engine("a"), { dataAgeS: 90, stale: true })] }),
    consultationOf({
      verdicts: [miss(engine("a"), { dataAgeS: 90, stale: true }), miss(engine("b"), { dataAgeS: 5 })],
    }),
  ];
  const extra = [ageOfConsultation(second), ageOfConsultation(consultationOf({}))];
  expect(freshnessOf(first, extra, COMPUTED_AT)).toMatchObject({
    data_age_s: 90,
    stale: true,
    sources: engines(5, 90, 1),
  });
});

const age = fc.option(fc.nat(100_000_000));
const partAge = fc.record({
  kind: fc.constantFrom(...KINDS),
  dataAgeS: age,
  stale: fc.boolean(),
  cached: fc.boolean(),
});

test("neither places nor networks nor anything else makes a verdict old or stale", () => {
  fc.assert(
    fc.property(fc.array(partAge), fc.boolean(), (extra, stale) => {
      const consultation = consultationOf({ verdicts: [miss(engine("a"), { stale })] });
      const found = freshnessOf(consultation, extra, COMPUTED_AT);
      expect(found).toMatchObject({ data_age_s: 60, stale, cached: extra.some(({ cached }) => cached) });
      for (const kind of KINDS) {
        const parts = extra.filter((part) => part.kind === kind);
        const ages = parts.flatMap(({ dataAgeS }) => dataAgeS ?? []);
        expect(found.sources?.[kind]).toEqual({
          age_s: ages.length === 0 ? null : Math.max(...ages),
          stale: parts.some((part) => part.stale),
        });
      }
    }),
  );
});

test("ageOfVendor() counts a kept answer from when it was given, and no answer not at all", () => {
  const answer = { said: NOT_LISTED, asOf: new Date(COMPUTED_AT.getTime() - 200_000), cached: true };
  const consultation = consultationOf({ verdicts: [miss(engine("a"))] });
  const ages = besides(ageOfVendor(answer, COMPUTED_AT));
  expect(freshnessOf(consultation, ages, COMPUTED_AT)).toEqual({
    ...fresh,
    cached: true,
    sources: { ...sources, other: { age_s: 200, stale: false } },
  });
  const none = besides(ageOfVendor(null, COMPUTED_AT));
  expect(freshnessOf(consultation, none, COMPUTED_AT)).toEqual({ ...fresh, sources });
});

test("ageOfConsultation() counts verdicts and allowlists, and has no age without any", () => {
  const parts = {
    verdicts: [miss(engine("a"))],
    allowlists: [miss(engine("w"), { dataAgeS: 70, stale: true })],
  };
  expect(ageOfConsultation(consultationOf({ ...parts, cached: true }))).toEqual({
    kind: "engines",
    newestS: 60,
    oldestS: 70,
    stale: ["w"],
    cached: true,
  });
  expect(ageOfConsultation(consultationOf({}))).toEqual({
    kind: "engines",
    newestS: null,
    oldestS: null,
    stale: [],
    cached: false,
  });
});

test("ageOfLookup() counts what a registry said, kept or not, and no kept failure", () => {
  const fetchedAt = new Date(COMPUTED_AT.getTime() - 90_500);
  const found = answeredLookup({}, { source: "rdap", fetchedAt, provenance: {} });
  expect(ageOfLookup({ ...found, cached: true }, COMPUTED_AT)).toEqual({
    dataAgeS: 90,
    stale: false,
    cached: true,
  });
  expect(ageOfLookup({ ...failedLookup("timeout", ""), cached: true }, COMPUTED_AT)).toEqual({
    dataAgeS: null,
    stale: false,
    cached: false,
  });
});

test("ageOfDnssec() counts what was found out about signatures", () => {
  const check = { status: null, zoneSigned: true, dsRecords: [], checkedAt: "2026-11-21T11:59:00Z" };
  const age = ageOfDnssec({ ...check, cached: true }, COMPUTED_AT);
  expect(age).toEqual({ dataAgeS: 60, stale: false, cached: true });
  expect(ageOfDnssec(null, COMPUTED_AT).dataAgeS).toBeNull();
  expect(freshnessOfSources(ageOfDnssec(null, COMPUTED_AT), [age], COMPUTED_AT)).toEqual({
    ...fresh,
    cached: true,
  });
});

const bundled = (day: string) => ({
  seed: true,
  dataAgeS: (COMPUTED_AT.getTime() - Date.parse(`${day}T00:00:00Z`)) / 1000,
});

test.each([
  {
    verdicts: [hit(engine("a"), bundled("2026-08-22")), miss(engine("b"))],
    expected: "2026-08",
    why: "only a shipped list names it, whatever else answered",
  },
  {
    verdicts: [hit(engine("a"), bundled("2026-08-01")), hit(engine("b"), bundled("2026-11-02"))],
    expected: "2026-08",
    why: "the oldest of two that name it",
  },
  {
    verdicts: [hit(engine("a"), bundled("2026-10-02")), miss(engine("b"), bundled("2026-08-31"))],
    expected: "2026-10",
    why: "the list that names it, not an older one",
  },
  {
    verdicts: [miss(engine("a"), bundled("2026-11-02")), miss(engine("b"), bundled("2026-08-31"))],
    expected: "2026-08",
    why: "nothing names it, and only shipped lists answered",
  },
  {
    verdicts: [hit(engine("a"), bundled("2026-08-22")), hit(engine("b"))],
    expected: undefined,
    why: "a loaded list names it too",
  },
  {
    verdicts: [miss(engine("a"), bundled("2026-08-22")), miss(engine("b"))],
    expected: undefined,
    why: "a loaded list answered",
  },
  { verdicts: [], expected: undefined, why: "nothing answered" },
])("freshnessOf() gives the month of bundled data as $expected: $why", ({ verdicts, expected }) => {
  expect(freshnessOf(consultationOf({ verdicts }), [], COMPUTED_AT).bundled_data).toBe(expected);
});
