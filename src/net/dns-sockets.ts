import { createSocket, type Socket } from "node:dgram";
import type { Clock } from "../clock.ts";
import { BROKEN, type Exchange, exchangeOf, failureOf } from "./dns-exchange.ts";
import { isWellFormed, matchReply, type Query } from "./dns-message.ts";
import type { DnsServer } from "./dns-options.ts";
import type { Nonces } from "./nonces.ts";
import { callAfter, type CancelTimer } from "./timer-wheel.ts";

/** One question to one server over UDP. */
export type UdpQuestion = {
  readonly server: DnsServer;
  /** The question under an id that no other one has on its socket. */
  readonly encode: (id: number) => Query;
  /** Called once with what came of it; never before `ask` returns, nor after it was given up. */
  readonly end: (exchange: Exchange | { readonly state: "truncated" }) => void;
  /** Our question came back in other letter case, which is no answer. */
  readonly onFolded: () => void;
};

/** A question under way. */
export type UdpWait = {
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

/** Sockets of a server to choose among: the choice is part of what a forger has to guess. */
const PLACES = 64;
/** Then another port takes the place. Answers to all of them fit the receive buffer of a socket. */
const MAX_QUESTIONS = 64;
const MAX_AGE_MS = 1000;
const IDS = 65_536;

type Waiting = UdpQuestion & { readonly query: Query; sawBroken: boolean };

type Shared = {
  readonly socket: Socket;
  readonly waiting: Map<number, Waiting>;
  asked: number;
  /** Out of its place: takes no more questions, and closes with its last one. */
  isRetired: boolean;
  error: Error | null;
  readonly onSent: (error: Error | null) => void;
  readonly stopAging: CancelTimer;
};

type Places = (Shared | null)[];

type State = {
  readonly clock: Pick<Clock, "monotonicMs" | "sleep">;
  readonly nonces: Nonces;
  readonly places: Map<DnsServer, Places>;
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
  const waiting: Waiting = { ...question, query: question.encode(freeId(state, shared)), sawBroken: false };
  const { query } = waiting;
  shared.waiting.set(query.id, waiting);
  shared.asked++;
  if (shared.asked >= MAX_QUESTIONS || state.isClosed) retire(state, shared);
  send(state, shared, query.message);
  return {
    query,
    sawBroken: () => waiting.sawBroken,
    giveUp: () => {
      if (shared.waiting.get(query.id) === waiting) forget(state, shared, query.id);
    },
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
  let places = state.places.get(server);
  if (places === undefined) {
    places = Array.from({ length: PLACES }, () => null);
    state.places.set(server, places);
  }
  const place = state.nonces.below(PLACES);
  const present = places[place];
  if (present && !present.isRetired) return present;
  const opened = openSocket(state, server);
  places[place] = opened;
  return opened;
}

function freeId({ nonces }: State, { waiting }: Shared): number {
  for (;;) {
    const id = nonces.below(IDS);
    if (!waiting.has(id)) return id;
  }
}

function openSocket(state: State, server: DnsServer): Shared {
  // The address is one already: without a resolver's turn in between the socket is connected at once.
  const socket = createSocket({
    type: server.family === 4 ? "udp4" : "udp6",
    lookup: (host, _options, callback) => callback(null, host, server.family),
  });
  const shared: Shared = {
    socket,
    waiting: new Map(),
    asked: 0,
    isRetired: false,
    error: null,
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
  const waiting = message.length < 2 ? undefined : shared.waiting.get(message.readUInt16BE(0));
  if (waiting === undefined) {
    if (!isWellFormed(message)) for (const one of shared.waiting.values()) one.sawBroken = true;
    return;
  }
  const { query } = waiting;
  const match = matchReply(query, message);
  if (match === "folded") waiting.onFolded();
  if (match === "folded" || match === "stranger") return;
  forget(state, shared, query.id);
  if (match === "truncated") waiting.end({ state: "truncated" });
  else waiting.end(match === "reply" ? exchangeOf(message) : BROKEN);
}

/** Which question an error is about is not known; all of them went to the same server. */
function onError(state: State, shared: Shared, error: Error): void {
  shared.error ??= error;
  const failure = failureOf(shared.error);
  const all = [...shared.waiting.values()];
  shared.waiting.clear();
  retire(state, shared);
  for (const waiting of all) waiting.end(failure);
}

function forget(state: State, shared: Shared, id: number): void {
  shared.waiting.delete(id);
  if (shared.isRetired) closeIdle(state, shared);
}

function retire(state: State, shared: Shared): void {
  shared.isRetired = true;
  shared.stopAging();
  closeIdle(state, shared);
}

function closeIdle(state: State, shared: Shared): void {
  if (shared.waiting.size > 0 || !state.open.delete(shared)) return;
  shared.socket.close();
}
