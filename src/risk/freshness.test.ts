import { expect, test } from "vitest";
import { absent, COMPUTED_AT, consultationOf, engine, hit, miss } from "../../test/verdicts.ts";
import { NOT_LISTED } from "../enrichment/vendor.ts";
import { answeredLookup, failedLookup } from "../registration/outcome.ts";
import {
  ageOfConsultation,
  ageOfDnssec,
  ageOfLookup,
  ageOfVendor,
  freshnessOf,
  freshnessOfSources,
} from "./freshness.ts";

const fresh = { data_age_s: 60, stale: false, cached: false, computed_at: "2026-11-21T12:00:00Z" };

test("freshnessOf() has no age when nothing answered", () => {
  const consultation = consultationOf({ absences: [absent(engine("a"), "timeout")] });
  const silent = { dataAgeS: null, stale: false, cached: false };
  expect(freshnessOf(consultation, [silent], COMPUTED_AT)).toEqual({ ...fresh, data_age_s: null });
});

test.each([
  {
    parts: { verdicts: [miss(engine("a"))] },
    extra: [],
    expected: fresh,
    why: "one engine, whether it detects or not",
  },
  {
    parts: { verdicts: [miss(engine("a")), hit(engine("b"), { dataAgeS: 900 }), miss(engine("c"))] },
    extra: [],
    expected: { ...fresh, data_age_s: 900 },
    why: "the oldest engine",
  },
  {
    parts: { verdicts: [miss(engine("a"), { dataAgeS: 0 })] },
    extra: [],
    expected: { ...fresh, data_age_s: 0 },
    why: "a live answer",
  },
  {
    parts: { verdicts: [miss(engine("a"))], allowlists: [miss(engine("w"), { dataAgeS: 70, stale: true })] },
    extra: [],
    expected: { ...fresh, data_age_s: 70, stale: true },
    why: "an allowlist that names the target",
  },
  {
    parts: { verdicts: [miss(engine("a"), { stale: true })] },
    extra: [{ dataAgeS: 5000, stale: false, cached: true }],
    expected: { ...fresh, data_age_s: 5000, stale: true, cached: true },
    why: "the facts beside the engines",
  },
  {
    parts: { verdicts: [miss(engine("a"))], cached: true },
    extra: [],
    expected: { ...fresh, cached: true },
    why: "a cached engine",
  },
])("freshnessOf() counts $why", ({ parts, extra, expected }) => {
  expect(freshnessOf(consultationOf(parts), extra, COMPUTED_AT)).toEqual(expected);
});

test("ageOfVendor() counts a kept answer from when it was given, and no answer not at all", () => {
  const answer = { said: NOT_LISTED, asOf: new Date(COMPUTED_AT.getTime() - 200_000), cached: true };
  const consultation = consultationOf({ verdicts: [miss(engine("a"))] });
  expect(freshnessOf(consultation, ageOfVendor(answer, COMPUTED_AT), COMPUTED_AT)).toEqual({
    ...fresh,
    data_age_s: 200,
    cached: true,
  });
  expect(freshnessOf(consultation, ageOfVendor(null, COMPUTED_AT), COMPUTED_AT)).toEqual(fresh);
});

test("ageOfConsultation() counts verdicts and allowlists, and has no age without any", () => {
  const parts = {
    verdicts: [miss(engine("a"))],
    allowlists: [miss(engine("w"), { dataAgeS: 70, stale: true })],
  };
  expect(ageOfConsultation(consultationOf({ ...parts, cached: true }))).toEqual({
    dataAgeS: 70,
    stale: true,
    cached: true,
  });
  expect(ageOfConsultation(consultationOf({}))).toEqual({ dataAgeS: null, stale: false, cached: false });
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
