import { createHash } from "node:crypto";
import { HOUR_S } from "../../base/durations.ts";
import { CATEGORIES, type Category } from "../../engines/kind.ts";
import type { ExportFacts } from "../facts.ts";

/** The only origin of decisions here. */
export const ORIGIN = "repute";

/** What a decision is made for: each category, gravest first, and `listed` for none. */
export const SCENARIOS = [...CATEGORIES, "listed"].map((one) => `repute/${one}`);

/** Place in `SCENARIOS` of the gravest category; the last one for none. */
export function scenarioPlace(categories: readonly Category[]): number {
  const place = CATEGORIES.findIndex((one) => categories.includes(one));
  return place < 0 ? CATEGORIES.length : place;
}

/** No decision is told for less. */
export const LEAST_DURATION_S = 4 * HOUR_S;
const MOST_S = 14 * 24 * HOUR_S;

/** Seconds for which a decision holds: twice the longest refresh among the export's sources, 4 hours to 14 days. */
export function durationSecondsOf({ sources }: Pick<ExportFacts, "sources">): number {
  const refreshMinutes = Math.max(0, ...sources.map((one) => one.refresh_minutes));
  return Math.min(MOST_S, Math.max(LEAST_DURATION_S, 2 * 60 * refreshMinutes));
}

/** As Go's `time.Duration` is written. */
const durationText = (seconds: number): string =>
  `${Math.floor(seconds / HOUR_S)}h${Math.floor((seconds % HOUR_S) / 60)}m${seconds % 60}s`;

/** 53 bits of a hash: what JavaScript and Go both read exactly. */
function idOf(name: string, value: string): number {
  const hash = createHash("sha256").update(`${name}\n${value}`).digest();
  return hash.readUIntBE(0, 6) * 32 + (hash.readUInt8(6) >> 3);
}

/** What a policy does: blocks, or challenges, which is a proof that a visitor must give. */
export type DecisionType = "ban" | "captcha";

export const decisionType = ({ isChallenged }: { readonly isChallenged: boolean }): DecisionType =>
  isChallenged ? "captcha" : "ban";

/** A value of an export that a bouncer can enforce. */
export type Enforced = {
  readonly scope: "Ip" | "Range";
  readonly value: string;
  readonly type: DecisionType;
};

/** Writes decisions of an export, which hold for so long, as JSON texts. Values are addresses and networks, which need no escapes. */
export function decisionWriter(
  name: string,
  durationS: number,
): (enforced: Enforced, categories: readonly Category[]) => string {
  const duration = durationText(durationS);
  const tails = SCENARIOS.map((one) => `","duration":"${duration}","scenario":"${one}"}`);
  return ({ scope, value, type }, categories) =>
    `{"id":${idOf(name, value)},"origin":"${ORIGIN}","type":"${type}","scope":"${scope}","value":"${value}` +
    (tails[scenarioPlace(categories)] ?? "");
}
