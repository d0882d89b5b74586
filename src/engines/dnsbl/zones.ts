import { type Clock, isoSeconds } from "../../base/clock.ts";
import type { CountLook } from "../../base/metrics.ts";
import { createAnswerCache } from "../../net/dns/answer-cache.ts";
import type { Dns } from "../../net/dns/dns-types.ts";
import { callAfter } from "../../net/timer-wheel.ts";
import type { WaitLimit } from "../../net/within.ts";
import type { Absence, Engine, Verdict } from "../kind.ts";
import type { EngineTarget } from "../target.ts";
import { createZone, type Zone, type ZoneAnswer, type ZoneStanding } from "./zone.ts";
import { type TestPoints, type ZoneDefinition, zoneKey } from "./zone-definition.ts";
import { testPointName, type ZoneFamily } from "./zone-names.ts";
import { type AskedName, namesFor } from "./zone-questions.ts";
import { absenceOf, type HeardAnswer, verdictOf } from "./zone-verdict.ts";

/** An engine that is a DNS blacklist, and how it reads its zone. */
export type ZoneEngine = { readonly engine: Engine; readonly zone: ZoneDefinition };

/** Those of an installation's engines that are zones. */
export const zoneEnginesOf = (
  definitions: readonly { readonly engine: Engine; readonly zone: ZoneDefinition | null }[],
): readonly ZoneEngine[] =>
  definitions.flatMap(({ engine, zone }) => (zone === null ? [] : [{ engine, zone }]));

/** What the zones said of one target; in the order of the engines. */
export type ZoneAnswers = {
  readonly verdicts: readonly Verdict[];
  readonly absences: readonly Absence[];
  /** Whether any of it came from the cache. */
  readonly cached: boolean;
};

/** All DNS blacklists of this installation. */
export type Zones = {
  /** Asks the zones behind `engines` about the target, all at once, each zone once. Never rejects. */
  readonly ask: (
    engines: readonly ZoneEngine[],
    target: EngineTarget,
    patience: WaitLimit,
  ) => Promise<ZoneAnswers>;
  /** Makes the self-tests that are due of the zones behind `engines`, all at once. Never rejects. */
  readonly test: (engines: readonly ZoneEngine[]) => Promise<void>;
  /** How the zone of an engine stands; the family that fares worse. */
  readonly standing: (zone: ZoneDefinition) => ZoneStanding | null;
};

export type ZonesParts = {
  readonly dns: Pick<Dns, "query">;
  /** For the self-tests; default: `dns`. */
  readonly selfTestDns?: Pick<Dns, "query">;
  readonly clock: Clock;
  /** `dns.timeout_ms`: of one question. */
  readonly timeoutMs: number;
  readonly count?: CountLook | null;
};

/** Of some 500 octets each. */
const MAX_CACHED = 50_000;

type Families = ReadonlyMap<ZoneFamily, Zone>;

/** The zones of the given engines, also of those that are off, for an owner may switch them on; nothing is asked yet. Source: design 3.5. */
export function createZones(
  engines: readonly ZoneEngine[],
  { dns, selfTestDns = dns, clock, timeoutMs, count = null }: ZonesParts,
): Zones {
  const cache = createAnswerCache<ZoneAnswer>(clock, MAX_CACHED, count);
  const readers = Map.groupBy(engines, ({ zone }) => zoneKey(zone));
  const zones = new Map<string, Families>();
  for (const [key, group] of readers) {
    const definitions = group.map(({ zone }) => zone);
    zones.set(key, familiesOf(definitions, { dns, selfTestDns, clock, timeoutMs, cache }));
  }
  return {
    ask: (asked, target, patience) => askZones({ zones, clock, asked, target, patience }),
    test: async (tested) => {
      const keys = new Set(tested.map(({ zone }) => zoneKey(zone)));
      const due = [...keys].flatMap((key) => [...(zones.get(key)?.values() ?? [])]);
      await Promise.all(due.map((zone) => zone.test()));
    },
    standing: (zone) => {
      const standings = [...(zones.get(zoneKey(zone))?.values() ?? [])].map((family) => family.standing());
      return standings.find(({ condition }) => condition !== "ok") ?? standings[0] ?? null;
    },
  };
}

/** Zones that are not asked: each is an absence with this reason, and no question is made. */
export const silentZones = (detail: string, clock: Pick<Clock, "now">): Zones => {
  const since = isoSeconds(clock.now());
  const absence = ({ engine }: ZoneEngine): Absence => ({ engine, status: "error", since, detail });
  return {
    ask: async (engines) => ({ verdicts: [], absences: engines.map(absence), cached: false }),
    test: async () => undefined,
    standing: () => null,
  };
};

function familiesOf(
  definitions: readonly ZoneDefinition[],
  parts: Parameters<typeof createZone>[1],
): Families {
  const [first] = definitions;
  const families = new Map<ZoneFamily, Zone>();
  if (first === undefined) return families;
  const tables = definitions.map(({ table }) => table);
  const points = definitions.find(({ testPoints }) => testPoints !== null)?.testPoints ?? null;
  const open = (family: ZoneFamily) =>
    families.set(
      family,
      createZone({ zone: first.zone, tables, points: pointsOf(points, family, first) }, parts),
    );
  if (first.target !== "ip") open("name");
  if (first.target === "ip" && definitions.some(({ ipv4 }) => ipv4)) open("ipv4");
  if (first.target === "ip" && definitions.some(({ ipv6 }) => ipv6)) open("ipv6");
  return families;
}

/** The names under which a zone must hold its test entries; none where it has no self-test. */
export const zoneTestNames = (definition: ZoneDefinition): readonly string[] => {
  const { zone, target, ipv4, ipv6, testPoints } = definition;
  const families: readonly ZoneFamily[] =
    target !== "ip" ? ["name"] : [...(ipv4 ? (["ipv4"] as const) : []), ...(ipv6 ? (["ipv6"] as const) : [])];
  return families.flatMap((family) =>
    (pointsOf(testPoints, family, definition)?.listed ?? []).map((name) => `${name}.${zone}`),
  );
};

/** Null: the publisher has no points for this family. */
function pointsOf(
  points: TestPoints | null,
  family: ZoneFamily,
  { prefix, hash }: ZoneDefinition,
): TestPoints | null {
  const namesOf = (list: readonly string[] = []) =>
    list.flatMap((point) => {
      const name = testPointName(point, family, hash);
      return name === null ? [] : [prefix + name];
    });
  const [listed, notListed] = [namesOf(points?.listed), namesOf(points?.notListed)];
  return listed.length + notListed.length === 0 ? null : { listed, notListed };
}

type Asking = {
  readonly zones: ReadonlyMap<string, Families>;
  readonly clock: Clock;
  readonly asked: readonly ZoneEngine[];
  readonly target: EngineTarget;
  readonly patience: WaitLimit;
};

/** One engine, and its questions to its zone; equal ones of several engines are one to the zone. */
type Inquiry = ZoneEngine & {
  readonly questions: readonly { readonly question: AskedName; readonly family: Zone }[];
};

async function askZones(asking: Asking): Promise<ZoneAnswers> {
  const { zones, clock, asked, target } = asking;
  const inquiries = asked.map(({ engine, zone }): Inquiry => {
    const families = zones.get(zoneKey(zone));
    const questions = namesFor(zone, target).flatMap((question) => {
      const family = families?.get(question.family);
      return family === undefined ? [] : [{ question, family }];
    });
    return { engine, zone, questions };
  });
  // Most answers of a busy service are at hand: those take no promise and no timer.
  const kept = inquiries.map(recall);
  const heard = kept.every((answers) => answers !== null) ? kept : await listen(inquiries, kept, asking);
  const nowMs = clock.monotonicMs();
  const verdicts: Verdict[] = [];
  const absences: Absence[] = [];
  for (const [i, { engine, zone }] of inquiries.entries()) {
    const answers = heard[i] ?? [];
    const verdict = verdictOf(engine, zone, answers, nowMs);
    if (verdict !== null) verdicts.push(verdict);
    else absences.push(absenceOf(engine, answers));
  }
  const cached = heard.some((answers) =>
    answers.some(({ answer }) => answer.state === "answered" && answer.cached),
  );
  return { verdicts, absences, cached };
}

/** The answers to all of an engine's questions, when they are at hand. */
function recall({ questions }: Inquiry): readonly HeardAnswer[] | null {
  const heard: HeardAnswer[] = [];
  for (const { question, family } of questions) {
    const answer = family.peek(question.name);
    const words = answer?.state === "answered" ? answer.words.now() : undefined;
    if (answer === null || words === undefined) return null;
    heard.push({ question, answer, words, elapsedMs: 0 });
  }
  return heard;
}

/** Waits for what is not at hand; at the caller's limit, or when the caller leaves, who is silent has timed out. */
function listen(
  inquiries: readonly Inquiry[],
  kept: readonly (readonly HeardAnswer[] | null)[],
  { clock, patience: { signal, withinMs } }: Asking,
): Promise<readonly (readonly HeardAnswer[])[]> {
  const startedMs = clock.monotonicMs();
  return new Promise((resolve) => {
    let missing = 1;
    const hearings = inquiries.map(({ questions }, i) =>
      kept[i] === null
        ? questions.map((asked): Hearing => ({ ...asked, answer: null, words: null, elapsedMs: null }))
        : [],
    );
    const finish = (): void => {
      cancel();
      signal.removeEventListener("abort", finish);
      const endedMs = clock.monotonicMs() - startedMs;
      resolve(hearings.map((all, i) => kept[i] ?? all.map((hearing) => heardOf(hearing, endedMs))));
    };
    const onHeard = (): void => {
      missing--;
      if (missing === 0) finish();
    };
    const cancel = callAfter(clock, Math.max(0, withinMs), finish);
    signal.addEventListener("abort", finish, { once: true });
    for (const hearing of hearings.flat()) {
      missing++;
      hear(hearing, () => {
        hearing.elapsedMs = clock.monotonicMs() - startedMs;
        onHeard();
      });
    }
    onHeard();
    if (signal.aborted) finish();
  });
}

/** One question, and what is known of its answer so far. */
type Hearing = {
  readonly question: AskedName;
  readonly family: Zone;
  answer: ZoneAnswer | null;
  words: string | null;
  /** Null: not all is known. */
  elapsedMs: number | null;
};

/** Calls back when the answer is there, and after a hit the list's words. */
function hear(hearing: Hearing, then: () => void): void {
  void hearing.family.ask(hearing.question.name).then((answer) => {
    hearing.answer = answer;
    const words = answer.state === "answered" ? answer.words.now() : null;
    if (words !== undefined) {
      hearing.words = words;
      then();
    } else if (answer.state === "answered") {
      void answer.words.ready.then((text) => {
        hearing.words = text;
        then();
      });
    }
  });
}

/** A hit stands even when the list's words did not come in time. */
const heardOf = ({ question, family, answer, words, elapsedMs }: Hearing, endedMs: number): HeardAnswer => ({
  ...{ question, words, elapsedMs: elapsedMs ?? endedMs },
  answer: answer ?? {
    state: "timeout",
    since: family.silentSince(),
    detail: "No answer before the end of the call's time",
  },
});
