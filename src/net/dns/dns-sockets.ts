import { createSocket, type Socket } from "node:dgram";
import type { Clock } from "../../base/clock.ts";
import { type CancelTimer, callAfter } from "../timer-wheel.ts";
import { BROKEN, type DnsExchange, type DnsFailure, exchangeOf, failureOf } from "./dns-exchange.ts";
import { isWellFormed, matchReply, type Query } from "./dns-message.ts";
import type { DnsServer } from "./dns-options.ts";
import type { Nonces } from "./nonces.ts";

/** One question to one server over UDP. */
type UdpQuestion = {
  readonly server: DnsServer;
  /** The question under an id that no other one has or had on its socket. */
  readonly encode: (id: number) => Query;
  /** Called once with what came of it; never before `ask` returns, nor after it was given up. */
  readonly end: (received: Received) => void;
  /** Our question came back in other letter case, which is no answer. */
  readonly onFolded: () => void;
};

/** What came of a question: a reply not decoded yet, that it did not fit, or a failure. */
export type Received =
  | { readonly state: "received"; readonly read: () => DnsExchange }
  | { readonly state: "truncated" }
  | DnsFailure;

/** A question under way. */
type UdpWait = {
  readonly query: Query;
  /** Whether messages came meanwhile that are no DNS. */
  readonly sawBroken: () => boolean;
  readonly giveUp: () => void;
};

/** UDP sockets that questions share. */
export type DnsSockets = {
  readonly ask: (question: UdpQuestion) => UdpWait;
  /** Sockets that are open now. */
  readonly openCount: () => number;
  /** Closes what no question waits for; the rest with its last question. */
  readonly close: () => void;
};

/** Sockets of a server to choose among. More would each have too few questions to be worth opening. */
const PLACES = 16;
/** Then another port takes the place. Answers to all of them fit the receive buffer of a socket. */
const MAX_QUESTIONS = 64;
const MAX_AGE_MS = 1000;
const IDS = 65_536;

type Waiting = UdpQuestion & { readonly query: Query };

type Shared = {
  readonly socket: Socket;
  /** By id, all that were ever asked here; null: that one is over. */
  readonly questions: Map<number, Waiting | null>;
  underWay: number;
  /** Messages that were no DNS. */
  broken: number;
  /** Out of its place: takes no more questions, and closes with its last one. */
  isRetired: boolean;
  error: Error | null;
  readonly onSent: (error: Error | null) => void;
  readonly stopAging: CancelTimer;
};

type State = {
  readonly clock: Pick<Clock, "monotonicMs" | "sleep">;
  readonly nonces: Nonces;
  readonly places: Map<DnsServer, (Shared | null)[]>;
  readonly open: Set<Shared>;
  isClosed: boolean;
};

/**
 * Connected sockets on ports that the kernel picks at random, each for at most 64 questions and a second, so that
 * setting one up is paid for by many questions where there are many. What comes from another address is dropped by the
 * kernel; a message counts only with the id, the question and the letter case of a question of its socket (RFC 5452,
 * 9.1). An error of a socket, such as an ICMP refusal, ends all its questions. Decision 0016.
 */
export function createDnsSockets(parts: Pick<State, "clock" | "nonces">): DnsSockets {
  const state: State = { ...parts, places: new Map(), open: new Set(), isClosed: false };
  return {
    ask: (question) => ask(state, question),
    openCount: () => state.open.size,
    close: () => {
      state.isClosed = true;
      for (const shared of state.open) retire(state, shared);
    },
  };
}

function ask(state: State, question: UdpQuestion): UdpWait {
  const shared = choose(state, question.server);
  const query = question.encode(newId(state, shared));
  shared.questions.set(query.id, { ...question, query });
  shared.underWay++;
  if (shared.questions.size >= MAX_QUESTIONS || state.isClosed) retire(state, shared);
  send(state, shared, query.message);
  const { broken } = shared;
  return {
    query,
    sawBroken: () => shared.broken > broken,
    giveUp: () => finish(state, shared, query.id),
  };
}

function send(state: State, shared: Shared, message: Buffer): void {
  try {
    shared.socket.send(message, shared.onSent);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // It is not connected; why, an event has told or tells first.
    process.nextTick(() => onError(state, shared, shared.error ?? error));
  }
}

/** The socket at a place chosen at random; a new one where it has none. */
function choose(state: State, server: DnsServer): Shared {
  const places = state.places.get(server) ?? Array.from({ length: PLACES }, () => null);
  state.places.set(server, places);
  const place = state.nonces.below(PLACES);
  const present = places[place];
  if (present && !present.isRetired) return present;
  const opened = openSocket(state, server);
  places[place] = opened;
  return opened;
}

/** One that was not used here: a late answer to another question must not meet it. */
function newId({ nonces }: State, { questions }: Shared): number {
  for (;;) {
    const id = nonces.below(IDS);
    if (!questions.has(id)) return id;
  }
}

function openSocket(state: State, server: DnsServer): Shared {
  // The address is one already: without a resolver's turn in between the socket is connected at once.
  const socket = createSocket({
    type: server.family === 4 ? "udp4" : "udp6",
    lookup: (host, _options, callback) => callback(null, host, server.family),
  });
  const shared: Shared = {
    ...{ socket, questions: new Map(), underWay: 0, broken: 0, isRetired: false, error: null },
    onSent: (error) => {
      if (error) onError(state, shared, error);
    },
    stopAging: callAfter(state.clock, MAX_AGE_MS, () => retire(state, shared)),
  };
  state.open.add(shared);
  socket.on("message", (message) => onMessage(state, shared, message));
  socket.on("error", (error) => onError(state, shared, error));
  socket.connect(server.port, server.host);
  return shared;
}

function onMessage(state: State, shared: Shared, message: Buffer): void {
  const waiting = message.length < 2 ? null : shared.questions.get(message.readUInt16BE(0));
  if (!waiting) {
    if (!isWellFormed(message)) shared.broken++;
    return;
  }
  const { query } = waiting;
  const match = matchReply(query, message);
  if (match === "folded") waiting.onFolded();
  if (match === "folded" || match === "stranger") return;
  finish(state, shared, query.id);
  if (match === "truncated") waiting.end({ state: "truncated" });
  else waiting.end(match === "reply" ? { state: "received", read: () => exchangeOf(message) } : BROKEN);
}

/** Which question an error is about is not known; all of them went to the same server. */
function onError(state: State, shared: Shared, error: Error): void {
  shared.error ??= error;
  const failure = failureOf(shared.error);
  retire(state, shared);
  for (const [id, waiting] of shared.questions) {
    if (waiting === null) continue;
    finish(state, shared, id);
    waiting.end(failure);
  }
}

function finish(state: State, shared: Shared, id: number): void {
  if (!shared.questions.get(id)) return;
  shared.questions.set(id, null);
  shared.underWay--;
  if (shared.isRetired) closeIdle(state, shared);
}

function retire(state: State, shared: Shared): void {
  shared.isRetired = true;
  shared.stopAging();
  closeIdle(state, shared);
}

function closeIdle(state: State, shared: Shared): void {
  if (shared.underWay === 0 && state.open.delete(shared)) shared.socket.close();
}
