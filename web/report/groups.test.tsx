import { readFileSync } from "node:fs";
import { renderToString } from "react-dom/server";
import { describe, expect, test } from "vitest";
import type { CheckIpReport, EngineResult } from "../api/types.gen.ts";
import { JsonTree } from "./json-tree.tsx";
import { groupReasons, titleOf } from "./reason-groups.ts";
import { Report } from "./report.tsx";

/** An answer of the service, as its OpenAPI document shows it. */
const ip: CheckIpReport = JSON.parse(
  readFileSync(new URL("../../src/http/examples/check-ip.json", import.meta.url), "utf8"),
).data;

const plain = (html: string): string =>
  html
    .replace(/<!-- -->/g, "")
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ");

const listing: Omit<EngineResult, "name" | "category"> = {
  detected: true,
  reference: "",
  elapsed_ms: 0,
  kind: "feed",
  confidence: "medium",
  family: "one",
  matched: { value: ip.ip, level: "ip" },
  codes: [],
  reason: null,
  first_seen: null,
  last_seen: "2026-11-24T06:00:00Z",
  stale: false,
  seed: false,
  data_age_s: 13,
};

/** Lists by key, category and points. */
const LISTS = [
  ["cins", "attack", 12],
  ["greensnow", "attack", 19],
  ["blocklist", "attack", 12],
  ["mailspike", "spam", 9],
  ["exits", "tor", 24],
] as const;

const engines: Record<string, EngineResult> = Object.fromEntries(
  LISTS.map(([key, category]) => [key, { ...listing, name: `List ${key}`, category }]),
);
const factors = LISTS.map(([key, , points]) => ({
  key,
  points,
  reason: `Listed by List ${key}`,
  strength: 0.1,
  engines: [key],
}));

describe("lists that name an address for the same thing", () => {
  test("are one reason with their points together, the strongest named", () => {
    const groups = groupReasons(factors, { engines });
    expect(groups.map((group) => [group.points, titleOf(group), group.label])).toEqual([
      [43, "Listed for attacks by List greensnow and 2 others", "attacks"],
      [24, "Listed by List exits", "Tor"],
      [9, "Listed by List mailspike", "spam"],
    ]);
  });

  test("are one entry of the legend, and say how closely they match and when they last did", () => {
    const report: CheckIpReport = {
      ...ip,
      risk_score: { ...ip.risk_score, result: 76, base: 76, verdict: "high", factors, adjustments: [] },
      blacklists: { ...ip.blacklists, engines },
    };
    const html = renderToString(<Report word="ip" report={report} />);
    const legend = [...html.matchAll(/legend-mark/g)];
    expect(legend).toHaveLength(3);
    const text = plain(html);
    expect(text).toContain("attacks 43");
    expect(text).toContain("Listed for attacks by List greensnow and 2 others");
    expect(text).toMatch(/exact address · last seen/);
    expect(text).toContain("3 reasons, one by one");
  });
});

test("a flag is a picture of the service's own, and no sign that a desktop may lack", () => {
  const report = {
    ...ip,
    information: { ...ip.information, country_code: "DE", country_name: "Germany" },
    unknown_fields: [],
  };
  const html = renderToString(<Report word="ip" report={report} />);
  expect(html).toMatch(/<img[^>]+src="\/assets\/flag-[\w.-]*de[\w.-]*\.svg"/);
  expect(html).not.toMatch(/[\u{1f1e6}-\u{1f1ff}]/u);
});

describe("the tree of an answer", () => {
  const html = renderToString(<JsonTree value={ip} />).replace(
    /<span class="json-note[^>]*>.*?<\/span>/g,
    "",
  );
  test("folds, and reads as the same JSON", () => {
    expect(html).toContain("<details");
    const text = html.replace(/<!-- -->/g, "").replace(/<[^>]+>/g, "");
    const unescaped = text
      .replaceAll("&quot;", '"')
      .replaceAll("&#x27;", "'")
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&amp;", "&");
    expect(JSON.parse(unescaped)).toEqual(ip);
  });

  test("begins with the score", () => {
    expect(plain(html).trim()).toMatch(/^\{ ?&quot;risk_score&quot;/);
  });
});
