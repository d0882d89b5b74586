import { ageSeconds } from "../../base/clock.ts";
import { formatIpv4 } from "../../targets/ip.ts";
import { missVerdict } from "../feed.ts";
import { type Absence, CATEGORIES, CONFIDENCES, type Engine, type Verdict } from "../kind.ts";
import { isListed } from "./answer-table.ts";
import type { ZoneAnswer } from "./zone.ts";
import type { Rating, ZoneDefinition } from "./zone-definition.ts";
import type { AskedName } from "./zone-questions.ts";

/** What a zone said to one question of a call. */
export type HeardAnswer = {
  readonly question: AskedName;
  readonly answer: ZoneAnswer;
  /** The list's own words; null without a hit, without any, or when they came too late. */
  readonly words: string | null;
  readonly elapsedMs: number;
};

/**
 * What an engine says by its zone's answers, the closest question first; null when it must stay silent: nothing
 * lists the target, but not every question was answered. Source: design 1.1, 3.5.
 */
export function verdictOf(
  engine: Engine,
  { table, codes }: ZoneDefinition,
  heard: readonly HeardAnswer[],
  nowMs: number,
): Verdict | null {
  const elapsedMs = Math.max(0, ...heard.map((one) => one.elapsedMs));
  for (const { question, answer, words } of heard) {
    if (answer.state !== "answered") continue;
    const values = answer.values.filter((value) => isListed(table, value));
    if (values.length === 0) continue;
    return {
      ...missOf(engine, answer, nowMs),
      ...gravest(
        engine,
        values.map((value) => codes.get(value) ?? {}),
      ),
      detected: true,
      matched: { value: question.value, level: question.level },
      codes: values.map(formatIpv4),
      reason: words,
      elapsedMs,
    };
  }
  let oldest: Verdict | null = null;
  for (const { answer } of heard) {
    if (answer.state !== "answered") return null;
    const miss = missOf(engine, answer, nowMs);
    if (oldest === null || miss.dataAgeS > oldest.dataAgeS) oldest = miss;
  }
  return oldest === null ? null : { ...oldest, elapsedMs };
}

/** Why an engine stays silent: by the first question that was not answered. */
export function absenceOf(engine: Engine, heard: readonly HeardAnswer[]): Absence {
  for (const { answer } of heard) {
    if (answer.state === "answered") continue;
    return { engine, status: answer.state, since: answer.since, detail: answer.detail };
  }
  throw new RangeError(`The zone of "${engine.key}" was asked about a target that it does not apply to`);
}

const missOf = (
  engine: Engine,
  { cached, atMs }: Extract<ZoneAnswer, { readonly state: "answered" }>,
  nowMs: number,
): Verdict => {
  const dataAgeS = cached ? ageSeconds(atMs, nowMs) : 0;
  return missVerdict(engine, { seed: false }, { dataAgeS, stale: false });
};

/** Of several codes the gravest category counts, and its surest code. */
function gravest(engine: Engine, ratings: readonly Rating[]): Required<Rating> {
  const filled = ratings.map(({ category = engine.category, confidence = engine.confidence }) => ({
    category,
    confidence,
  }));
  const [first = { category: engine.category, confidence: engine.confidence }] = filled.toSorted(
    (a, b) =>
      CATEGORIES.indexOf(a.category) - CATEGORIES.indexOf(b.category) ||
      CONFIDENCES.indexOf(a.confidence) - CONFIDENCES.indexOf(b.confidence),
  );
  return first;
}
