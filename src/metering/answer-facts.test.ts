import { expect, test } from "vitest";
import { answerFacts } from "./answer-facts.ts";

const score = (result: number, verdict: string) => ({
  risk_score: { result, band: "clean", verdict, base: 1 },
});
const lists = { blacklists: { detections: 2, engines_count: 40, engines: [] } };
const NOTHING = { verdict: null, score: null, detections: null, engines: null };

test.each([
  [
    "an address",
    { ...score(78, "high"), ...lists },
    { verdict: "high", score: 78, detections: 2, engines: 40 },
  ],
  [
    "a URL, whose score stands in its page's report",
    { report: score(55, "elevated"), ...lists },
    { verdict: "elevated", score: 55, detections: 2, engines: 40 },
  ],
  [
    "an unknown one: a zero would read as clean",
    { ...score(0, "unknown"), blacklists: { detections: 0, engines_count: 0 } },
    { ...NOTHING, verdict: "unknown" },
  ],
  [
    "an unknown one that a list names",
    { ...score(19, "unknown"), ...lists },
    { verdict: "unknown", score: 19, detections: 2, engines: 40 },
  ],
  [
    "a URL of which too little is known",
    { report: score(1, "unknown") },
    { ...NOTHING, verdict: "unknown", score: 1 },
  ],
  [
    "what is no public address",
    { ...score(0, "not_applicable"), ...lists },
    { ...NOTHING, verdict: "not_applicable" },
  ],
  ["an e-mail address without lists", score(60, "elevated"), { ...NOTHING, verdict: "elevated", score: 60 }],
  ["DNS records", { records: [] }, NOTHING],
  ["an answer of another time", { risk_score: 5, report: null }, NOTHING],
  ["nothing", null, NOTHING],
  ["a list", [1], NOTHING],
])("answerFacts() of %s", (_what, data, facts) => {
  expect(answerFacts(data)).toEqual(facts);
});
