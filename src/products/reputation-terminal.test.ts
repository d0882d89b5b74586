import { expect, test } from "vitest";
import { absent, COMPUTED_AT, consultationOf, engine, hit, miss } from "../../test/verdicts.ts";
import type { Consultation } from "../engines/kind.ts";
import { reportBlacklists } from "../engines/report.ts";
import { freshnessOf, type PartAge } from "../risk/freshness.ts";
import { scoreTarget } from "../risk/score.ts";
import { headline, unknownFields, why } from "./reputation-terminal.ts";

const plain = (text: string): string => text;
const STYLE = { width: 80, bold: plain, dim: plain, good: plain, warn: plain, bad: plain };
const AUGUST_S = (COMPUTED_AT.getTime() - Date.parse("2026-08-22T01:00:29Z")) / 1000;
const bundled = { seed: true, stale: true, dataAgeS: AUGUST_S };

function headlineOf(parts: Partial<Consultation>, width = 80, ages: readonly PartAge[] = []): string {
  const consultation = consultationOf(parts);
  const report = {
    blacklists: reportBlacklists(consultation, "192.0.2.7"),
    risk_score: scoreTarget({
      consultation,
      signals: [],
      sharedInfrastructure: null,
      isBogon: false,
      computedAt: COMPUTED_AT,
    }),
    freshness: freshnessOf(consultation, ages, COMPUTED_AT),
    unknown_fields: [],
  };
  return headline("192.0.2.7", report, { ...STYLE, width }).join("\n");
}

test("headline() says that a score rests on bundled data alone, and of which month", () => {
  const text = headlineOf({ verdicts: [hit(engine("a"), bundled), miss(engine("b"))] });
  expect(text).toContain("  From bundled data of August 2026; it may rise when lists load");
});

test("headline() wraps the sentence on a narrow terminal", () => {
  const lines = headlineOf({ verdicts: [miss(engine("a"), bundled)] }, 40).split("\n");
  expect(lines.join(" ").replace(/ +/g, " ")).toContain("From bundled data of August 2026; it may rise");
  expect(
    Math.max(...lines.filter((line) => /bundled|rise/.test(line)).map(({ length }) => length)),
  ).toBeLessThan(41);
});

test.each([
  [{ verdicts: [hit(engine("a")), hit(engine("b"), bundled)] }, "another list names the target too"],
  [
    { verdicts: [miss(engine("a")), miss(engine("b"), bundled)] },
    "nothing names it, and another list answered",
  ],
  [{ verdicts: [] }, "nothing answered"],
])("headline() says nothing of bundled data in case %#: %s", (parts) => {
  expect(headlineOf(parts)).not.toMatch(/bundled/);
});

const aged = (kind: "place" | "network", from: string): PartAge => ({
  kind,
  dataAgeS: (COMPUTED_AT.getTime() - Date.parse(from)) / 1000,
  stale: true,
  cached: false,
});

test("headline() says how old the lists are, and apart from them places and networks", () => {
  const verdicts = [miss(engine("a"), { dataAgeS: 2 }), hit(engine("b"), { dataAgeS: 14 * 3600 })];
  const [june, today] = ["2026-06-05T00:00:00Z", "2026-11-21T09:00:00Z"];
  expect(headlineOf({ verdicts }, 80, [aged("place", june), aged("network", today)])).toContain(
    "\n  Lists 2 s to 14 h old · place data of June 2026 · network data 3 h old\n",
  );
  expect(headlineOf({ verdicts: verdicts.slice(0, 1) }, 80, [aged("network", june)])).toContain(
    "\n  Lists 2 s old · network data of June 2026\n",
  );
  expect(headlineOf({ verdicts: [] }, 80, [aged("place", june)])).toContain("\n  Place data of June 2026\n");
  expect(headlineOf({ verdicts: [] })).not.toMatch(/old| of June/);
});

test("unknownFields() folds a long list to its first few, with the way to all of them", () => {
  const paths = Array.from({ length: 30 }, (_, i) => `dns.field_${i}`);
  const textOf = (count: number, view: "standard" | "full") =>
    unknownFields(paths.slice(0, count), STYLE, view).join("\n").replace(/\s+/g, " ");
  expect(textOf(0, "standard")).toBe("");
  expect(textOf(5, "standard")).toBe(`Not known: ${paths.slice(0, 5).join(", ")}`);
  expect(textOf(30, "standard")).toBe(
    "Not known: dns.field_0, dns.field_1, dns.field_2, dns.field_3 and 26 more fields; `--view full` names them",
  );
  expect(textOf(30, "full")).toBe(`Not known: ${paths.join(", ")}`);
});

test("why() keeps to the width where there is no reason", () => {
  const consultation = consultationOf({ absences: [absent(engine("away"), "error")] });
  const score = { consultation, signals: [], sharedInfrastructure: null, isBogon: false };
  const told = scoreTarget({ ...score, computedAt: COMPUTED_AT });
  const lines = why({ risk_score: told, blacklists: reportBlacklists(consultation, "x") }, STYLE, "standard")
    .join("\n")
    .split("\n");
  expect(lines.filter((line) => line.length > STYLE.width)).toEqual([]);
  expect(lines.join(" ")).toContain("No engine that answered lists it");
});

const whyOf = (count: number, view: "standard" | "compact" | "full") => {
  const verdicts = Array.from({ length: count }, (_, i) => hit(engine(`list_${i}`)));
  const consultation = consultationOf({ verdicts });
  const score = { consultation, signals: [], sharedInfrastructure: null };
  const told = scoreTarget({ ...score, isBogon: false, computedAt: COMPUTED_AT });
  const rows = why({ risk_score: told, blacklists: reportBlacklists(consultation, "x") }, STYLE, view).slice(
    1,
    -1,
  );
  const points = rows.reduce((sum, row) => sum + Number(row.slice(0, 5)), 0);
  return { rows, points, base: told.base };
};

test.each([1, 10, 11])("why() names each of %i reasons", (count) => {
  const { rows } = whyOf(count, "standard");
  expect(rows).toHaveLength(count);
  expect(rows.at(-1)).not.toContain("more reason");
});

test.each([12, 40, 100])(
  "why() of %i reasons names the ten with most points, and sums up the others",
  (count) => {
    for (const view of ["standard", "compact"] as const) {
      const { rows, points, base } = whyOf(count, view);
      expect(rows).toHaveLength(11);
      expect(rows.at(-1)).toContain(`  ${count - 10} more reasons; \`--view full\` names them`);
      expect(points).toBe(base);
    }
    const full = whyOf(count, "full");
    expect([full.rows.length, full.points]).toEqual([count, full.base]);
  },
);

test.each([
  [1, "Listed by 1 of 1 engine\n"],
  [2, "Listed by 2 of 2 engines\n"],
])("headline() counts %i engines in words", (count, says) => {
  const verdicts = Array.from({ length: count }, (_, i) => hit(engine(`list_${i}`)));
  expect(headlineOf({ verdicts })).toContain(says);
});
