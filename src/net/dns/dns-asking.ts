import type { Clock } from "../../base/clock.ts";
import { type Answer, answered, type Unavailable, unavailable } from "../../base/failure.ts";
import type { Budget } from "../budget.ts";
import type { BudgetShare } from "../budget-pool.ts";
import type { Party } from "../party.ts";
import { type CancelTimer, callAfter } from "../timer-wheel.ts";
import { inTurn } from "../turns.ts";
import { askTcp, type DnsExchange } from "./dns-exchange.ts";
import { type DnsQuestion, encodeQuery } from "./dns-message.ts";
import type { DnsServer } from "./dns-options.ts";
import type { DnsSockets, Received } from "./dns-sockets.ts";
import type { DnsReply } from "./dns-types.ts";
import type { Nonces } from "./nonces.ts";

/** A resolver and what was learnt of it. */
export type Upstream = { readonly server: DnsServer; foldsCaseUntilMs: number };

/** What asking needs. */
export type AskingParts = {
  readonly clock: Pick<Clock, "monotonicMs" | "sleep">;
  readonly nonces: Nonces;
  readonly sockets: DnsSockets;
  readonly budget: Budget;
};

/** One question to a server and, when that fails or is slow, to the next, which may be the same. */
export type DnsQuery = {
  readonly question: DnsQuestion;
  readonly first: Upstream;
  readonly next: Upstream;
  /** For both together. */
  readonly timeoutMs: number;
  /** On whose behalf it waits for its turn, and with the questions of which zone. */
  readonly party: Party;
  readonly share: string;
  /** Called once, unless the question is given up. */
  readonly end: (resolution: Resolution) => void;
};

type Resolution = {
  readonly answer: Answer<DnsReply>;
  /** Null: none answered. */
  readonly from: Upstream | null;
  /** How long the question waited for its turn; null: all the time, so that it was never sent. */
  readonly waitedMs: number | null;
};

/** `silent`: nothing usable came so far. */
type Outcome = DnsExchange | { readonly state: "silent" };

/** One query to one server. */
type Try = {
  readonly upstream: Upstream;
  outcome: Outcome;
  /** What was received waits for its turn to be read. */
  isToBeRead: boolean;
  isOver: boolean;
  sentAtMs: number | null;
  sawBroken: () => boolean;
  /** Lets go of what it holds and waits for. */
  stop: () => void;
};

type State = AskingParts & {
  readonly asked: DnsQuery;
  readonly startedMs: number;
  readonly tries: Try[];
  timer: CancelTimer;
  isTimeOver: boolean;
  isEnded: boolean;
};

/** How long one that folds case is asked plainly. */
const FOLDING_MS = 600_000;

const SILENT: Outcome = { state: "silent" };
const NOTHING = () => undefined;
const NEVER = () => false;
const NO_BITS: readonly number[] = [];

/**
 * Asks the first; when it fails, or at half time, the next too. Ends with the first reply, or when both have failed or
 * the time is over. The function that is returned gives the question up. Calls back, so that a question takes no
 * promise, no signal and no timer of its own: most are answered within a millisecond.
 */
export function askServers(asked: DnsQuery, parts: AskingParts): () => void {
  const { clock } = parts;
  const startedMs = clock.monotonicMs();
  const state: State = {
    clock,
    nonces: parts.nonces,
    sockets: parts.sockets,
    budget: parts.budget,
    asked,
    startedMs,
    tries: [],
    timer: NOTHING,
    isTimeOver: false,
    isEnded: false,
  };
  state.timer = callAfter(clock, asked.timeoutMs / 2, () => onHalfTime(state), asked.party);
  begin(state, asked.first);
  return () => stop(state);
}

const leftMsOf = ({ clock, asked, startedMs }: State): number =>
  startedMs + asked.timeoutMs - clock.monotonicMs();

function onHalfTime(state: State): void {
  const { clock, asked } = state;
  const leftMs = leftMsOf(state);
  if (leftMs <= 0) {
    onTimeOver(state);
    return;
  }
  state.timer = callAfter(clock, leftMs, () => onTimeOver(state), asked.party);
  if (state.tries.length === 1) begin(state, asked.next);
}

function onTimeOver(state: State): void {
  state.isTimeOver = true;
  if (!state.tries.some(({ isToBeRead }) => isToBeRead)) conclude(state);
}

function stop(state: State): void {
  state.isEnded = true;
  state.timer();
  for (const one of state.tries) {
    if (!one.isOver) one.stop();
  }
}

function onOutcome(state: State, one: Try, outcome: Outcome): void {
  if (state.isEnded) return;
  one.outcome = outcome;
  one.isOver = true;
  one.stop();
  const { first, next } = state.asked;
  if (outcome.state === "reply") conclude(state);
  else if (outcome.state === "failed" && state.tries.length === 1 && first !== next) begin(state, next);
  else if (state.tries.every(({ isOver }) => isOver)) conclude(state);
  else if (state.isTimeOver) onTimeOver(state);
}

/** Ends with what is there. */
function conclude(state: State): void {
  const { asked, tries, clock, startedMs } = state;
  stop(state);
  const waitedMs = waitedMsOf(state);
  const won = tries.find(({ outcome }) => outcome.state === "reply");
  if (won?.outcome.state === "reply") {
    const elapsedMs = Math.round(clock.monotonicMs() - startedMs);
    const answer = answered({ ...won.outcome.reply, server: won.upstream.server.text, elapsedMs });
    asked.end({ answer, from: won.upstream, waitedMs });
    return;
  }
  const answer = waitedMs === null ? unasked(asked.timeoutMs) : failureOf(tries, asked.timeoutMs);
  asked.end({ answer, from: null, waitedMs });
}

function waitedMsOf({ tries, startedMs }: State): number | null {
  let first: number | null = null;
  for (const { sentAtMs } of tries) {
    if (sentAtMs !== null && (first === null || sentAtMs < first)) first = sentAtMs;
  }
  return first === null ? null : first - startedMs;
}

/** One query to one server, when its turn comes. */
function begin(state: State, upstream: Upstream): void {
  const one: Try = {
    upstream,
    outcome: SILENT,
    isToBeRead: false,
    isOver: false,
    sentAtMs: null,
    sawBroken: NEVER,
    stop: NOTHING,
  };
  state.tries.push(one);
  const { party, share } = state.asked;
  const request = { party, groups: [share] };
  const held = state.budget.take(request);
  if (held !== null) {
    send(state, one, held);
    return;
  }
  one.stop = state.budget.wait(request, (given) => {
    queueMicrotask(() => {
      // Many are over at the same moment: what one of them gives back, another one does not begin with any more.
      if (state.isEnded || leftMsOf(state) <= 0) given?.release();
      else if (given === null) onOutcome(state, one, SILENT);
      else send(state, one, given);
    });
  });
}

/** Over UDP, and over TCP as well when the answer does not fit. */
function send(state: State, one: Try, held: BudgetShare): void {
  const { clock, nonces, sockets, asked } = state;
  const { upstream } = one;
  const { server } = upstream;
  const sentAtMs = clock.monotonicMs();
  const isPlain = sentAtMs < upstream.foldsCaseUntilMs;
  // Some forwarders answer in lower case only. From now on they are asked that way; an answer in
  // the right case shows that the folded one was not theirs.
  const onFolded = () => {
    if (!isPlain) upstream.foldsCaseUntilMs = clock.monotonicMs() + FOLDING_MS;
  };
  const end = (exchange: DnsExchange) => {
    if (exchange.state === "reply" && !isPlain) upstream.foldsCaseUntilMs = 0;
    onOutcome(state, one, exchange);
  };
  const receive = (received: Exclude<Received, { readonly state: "truncated" }>) => {
    one.isToBeRead = true;
    // A thousand questions may be answered at the same moment.
    inTurn(asked.party, () => {
      one.isToBeRead = false;
      if (!state.isEnded) end(received.state === "received" ? received.read() : received);
    });
  };
  const encode = (id: number) => {
    const { question } = asked;
    const caseBits = isPlain ? NO_BITS : nonces.octets(Math.ceil(question.name.length / 8));
    return encodeQuery(question, id, caseBits);
  };
  const stopWith = (giveUp: () => void) => {
    one.stop = () => {
      giveUp();
      held.release();
    };
  };
  one.sentAtMs = sentAtMs;
  const wait = sockets.ask({
    ...{ server, encode, onFolded },
    end: (received) => {
      if (received.state !== "truncated") receive(received);
      else stopWith(askTcp({ server, query: wait.query, end, onFolded }));
    },
  });
  one.sawBroken = wait.sawBroken;
  stopWith(wait.giveUp);
}

function failureOf(tries: readonly Try[], timeoutMs: number): Unavailable {
  const isSilent = tries.some(({ outcome }) => outcome.state === "silent");
  const failure = tries.find(({ outcome }) => outcome.state === "failed")?.outcome;
  if (isSilent && tries.some(({ isOver, sawBroken }) => !isOver && sawBroken())) {
    return failed("The resolver's answers are not valid DNS messages");
  }
  if (isSilent || failure?.state !== "failed") return timedOut(`No answer within ${timeoutMs} ms`);
  return failed(failure.detail);
}

/** Says nothing of the zone: it is no failure of its own. */
const unasked = (timeoutMs: number): Unavailable => ({
  ...timedOut(`Too many questions under way: this one was not asked within ${timeoutMs} ms`),
  isRepeated: true,
});

export const timedOut = (detail: string): Unavailable => unavailable("dns", "timeout", detail);
export const failed = (detail: string): Unavailable => unavailable("dns", "error", detail);
