import type { Entry } from "./outline.ts";
import { plainSentence } from "./sentences.ts";
import {
  BLOCKS,
  CONDITION,
  QUARANTINES,
  REFUSALS,
  RESERVATIONS,
  STATUS_WORDS,
  THREAT,
  VACANCIES,
} from "./verdict-patterns.ts";

/** What an answer without a record says, and the sentence that says so. */
export type Verdict = {
  readonly kind: "refused" | "blocked" | "reserved" | "quarantine" | "not_found";
  readonly sentence: string;
};

const STATUS_LABELS: ReadonlySet<string> = new Set([
  "availability",
  "domain state",
  "domain status",
  "epp status",
  "query status",
  "registration status",
  "state",
  "status",
]);
const MESSAGE_LABELS: ReadonlySet<string> = new Set([
  "answer",
  "error",
  "error message",
  "info",
  "information",
  "message",
  "note",
  "notice",
  "reason",
  "response",
  "result",
  "warning",
]);

/** Whether a label announces what the server thinks of the question, not what the registry knows of the domain. */
export const isVerdictLabel = (label: string): boolean =>
  STATUS_LABELS.has(label) || MESSAGE_LABELS.has(label);

/** What a status says about a name that nobody holds; null for all others. */
export function statusVerdictOf({ label, value }: Entry): Verdict | null {
  if (!STATUS_LABELS.has(label)) return null;
  const sentence = plainSentence(value);
  if (STATUS_WORDS.vacant.test(sentence)) return { kind: "not_found", sentence };
  return STATUS_WORDS.reserved.test(sentence) ? { kind: "reserved", sentence } : null;
}

/**
 * What an answer without a record says: its sentences, and its statuses and messages. A refusal goes before all else: an
 * answer that says both is no proof that a name is free. Null when no sentence says anything known.
 */
export function verdictOf(sentences: readonly string[], entries: readonly Entry[]): Verdict | null {
  const values = entries
    .filter(({ label }) => isVerdictLabel(label))
    .map(({ value }) => plainSentence(value));
  const all = [...sentences, ...values];
  const statuses = entries.map(statusVerdictOf).filter((verdict) => verdict !== null);
  return (
    refusalIn(all) ??
    verdictIn("blocked", BLOCKS, all) ??
    verdictIn("reserved", RESERVATIONS, all) ??
    statuses.find(({ kind }) => kind === "reserved") ??
    verdictIn("quarantine", QUARANTINES, all) ??
    verdictIn("not_found", VACANCIES, all) ??
    statuses[0] ??
    null
  );
}

function refusalIn(sentences: readonly string[]): Verdict | null {
  return verdictIn(
    "refused",
    REFUSALS,
    sentences.filter((sentence) => !THREAT.test(sentence)),
  );
}

function verdictIn(
  kind: Verdict["kind"],
  patterns: readonly RegExp[],
  sentences: readonly string[],
): Verdict | null {
  for (const sentence of sentences) {
    if (patterns.some((pattern) => isPlain(pattern, sentence))) return { kind, sentence };
  }
  return null;
}

/** Whether the sentence says it without a condition. */
function isPlain(pattern: RegExp, sentence: string): boolean {
  const match = pattern.exec(sentence);
  if (match === null) return false;
  const condition = CONDITION.exec(sentence.slice(0, match.index + match[0].length));
  // `can not be registered` is itself the statement.
  return condition === null || /\b(?:can ?not|may not|must not|could not)\b/.test(match[0]);
}

const UNIT_S = { s: 1, m: 60, h: 3600 } as const;
const MIN_REST_S = 1;
const MAX_REST_S = 3600;

/** For how many seconds a refusal asks to be left alone: 1 to 3,600; null when it names no time. */
export function restSecondsOf(sentences: readonly string[]): number | null {
  for (const sentence of sentences) {
    const [, count, unit] = /\b(\d{1,9})[ -]?(s|m|h)(?:ec|econd|in|inute|r|our)?s?\b/.exec(sentence) ?? [];
    if (count === undefined) continue;
    const perUnit = unit === "h" ? UNIT_S.h : unit === "m" ? UNIT_S.m : UNIT_S.s;
    return Math.min(Math.max(Number(count) * perUnit, MIN_REST_S), MAX_REST_S);
  }
  return null;
}
