import { DAY_S } from "../../base/durations.ts";
import { hostOf } from "../emails.ts";
import { fieldOf } from "./labels.ts";
import { labelledOf } from "./line-forms.ts";
import type { OutlineEntry } from "./outline.ts";
import { refusesAbroad } from "./refusals-abroad.ts";
import { type Sentence, sentenceOf } from "./sentences.ts";
import { vacancyAbroad } from "./vacancies-abroad.ts";
import {
  BLOCKS,
  CONDITION,
  ELSEWHERE,
  HELD_ELSEWHERE,
  NO_VACANCY,
  QUARANTINES,
  REFUSALS,
  RESERVATIONS,
  STATUS_WORDS,
  TERMS,
  THREAT,
  TROUBLE,
  VACANCIES,
} from "./verdict-patterns.ts";

/** What an answer without a record says, and the sentence that says so. */
export type WhoisVerdict = {
  readonly kind: "refused" | "blocked" | "reserved" | "quarantine" | "not_found";
  readonly sentence: Sentence;
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
  ..."estado, etat, stato, statut, stav, stan, durum, статус, состояние, стан, 状态, 狀態, 状態, 상태".split(
    ", ",
  ),
]);
/** Labels that ask whether a name is free. */
const QUESTIONS: ReadonlySet<string> = new Set(["available", "domain available"]);
const FAILURE_LABELS: ReadonlySet<string> = new Set(["error", "error message", "reason"]);
const MESSAGE_LABELS: ReadonlySet<string> = new Set([
  "answer",
  "error",
  "error message",
  "info",
  "information",
  "message",
  "note",
  "notes",
  "notice",
  "reason",
  "response",
  "result",
  "warning",
]);

/** Whether a label announces what the server thinks of the question, not what the registry knows of the domain. */
export const isVerdictLabel = (label: string): boolean =>
  STATUS_LABELS.has(label) || MESSAGE_LABELS.has(label) || QUESTIONS.has(label);

/** What heads the lines of the domain. What is available under others, is something else: `Privacy service:`. */
const OF_DOMAIN = /^(?:domain(?: name)?(?: (?:details|information|status))?)?$/;

/** What a status says about an unregistered name; null for all others. */
export function statusVerdictOf({ section, label, value }: OutlineEntry): WhoisVerdict | null {
  const sentence = sentenceOf(value);
  const isOwn = OF_DOMAIN.test(section);
  if (!STATUS_LABELS.has(label)) return null;
  if (isOwn && STATUS_WORDS.vacant.test(sentence.plain)) return { kind: "not_found", sentence };
  return STATUS_WORDS.reserved.test(sentence.plain) ? { kind: "reserved", sentence } : null;
}

/**
 * What an answer without a record says: its sentences, and its statuses and messages. A refusal goes before all else: an
 * answer that says both is no proof that a name is free. Null when no sentence says anything known.
 */
export function verdictOf(
  sentences: readonly Sentence[],
  entries: readonly OutlineEntry[],
  domain: string,
): WhoisVerdict | null {
  const judging = entries.filter((entry) => isVerdictLabel(entry.label) && !isOfName(entry));
  const values = judging.map(({ value }) => sentenceOf(value));
  const all = [...sentences, ...values];
  const statuses = entries.map(statusVerdictOf).filter((verdict) => verdict !== null);
  const isDoubtful =
    entries.some((entry) => isFailure(entry) || saysOtherwise(entry) || isKept(entry)) ||
    all.some((sentence) => isHeldElsewhere(sentence) || isOtherStatement(sentence, domain));
  const others = new Set(entries.filter(isOfOther).map(({ value }) => sentenceOf(value).written));
  const isVacancy = (sentence: Sentence) =>
    !isDoubtful && !others.has(sentence.written) && isOfVacancy(sentence);
  const withReasons = [...all, ...all.flatMap(reasonOf)];
  return (
    refusalIn(all) ??
    verdictIn("blocked", BLOCKS, withReasons) ??
    verdictIn("reserved", RESERVATIONS, withReasons) ??
    statuses.find(({ kind }) => kind === "reserved") ??
    verdictIn("quarantine", QUARANTINES, all) ??
    verdictIn("not_found", VACANCIES, all.filter(isVacancy)) ??
    abroadIn(sentences, values, isVacancy, domain) ??
    statuses.find(({ sentence }) => isVacancy(sentence)) ??
    answerIn(isDoubtful ? [] : entries) ??
    null
  );
}

/** `The queried object does not exist: this name is reserved` says behind the colon why the name is vacant. */
function reasonOf(sentence: Sentence): Sentence[] {
  const [, reason] = /^[^:]{1,80}: (.+)$/.exec(sentence.written) ?? [];
  return reason === undefined || verdictIn("not_found", VACANCIES, [sentence]) === null
    ? []
    : [sentenceOf(reason)];
}

/** `Status: blocked` is the name's; what becomes of a question is said of the query. */
const isOfName = ({ label, value }: OutlineEntry): boolean =>
  label !== "query status" &&
  STATUS_LABELS.has(label) &&
  /^(?:blocked|restricted|suspended)$/i.test(value.trim());

/** `404 Not Found` alone is a web server's. A server in trouble does not know what its registry holds. */
function isOfVacancy({ written, plain, beside }: Sentence): boolean {
  const own = plain.replace(NAMES, "");
  if (NO_VACANCY.test(own) || TROUBLE.test(own) || isElsewhere(plain)) return false;
  if (/^404 not found$/i.test(written.trim()) || /[?？](?:\s|$)|[？¿]/.test(written)) return false;
  return !beside.some(tellsOfTrouble);
}

const tellsOfTrouble = (plain: string): boolean =>
  (TROUBLE.test(plain.replace(NAMES, "")) && !TERMS.test(plain)) || isElsewhere(plain);

/** The hosts to ask stay in the text, the asked name and others like it do not. */
const isElsewhere = (plain: string): boolean => ELSEWHERE.test(plain.replace(NAMES, keepWhoisHost));
const keepWhoisHost = (name: string): string => (name.startsWith("whois.") ? name : "");

/** `Error: backend timeout` on a line of its own: the server says itself that it failed. */
const isFailure = ({ label, value }: OutlineEntry): boolean =>
  FAILURE_LABELS.has(label) && tellsOfTrouble(sentenceOf(value).plain);

/** `Registered: yes`, `Available: no`, `Status: in use`, whatever the server found. */
const saysOtherwise = (entry: OutlineEntry): boolean =>
  (entry.label === "registered" && isYes(entry.value)) ||
  (QUESTIONS.has(entry.label) && !isYes(entry.value)) ||
  ((STATUS_LABELS.has(entry.label) || fieldOf(entry, {}) === "status") &&
    !saysVacant(sentenceOf(entry.value)));

const saysVacant = (sentence: Sentence): boolean =>
  STATUS_WORDS.vacant.test(sentence.plain) ||
  vacancyAbroad(sentence.plain.replace(NAMES, "")) !== null ||
  verdictIn("not_found", VACANCIES, [sentence]) !== null;

/** `Premium: yes`, `Status: available (premium)`: the registry sells it itself, or to those alone that it chooses. */
const isKept = ({ label, value }: OutlineEntry): boolean =>
  (/^(?:premium|reserved|blocked)(?: (?:domain|name))?$/.test(label) && isYes(value)) ||
  (STATUS_LABELS.has(label) && /\b(?:premium|platinum)\b/i.test(value));

const isYes = (value: string): boolean => /^(?:yes|true|1)$/i.test(value.trim());

/** Another registry holds the name, wherever in the answer that is said. */
const isHeldElsewhere = ({ plain }: Sentence): boolean => HELD_ELSEWHERE.test(plain) && !TERMS.test(plain);

/** `Domain a.lab is registered`, `a.lab est gelé`: what is said of the asked name and is no vacancy. */
function isOtherStatement(sentence: Sentence, domain: string): boolean {
  const [, name = ""] = ABOUT_NAME.exec(sentence.plain) ?? [];
  return hostOf(name) === domain && !saysVacant(sentence);
}
const ABOUT_NAME = /^(?:\p{L}{1,20} ){0,3}["']?([\p{L}\d_.-]{1,253})["']?[ :,-]{1,3}(?=.*\p{L})/u;

/** `Fax:` with `not found` below it tells of the fax. */
const isOfOther = (entry: OutlineEntry): boolean =>
  fieldOf(entry, {}) !== "domain" &&
  (entry.label === ""
    ? entry.isDeeper && !isVerdictLabel(entry.section)
    : !isVerdictLabel(entry.label) || !OF_DOMAIN.test(entry.section));

/** `Available: yes` beside the domain's name alone: what other lines tell may be what is available. */
function answerIn(entries: readonly OutlineEntry[]): WhoisVerdict | null {
  const isAnswer = ({ section, label, value }: OutlineEntry) =>
    QUESTIONS.has(label) && isYes(value) && OF_DOMAIN.test(section);
  const answer = entries.find(isAnswer);
  return answer !== undefined && entries.every((entry) => isAnswer(entry) || fieldOf(entry, {}) === "domain")
    ? { kind: "not_found", sentence: sentenceOf(answer.value) }
    : null;
}

/** Names, which may hold any word: `file.lab is free`. */
const NAMES = /(?<![\p{L}\d_.-])[\p{L}\d_-]{1,63}(?:\.[\p{L}\d_-]{1,63})+/gu;

function refusalIn(sentences: readonly Sentence[]): WhoisVerdict | null {
  const calm = sentences.filter(({ plain }) => !THREAT.test(plain));
  const abroad = calm.find(({ plain }) => refusesAbroad(plain.replace(NAMES, "")));
  const sentence = verdictIn("refused", REFUSALS, calm)?.sentence ?? abroad;
  return sentence === undefined ? null : { kind: "refused", sentence };
}

/**
 * A vacancy in another language counts where the answer says nothing else but the asked name, comments apart: no list of
 * words knows all refusals and failures of all languages.
 */
function abroadIn(
  sentences: readonly Sentence[],
  values: readonly Sentence[],
  isVacancy: (sentence: Sentence) => boolean,
  domain: string,
): WhoisVerdict | null {
  const judged = [...sentences, ...values].filter(isVacancy).filter(({ plain, isComment }) => {
    const bare = plain.replace(NAMES, "");
    const vacancy = vacancyAbroad(bare);
    return vacancy === "whole" || (vacancy === "bare" && (!isComment || bare !== plain));
  });
  const [sentence] = judged;
  const texts = new Set(judged.map(({ written }) => written));
  const isJudged = ({ written }: Sentence) => {
    const { label, value } = labelledOf(written) ?? { label: "", value: "" };
    return texts.has(written) || (isVerdictLabel(label) && texts.has(value));
  };
  const start = sentences.findLastIndex(({ written }) => /^source: +IANA$/.test(written)) + 1;
  const stated = sentences.slice(start).filter(({ isComment }) => !isComment);
  return sentence !== undefined && stated.every((one) => isJudged(one) || isNameLine(one, domain))
    ? { kind: "not_found", sentence }
    : null;
}

/** `Domain: a.lab`, `a.lab`. */
function isNameLine({ written }: Sentence, domain: string): boolean {
  const { label, value } = labelledOf(written) ?? { label: "domain", value: written };
  return fieldOf({ label, section: "", role: "domain" }, {}) === "domain" && hostOf(value) === domain;
}

function verdictIn(
  kind: WhoisVerdict["kind"],
  patterns: readonly RegExp[],
  sentences: readonly Sentence[],
): WhoisVerdict | null {
  for (const sentence of sentences) {
    if (patterns.some((pattern) => isPlain(pattern, sentence.plain))) return { kind, sentence };
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

const MIN_REST_S = 1;
const MAX_REST_S = 3600;

const DURATION =
  /(?<!\d[.,:]?)(\d[\d,]{0,11}(?:\.\d{1,3})?)[ -]?(ms|msecs?|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|days?)\b/g;
const UNITS_S: readonly (readonly [RegExp, number])[] = [
  [/^(?:ms|mil)/, 0.001],
  [/^s/, 1],
  [/^m/, 60],
  [/^h/, 3600],
  [/^d/, DAY_S],
];
/** How far before a duration the words stand that tell what it is. */
const MAX_BEFORE = 80;
/** `per 5 s`, `10/60 s`, `100 queries in 60 s`: how much is allowed, not how long to wait. */
const RATE =
  /(?:\b(?:per|each|every|within|during|any|last|past)(?: a| the)?|\/|\b(?:\d{1,9}|one|single) (?:(?!wait|again|retry|try|blocked|banned|denied)[a-z]{1,20} ){1,4}(?:in|for|over)(?: the last| the past)?) ?$/;
const REST = /\b(?:wait|again|retry|in|after|for|back|another|at least|period of)\b[a-z :(~-]{0,30}$/;

/**
 * For how many seconds a refusal asks to be left alone: 1 to 3,600; null when it names no time. What the refusing sentences
 * ask goes before what the others ask; rates never count.
 */
export function restSecondsOf(sentences: readonly Sentence[]): number | null {
  const calm = sentences.filter(({ plain }) => !THREAT.test(plain));
  const isRefusal = (sentence: Sentence) => verdictIn("refused", REFUSALS, [sentence]) !== null;
  const refusing = calm.filter(isRefusal).flatMap(durationsIn);
  const others = calm.filter((sentence) => !isRefusal(sentence)).flatMap(durationsIn);
  const found = [...refusing, ...others].find(({ isRest }) => isRest) ?? refusing[0];
  return found === undefined ? null : Math.min(Math.max(Math.ceil(found.seconds), MIN_REST_S), MAX_REST_S);
}

type Duration = { readonly seconds: number; readonly isRest: boolean };

/** The durations of a sentence that are no rates. `isRest`: after words that ask to wait. */
function durationsIn({ plain }: Sentence): Duration[] {
  const found: Duration[] = [];
  for (const { index, 1: count = "", 2: unit = "" } of plain.matchAll(DURATION)) {
    const before = plain.slice(Math.max(0, index - MAX_BEFORE), index);
    if (RATE.test(before)) continue;
    const perUnit = UNITS_S.find(([pattern]) => pattern.test(unit))?.[1] ?? 1;
    found.push({ seconds: Number(count.replaceAll(",", "")) * perUnit, isRest: REST.test(before) });
  }
  return found;
}
