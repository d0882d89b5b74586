import type { Clock, Random } from "../clock.ts";
import { type Answer, answered, type Unavailable, unavailable } from "../failure.ts";
import { type Budget, createBudget } from "./budget.ts";
import { askTcp, askUdp, type Exchange } from "./dns-exchange.ts";
import { encodeQuery, type Question, queryName } from "./dns-message.ts";
import { type DnsServer, parseServer, systemServers } from "./dns-options.ts";
import type { ClientOptions, DnsClient, DnsReply } from "./dns-types.ts";
import { zoneOfName } from "./dns-zone.ts";
import { createFailureMemory, type FailureMemory } from "./failure-memory.ts";
import { beginTask, firstHolderOf, type Party, presentParty } from "./party.ts";
import { createSharing } from "./sharing.ts";
import { waitForTurn } from "./turns.ts";
import { createZoneRests, type ZoneOutcome } from "./zone-rests.ts";

export type DnsSettings = {
  /** `ip`, `ip:port` or `[v6]:port`; empty: the system's resolvers. */
  readonly servers: readonly string[];
  /** For a whole question, the retry at the next server included. */
  readonly timeoutMs: number;
  /** Sockets open at a time; further queries wait within their time. Default: one of `createDnsBudget`. */
  readonly budget?: Budget;
  readonly clock: Clock;
  readonly random: Random;
};

const MAX_SOCKETS = 512;
/** For one registered domain, network or zone. */
const MAX_ZONE_SOCKETS = 48;

/** A client's sockets: of the process, shared out among its holders, and of each zone. Source: security P22. */
export const createDnsBudget = (): Budget =>
  createBudget({ capacity: MAX_SOCKETS, ofGroup: { capacity: MAX_ZONE_SOCKETS } });

/**
 * The share of the configured time after which silence is the resolver's: a caller with less time says nothing of it.
 * Below 1, because callers count their time down.
 */
const WHOLE_TIME = 0.9;
/** How long the server that answered in another's place is asked first, and one that folds case is asked plainly. */
const REMEMBER_MS = 60_000;
const FOLDING_MS = 600_000;

/** A resolver and what was learnt of it. */
type Upstream = { readonly server: DnsServer; foldsCaseUntilMs: number };

/**
 * The resolver client: a connected UDP socket for each query, random id and letter case, EDNS 1232 with
 * DO, TCP on truncation. Half its time after an unanswered query the next server (or the same, when there
 * is one only) is asked as well; the first answer of either wins, and the first try stays open until the
 * end, so that a slow answer counts until the configured time. Equal questions under way share one query.
 * A question that ended in SERVFAIL or silence is not asked again for 5 seconds (RFC 9520), and a zone that is silent
 * again and again rests. Answers are not cached.
 * Throws InvalidValue at a server that is no address. Source: design 3.5, security P10, P22.
 */
export function createDns(settings: DnsSettings): DnsClient {
  const configured = settings.servers.length > 0;
  const servers = configured ? settings.servers.map(parseServer) : systemServers();
  const resolver = createResolver(settings, servers);
  const share = createSharing<Answer<DnsReply>>(timedOut("The call ended before the answer"));
  const failures = createFailureMemory(settings.clock);
  const ask = inTurn(settings.clock, createAsker(settings, { resolver, failures }));
  return {
    configured,
    servers: servers.map(({ text }) => text),
    query: (name, type, options = {}) => {
      const { signal, checkingDisabled = false, timeoutMs = settings.timeoutMs, isRetry, only } = options;
      const asked = queryName(name);
      if (asked === null) return Promise.resolve(failed("This name cannot be asked"));
      const question: Question = { name: asked, type, checkingDisabled };
      const key = `${asked}/${type}/${checkingDisabled}/${only ?? ""}`;
      const failure = isRetry ? null : failures.recall(key);
      if (failure !== null) return Promise.resolve(failure);
      const start = (end: AbortSignal) => ask(question, { ...options, timeoutMs, end, key });
      return share.ask(`${key}/${timeoutMs}`, start, signal);
    },
    close: share.close,
  };
}

type Asking = ClientOptions & { readonly timeoutMs: number; readonly end: AbortSignal; readonly key: string };

type Ask = (question: Question, asking: Asking) => Promise<Answer<DnsReply>>;

/** Begins few questions in one turn of the event loop; what one waits for its own is a part of its time. */
function inTurn(clock: Clock, ask: Ask): Ask {
  return async (question, asking) => {
    const cameMs = clock.monotonicMs();
    const turn = waitForTurn(asking.end);
    if (turn === undefined) return ask(question, asking);
    if (!(await turn)) return unasked(asking.timeoutMs);
    const timeoutMs = Math.max(0, asking.timeoutMs - (clock.monotonicMs() - cameMs));
    return ask(question, { ...asking, timeoutMs });
  };
}

/** Puts a question to the resolvers unless its zone rests, and keeps what is learnt of its failure. */
function createAsker(
  { clock, timeoutMs: wholeMs }: DnsSettings,
  { resolver, failures }: { readonly resolver: Resolver; readonly failures: FailureMemory },
): Ask {
  const rests = createZoneRests(clock);
  return async (question, { key, zone: ownZone, ...asking }) => {
    const party = presentParty();
    const zone = ownZone === undefined ? zoneOfName(question.name) : { share: ownZone, rest: null };
    // One server's silence says nothing of the zone.
    const restsAs = asking.only === undefined ? zone.rest : null;
    const visit = restsAs === null ? null : rests.begin(restsAs, firstHolderOf(party));
    if (restsAs !== null && visit === null) return RESTING;
    const over = beginTask();
    const resolving = resolver.resolve(question, { ...asking, party, share: zone.share });
    const { answer, waitedMs } = await resolving.finally(over);
    const leftMs = waitedMs === null || asking.end.aborted ? null : asking.timeoutMs - waitedMs;
    const outcome = leftMs === null ? "nothing" : outcomeOf(answer, leftMs >= WHOLE_TIME * wholeMs);
    if (visit !== null) rests.end(visit, outcome);
    if (outcome !== "nothing") failures.note(key, answer);
    return answer;
  };
}

function outcomeOf(answer: Answer<DnsReply>, isWholeTime: boolean): ZoneOutcome {
  if (answer.state === "answered") return "answered";
  return answer.reason === "timeout" && isWholeTime ? "silent" : "nothing";
}

const timedOut = (detail: string): Unavailable => unavailable("dns", "timeout", detail);
const RESTING: Unavailable = {
  ...timedOut("The zone was silent several times in a row: it rests 30 seconds"),
  isRepeated: true,
};
const failed = (detail: string): Unavailable => unavailable("dns", "error", detail);

type Terms = Pick<ClientOptions, "only" | "avoid"> & {
  readonly timeoutMs: number;
  readonly end: AbortSignal;
} & Turn;

/** On whose behalf a question waits for a socket, and with the questions of which zone. */
type Turn = { readonly party: Party; readonly share: string };

/** `waitedMs`: how long the question waited for a socket; null: all the time, so that it was never sent. */
type Resolution = { readonly answer: Answer<DnsReply>; readonly waitedMs: number | null };

type Resolver = {
  readonly resolve: (question: Question, terms: Terms) => Promise<Resolution>;
};

/** One question's tries; `Tried` says which upstream. */
type Tried = { readonly upstream: Upstream; readonly exchange: Exchange; readonly sentAtMs: number | null };

function createResolver(
  { clock, random, budget = createDnsBudget() }: DnsSettings,
  servers: readonly DnsServer[],
): Resolver {
  const upstreams: Upstream[] = servers.map((server) => ({ server, foldsCaseUntilMs: 0 }));
  let preferred: { readonly upstream: Upstream | null; readonly untilMs: number } = NO_PREFERENCE;
  const resolve: Resolver["resolve"] = async (question, { timeoutMs, end, party, share, ...choice }) => {
    const startedMs = clock.monotonicMs();
    const usable = usableOf(upstreams, choice);
    const favourite = startedMs < preferred.untilMs ? preferred.upstream : null;
    const start = favourite === null ? 0 : Math.max(0, usable.indexOf(favourite));
    const first = usable[start];
    const next = usable[(start + 1) % usable.length];
    if (!(first && next)) {
      return { answer: failed("No resolver is configured, and the system names none"), waitedMs: null };
    }
    const context = { question, timeoutMs, end, clock, random, budget, party, share };
    const tries = await race([first, next], context);
    const won = tries.find(({ exchange }) => exchange.state === "reply");
    const sentAtMs = tries.flatMap((tried) => tried.sentAtMs ?? []);
    if (sentAtMs.length === 0) return { answer: unasked(timeoutMs), waitedMs: null };
    const waitedMs = Math.min(...sentAtMs) - startedMs;
    if (won?.exchange.state !== "reply") return { answer: failureOf(tries, timeoutMs), waitedMs };
    const nowMs = clock.monotonicMs();
    if (won.upstream !== first) {
      preferred = { upstream: won.upstream, untilMs: nowMs + REMEMBER_MS };
    }
    const elapsedMs = Math.round(nowMs - startedMs);
    const reply = { ...won.exchange.reply, server: won.upstream.server.text, elapsedMs };
    return { answer: answered(reply), waitedMs };
  };
  return { resolve };
}

const NO_PREFERENCE = { upstream: null, untilMs: 0 };

function usableOf(
  upstreams: readonly Upstream[],
  { only, avoid }: Pick<ClientOptions, "only" | "avoid">,
): readonly Upstream[] {
  if (only !== undefined) return upstreams.filter(({ server }) => server.text === only);
  if (avoid === undefined || avoid.size === 0) return upstreams;
  const usable = upstreams.filter(({ server }) => !avoid.has(server.text));
  return usable.length > 0 ? usable : upstreams;
}

function failureOf(tries: readonly Tried[], timeoutMs: number): Unavailable {
  const exchanges = tries.map(({ exchange }) => exchange);
  const failure = exchanges.find((exchange) => exchange.state === "failed");
  const silence = exchanges.find((exchange) => exchange.state === "silent");
  if (silence && exchanges.some((exchange) => exchange.state === "silent" && exchange.sawBroken)) {
    return failed("The resolver's answers are no valid DNS messages");
  }
  if (silence || !failure) return timedOut(`No answer within ${timeoutMs} ms`);
  return failed(failure.detail);
}

/** Says nothing of the zone: it is no failure of its own. */
const unasked = (timeoutMs: number): Unavailable => ({
  ...timedOut(`Too many questions under way: this one was not asked within ${timeoutMs} ms`),
  isRepeated: true,
});

type Race = Turn & {
  readonly question: Question;
  readonly timeoutMs: number;
  readonly end: AbortSignal;
  readonly clock: Clock;
  readonly random: Random;
  readonly budget: Budget;
};

/** Asks the first; when it fails, or at half time, the second too. Ends with the first reply, or with all outcomes. */
async function race([first, next]: readonly [Upstream, Upstream], context: Race): Promise<Tried[]> {
  const { clock, timeoutMs, end } = context;
  const over = new AbortController();
  const finish = () => over.abort(OVER);
  end.addEventListener("abort", finish, { once: true });
  if (end.aborted) finish();
  const deadline = pause(clock, timeoutMs, over.signal).then(finish);
  const firstTry = attempt(first, context, over.signal);
  const early = await Promise.race([firstTry, pause(clock, timeoutMs / 2, over.signal)]);
  const conclude = async (tries: readonly Promise<Tried>[]): Promise<Tried[]> => {
    const outcomes = await untilReply(tries);
    finish();
    await deadline;
    end.removeEventListener("abort", finish);
    return outcomes;
  };
  const isOnlyServer = first === next;
  if (early && (early.exchange.state !== "failed" || isOnlyServer)) return conclude([firstTry]);
  return conclude([firstTry, attempt(next, context, over.signal)]);
}

/** Made once: an abort without a reason makes an error each time, with a stack that nobody reads. */
const OVER = new DOMException("The question is over", "AbortError");

/** Resolves after the time, or at once when the signal aborts. */
const pause = (clock: Clock, ms: number, signal: AbortSignal): Promise<void> =>
  clock.sleep(ms, signal).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });

/** The outcomes so far as soon as one is a reply; else all of them. */
function untilReply(tries: readonly Promise<Tried>[]): Promise<Tried[]> {
  return new Promise((resolve, reject) => {
    const outcomes: Tried[] = [];
    for (const one of tries) {
      one.then((tried) => {
        outcomes.push(tried);
        if (tried.exchange.state === "reply" || outcomes.length === tries.length) resolve(outcomes);
      }, reject);
    }
  });
}

/** One query to one server, over TCP as well when its answer does not fit. */
async function attempt(upstream: Upstream, context: Race, signal: AbortSignal): Promise<Tried> {
  const { question, clock, random, budget, party, share } = context;
  const acquired = budget.acquire({ party, groups: [share], signal });
  const held = acquired instanceof Promise ? await acquired : acquired;
  if (held === null) {
    return { upstream, exchange: { state: "silent", sawBroken: false }, sentAtMs: null };
  }
  try {
    const { server } = upstream;
    const sentAtMs = clock.monotonicMs();
    const isPlain = sentAtMs < upstream.foldsCaseUntilMs;
    const [high = 0, low = 0, ...bits] = random.bytes(2 + Math.ceil(question.name.length / 8));
    const query = encodeQuery(question, high * 256 + low, isPlain ? [] : bits);
    // Some forwarders answer in lower case only. From now on they are asked that way; an answer in
    // the right case shows that the folded one was not theirs.
    const onFolded = () => {
      if (!isPlain) upstream.foldsCaseUntilMs = clock.monotonicMs() + FOLDING_MS;
    };
    const ask = { server, query, signal, onFolded };
    const overUdp = await askUdp(ask);
    const exchange = overUdp.state === "truncated" ? await askTcp(ask) : overUdp;
    if (exchange.state === "reply" && !isPlain) upstream.foldsCaseUntilMs = 0;
    return { upstream, exchange, sentAtMs };
  } finally {
    held.release();
  }
}
