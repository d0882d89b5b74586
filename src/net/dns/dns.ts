import type { Clock, Random } from "../../base/clock.ts";
import type { Answer, Unavailable } from "../../base/failure.ts";
import { type Budget, createBudget } from "../budget.ts";
import { beginTask, firstHolderOf, SERVICE } from "../party.ts";
import { createSharing } from "../sharing.ts";
import {
  type AskingParts,
  askServers,
  type DnsQuery,
  failed,
  timedOut,
  type Upstream,
} from "./dns-asking.ts";
import { type DnsQuestion, queryName } from "./dns-message.ts";
import { type DnsServer, parseServer, systemServers } from "./dns-options.ts";
import { createDnsSockets } from "./dns-sockets.ts";
import type { ClientOptions, DnsClient, DnsReply, RecordType } from "./dns-types.ts";
import { zoneOfName } from "./dns-zone.ts";
import { createFailureMemory, type FailureMemory } from "./failure-memory.ts";
import { createNonces } from "./nonces.ts";
import { createResolverOutage, type ResolverFailure, type ResolverOutage } from "./resolver-outage.ts";
import { createZoneRests, type ZoneOutcome } from "./zone-rests.ts";

export type DnsSettings = {
  /** `ip`, `ip:port` or `[v6]:port`; empty: the system's resolvers. */
  readonly servers: readonly string[];
  /** For a whole question, the retry at the next server included. */
  readonly timeoutMs: number;
  /** Queries under way at a time; further ones wait within their time. Default: one of `createDnsBudget`. */
  readonly budget?: Budget;
  readonly clock: Clock;
  readonly random: Random;
};

const MAX_QUERIES = 512;
/** For one registered domain, network or zone. */
const MAX_ZONE_QUERIES = 48;

/** A client's queries under way: of the process, shared out among its holders, and of each zone. Source: security P22. */
export const createDnsBudget = (): Budget =>
  createBudget({ capacity: MAX_QUERIES, ofGroup: { capacity: MAX_ZONE_QUERIES } });

/**
 * The share of the configured time after which silence is the resolver's: a caller with less time says nothing of it.
 * Below 1, because callers count their time down.
 */
const WHOLE_TIME = 0.9;
/** How long the server that answered in another's place is asked first. */
const REMEMBER_MS = 60_000;

/**
 * The resolver client: connected UDP sockets that questions share, random port, id and letter case, EDNS 1232 with
 * DO, TCP on truncation. Half its time after an unanswered query the next server (or the same, when there
 * is one only) is asked as well; the first answer of either wins, and the first try stays open until the
 * end, so that a slow answer counts until the configured time. Equal questions under way share one query.
 * A question that ended in SERVFAIL or silence is not asked again for 5 seconds (RFC 9520), a zone that is silent
 * again and again rests, and so do all questions while no resolver answers anything. Answers are not cached.
 * Throws InvalidValue at a server that is no address. Source: design 3.5, security P10, P22.
 */
export function createDns(settings: DnsSettings): DnsClient {
  const { clock, budget = createDnsBudget() } = settings;
  const configured = settings.servers.length > 0;
  const servers = configured ? settings.servers.map(parseServer) : systemServers();
  const nonces = createNonces(settings.random);
  const sockets = createDnsSockets({ clock, nonces });
  const resolver = createResolver({ clock, nonces, sockets, budget }, servers);
  const share = createSharing<Answer<DnsReply>>(timedOut("The call ended before the answer"));
  const failures = createFailureMemory(clock);
  const outage = createOutage(resolver, settings);
  const ask = createAsker(settings, { resolver, failures, outage });
  const recall: DnsClient["recall"] = (name, type, options = {}) =>
    (options.only === undefined ? outage.current() : null) ?? failures.recall(keyOf(name, type, options));
  return {
    configured,
    servers: servers.map(({ text }) => text),
    recall: (name, type, options) => recall(queryName(name) ?? name, type, options),
    query: (name, type, options = {}) => {
      const { signal, checkingDisabled = false, timeoutMs = settings.timeoutMs, isRetry } = options;
      const asked = queryName(name);
      if (asked === null) return Promise.resolve(failed("This name cannot be asked"));
      const known = isRetry ? null : recall(asked, type, options);
      if (known !== null) return Promise.resolve(known);
      const question: DnsQuestion = { name: asked, type, checkingDisabled };
      const key = keyOf(asked, type, options);
      return share.ask(
        `${key}/${timeoutMs}`,
        (end, _fail, party) => ask({ question, key, timeoutMs, party, options }, end),
        signal,
      );
    },
    close: () => {
      share.close();
      outage.close();
      sockets.close();
    },
  };
}

const keyOf = (
  name: string,
  type: RecordType,
  { checkingDisabled = false, only = "" }: ClientOptions,
): string => `${name}/${type}/${checkingDisabled}/${only}`;

/** The root's name servers are what every resolver knows. One that refuses only to tell them is held for none that refuses all. */
const createOutage = (resolver: Resolver, { clock, timeoutMs }: DnsSettings): ResolverOutage =>
  createResolverOutage({
    clock,
    probe: (end) => {
      const question: DnsQuestion = { name: "", type: "NS", checkingDisabled: false };
      const asked = { question, timeoutMs, party: SERVICE, share: "the root" };
      // One that never had its turn shows nothing.
      return resolver.resolve(asked, {}, (answer, waitedMs) =>
        end(waitedMs === null ? null : failureOf(answer)),
      );
    },
  });

type Asking = Pick<DnsQuery, "question" | "timeoutMs" | "party"> & {
  readonly key: string;
  readonly options: ClientOptions;
};

type Asker = (asking: Asking, end: (answer: Answer<DnsReply>) => void) => () => void;

type AskerParts = {
  readonly resolver: Resolver;
  readonly failures: FailureMemory;
  readonly outage: ResolverOutage;
};

/** Puts a question to the resolvers unless its zone rests, and keeps what is learnt of its failure. */
function createAsker(
  { clock, timeoutMs: wholeMs }: DnsSettings,
  { resolver, failures, outage }: AskerParts,
): Asker {
  const rests = createZoneRests(clock);
  return ({ question, key, timeoutMs, party, options }, end) => {
    const { zone: ownZone, only } = options;
    const zone = ownZone === undefined ? zoneOfName(question.name) : { share: ownZone, rest: null };
    // One server's silence says nothing of the zone.
    const restsAs = only === undefined ? zone.rest : null;
    const visit = restsAs === null ? null : rests.begin(restsAs, firstHolderOf(party));
    if (restsAs !== null && visit === null) {
      end(RESTING);
      return NOTHING;
    }
    if (only === undefined) outage.noteAsked();
    const over = beginTask();
    const conclude = (outcome: ZoneOutcome): void => {
      over();
      if (visit !== null) rests.end(visit, outcome);
    };
    const asked = { question, timeoutMs, party, share: zone.share };
    const giveUp = resolver.resolve(asked, options, (answer, waitedMs) => {
      const leftMs = waitedMs === null ? null : timeoutMs - waitedMs;
      const outcome = leftMs === null ? "nothing" : outcomeOf(answer, leftMs >= WHOLE_TIME * wholeMs);
      conclude(outcome);
      if (outcome !== "nothing") failures.note(key, answer);
      if (waitedMs !== null)
        noteIn(outage, answer, { outcome, zone: only === undefined ? zone.share : null });
      end(answer);
    });
    return () => {
      giveUp();
      conclude("nothing");
    };
  };
}

const NOTHING = () => undefined;

function outcomeOf(answer: Answer<DnsReply>, isWholeTime: boolean): ZoneOutcome {
  if (answer.state === "answered") return "answered";
  return answer.reason === "timeout" && isWholeTime ? "silent" : "nothing";
}

/** Null: the resolver found an answer. */
function failureOf(answer: Answer<DnsReply>): ResolverFailure | null {
  if (answer.state === "unavailable") return answer.reason === "timeout" ? "silent" : "refused";
  const { rcode } = answer.value;
  if (rcode === "NOERROR" || rcode === "NXDOMAIN") return null;
  return rcode === "SERVFAIL" ? "servfail" : "refused";
}

/** One server's failure says nothing of the others, nor does silence that was not waited for. */
function noteIn(
  outage: ResolverOutage,
  answer: Answer<DnsReply>,
  { outcome, zone }: { readonly outcome: ZoneOutcome; readonly zone: string | null },
): void {
  const failure = failureOf(answer);
  if (failure === null) outage.noteAnswer();
  else if (zone !== null && (failure !== "silent" || outcome === "silent")) outage.noteFailure(zone, failure);
}

const RESTING: Unavailable = {
  ...timedOut("The zone was silent several times in a row: it rests 30 seconds"),
  isRepeated: true,
};

type Choice = Pick<ClientOptions, "only" | "avoid">;

type Resolver = {
  /** Calls `end` once with the answer and `Resolution.waitedMs`, unless the function that is returned gives it up before. */
  readonly resolve: (
    asked: Omit<DnsQuery, "first" | "next" | "end">,
    choice: Choice,
    end: (answer: Answer<DnsReply>, waitedMs: number | null) => void,
  ) => () => void;
};

/** Chooses the servers of a question. */
function createResolver(parts: AskingParts, servers: readonly DnsServer[]): Resolver {
  const { clock } = parts;
  const upstreams: Upstream[] = servers.map((server) => ({ server, foldsCaseUntilMs: 0 }));
  let preferred: { readonly upstream: Upstream | null; readonly untilMs: number } = NO_PREFERENCE;
  return {
    resolve: (asked, choice, end) => {
      const usable = usableOf(upstreams, choice);
      const favourite = clock.monotonicMs() < preferred.untilMs ? preferred.upstream : null;
      const start = favourite === null ? 0 : Math.max(0, usable.indexOf(favourite));
      const first = usable[start];
      const next = usable[(start + 1) % usable.length];
      if (!(first && next)) {
        end(failed("No resolver is configured, and the system names none"), null);
        return NOTHING;
      }
      const onEnd: DnsQuery["end"] = ({ answer, from, waitedMs }) => {
        if (from !== null && from !== first) {
          preferred = { upstream: from, untilMs: clock.monotonicMs() + REMEMBER_MS };
        }
        end(answer, waitedMs);
      };
      return askServers({ ...asked, first, next, end: onEnd }, parts);
    },
  };
}

const NO_PREFERENCE = { upstream: null, untilMs: 0 };

function usableOf(upstreams: readonly Upstream[], { only, avoid }: Choice): readonly Upstream[] {
  if (only !== undefined) return upstreams.filter(({ server }) => server.text === only);
  if (avoid === undefined || avoid.size === 0) return upstreams;
  const usable = upstreams.filter(({ server }) => !avoid.has(server.text));
  return usable.length > 0 ? usable : upstreams;
}
