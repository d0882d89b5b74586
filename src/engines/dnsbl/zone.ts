import type { Clock } from "../../base/clock.ts";
import type { Answer } from "../../base/failure.ts";
import type { AnswerCache, Cacheable } from "../../net/dns/answer-cache.ts";
import type { Dns, DnsReply, RecordType } from "../../net/dns/dns-types.ts";
import { onBehalfOf, SERVICE } from "../../net/party.ts";
import { type AnswerTable, isListed, judgeAnswers } from "./answer-table.ts";
import { createSelfTests, type SelfTests, type TestDates } from "./self-tests.ts";
import type { TestPoints } from "./zone-definition.ts";
import { readAddresses, readWords, type ZoneReply } from "./zone-reply.ts";
import { type Condition, createZoneState, type ZoneState } from "./zone-state.ts";

/** What a zone says of one name. */
export type ZoneAnswer =
  | {
      readonly state: "answered";
      /** Addresses as numbers, sorted; none: not listed. */
      readonly values: readonly number[];
      /** The list's own words, asked for after a hit. */
      readonly words: Words;
      /** Monotonic milliseconds at which the zone said so. */
      readonly atMs: number;
      readonly cached: boolean;
    }
  | { readonly state: Exclude<Condition, "ok">; readonly since: string; readonly detail: string };

/** A text that may still be on its way. */
type Words = {
  /** Undefined: not there yet. */
  readonly now: () => string | null | undefined;
  /** Never rejects. */
  readonly ready: Promise<string | null>;
};

/** How a zone stands by its last self-test and answer. */
export type ZoneStanding = TestDates & {
  /** Null: it was never asked. */
  readonly condition: Condition | null;
  readonly detail: string;
};

/** One DNS blacklist, asked about one family of targets. */
export type Zone = {
  /**
   * What it said of `name` (lower case, it stands before the zone's), as long as that holds; null: it must be asked.
   */
  readonly peek: (name: string) => ZoneAnswer | null;
  /** What it says of `name`. Never rejects. */
  readonly ask: (name: string) => Promise<ZoneAnswer>;
  /** Resolves after the self-test, when one is due. */
  readonly test: () => Promise<void>;
  readonly standing: () => ZoneStanding;
  /** ISO 8601: since when it gives no answer in time. */
  readonly silentSince: () => string;
};

export type ZoneParts = {
  readonly dns: Pick<Dns, "query">;
  readonly selfTestDns: Pick<Dns, "query">;
  readonly clock: Clock;
  /** `dns.timeout_ms`: of one question. */
  readonly timeoutMs: number;
  /** Shared by all zones, bounded. */
  readonly cache: AnswerCache<ZoneAnswer>;
};

export type ZoneSettings = {
  /** Lower case, no final dot. */
  readonly zone: string;
  /** Of every engine that reads the zone. */
  readonly tables: readonly AnswerTable[];
  /** Names before the zone's; null: the publisher has none. */
  readonly points: TestPoints | null;
};

/**
 * Asks a zone, with its self-tests, its rests and the cache. Answers count only after a passed test: the first is
 * made beside the first question, and awaited. A failed one silences the zone until a later one passes, and what it
 * said before is forgotten. Equal questions under way share one. Source: design 3.4, 3.5.
 */
export function createZone(settings: ZoneSettings, parts: ZoneParts): Zone {
  const { zone, tables, points } = settings;
  const { clock } = parts;
  const state = createZoneState(clock);
  const query = createQuery(parts, zone);
  const askPoint = async (name: string) => {
    const fullName = `${name}.${zone}`;
    return readAddresses(await query(fullName, "A", parts.selfTestDns), fullName);
  };
  const askPointOurselves = (name: string) => onBehalfOf(SERVICE, () => askPoint(name));
  const tests = createSelfTests({ points, tables, ask: askPointOurselves, state, clock });
  const answers = createAnswers(settings, parts, { state, tests, query });
  const silence = (condition: Exclude<Condition, "ok">, detail: string): ZoneAnswer => {
    return { state: condition, since: state.sinceOf(condition), detail };
  };
  /** By what the test has said until then. */
  const counted = (found: ZoneAnswer): ZoneAnswer => {
    const verdict = tests.verdict();
    if (verdict === "passed" || (verdict === null && found.state !== "answered")) return found;
    const condition = state.condition() ?? "error";
    return silence(condition === "ok" ? "error" : condition, state.detail());
  };
  const askBeside = async (name: string, test: Promise<void>): Promise<ZoneAnswer> => {
    if (tests.verdict() === "failed") await test;
    if (tests.verdict() === "failed") return silence("self_test_failed", state.detail());
    const [found] = await Promise.all([answers.find(name), test]);
    return counted(found);
  };
  return {
    peek: (name) => (tests.isTrusted() ? answers.peek(name) : null),
    ask: (name) => {
      if (state.isResting()) {
        return Promise.resolve(
          silence("timeout", "No answer several times in a row: the zone rests a minute"),
        );
      }
      const test = tests.startDue();
      if (test !== null) return askBeside(name, test);
      return tests.verdict() === "failed"
        ? Promise.resolve(silence("self_test_failed", state.detail()))
        : answers.find(name).then(counted);
    },
    test: async () => {
      if (!state.isResting()) await tests.startDue();
    },
    standing: () => ({ condition: state.condition(), detail: state.detail(), ...tests.dates() }),
    silentSince: () => state.sinceOf("timeout"),
  };
}

type Query = (name: string, type: RecordType, through?: Pick<Dns, "query">) => Promise<Answer<DnsReply>>;

/** What the zone said and says of names, whether it can be trusted or not. */
function createAnswers(
  { zone, tables }: ZoneSettings,
  { clock, cache }: ZoneParts,
  { state, tests, query }: { state: ZoneState; tests: SelfTests; query: Query },
) {
  const askLive = async (fullName: string): Promise<Cacheable<ZoneAnswer>> => {
    const reply = judged(readAddresses(await query(fullName, "A"), fullName), tables);
    if (reply.state !== "answered") {
      if (tests.verdict() !== "failed" && !reply.isRepeated) state.note(reply.state, reply.detail);
      const { state: condition, detail } = reply;
      return { value: { state: condition, since: state.sinceOf(condition), detail }, ttlS: 0 };
    }
    if (tests.verdict() === "passed") state.note("ok", "");
    const { values, ttlS } = reply;
    const isHit = values.some((value) => tables.some((table) => isListed(table, value)));
    const askWords = async () => readWords(await query(fullName, "TXT"), fullName);
    const words = isHit ? wordsOf(askWords()) : NO_WORDS;
    return { value: { state: "answered", values, words, atMs: clock.monotonicMs(), cached: true }, ttlS };
  };
  // Answers from before a failed test are not found again.
  const keyOf = (name: string) => `${name}.${zone} ${tests.failures()}`;
  const peek = (name: string) => cache.peek(keyOf(name));
  const find = async (name: string): Promise<ZoneAnswer> => {
    const kept = peek(name);
    if (kept !== null) return kept;
    const answer = await cache.ask(keyOf(name), () => askLive(`${name}.${zone}`));
    return answer.state === "answered" ? { ...answer, cached: false } : answer;
  };
  return { peek, find };
}

const NO_WORDS: Words = { now: () => null, ready: Promise.resolve(null) };

function wordsOf(ready: Promise<string | null>): Words {
  let text: string | null | undefined;
  void ready.then((words) => {
    text = words;
  });
  return { now: () => text, ready };
}

function judged(reply: ZoneReply, tables: readonly AnswerTable[]): ZoneReply {
  if (reply.state !== "answered") return reply;
  const judgement = judgeAnswers(tables, reply.values);
  return judgement.state === "read" ? reply : judgement;
}

/** Questions to the zone's name servers: all of them together have one share of the resolver client's turns. */
const createQuery =
  ({ dns, timeoutMs }: ZoneParts, zone: string): Query =>
  (name, type, through = dns) =>
    through.query(name, type, { timeoutMs, zone });
