import type { Clock } from "../../base/clock.ts";
import { type Answer, unavailable } from "../../base/failure.ts";
import { within } from "../within.ts";
import type { Dns, DnsClient, DnsReply } from "./dns-types.ts";
import { type ProbeQuestion, sayingOf } from "./resolver-probes.ts";
import {
  createServerTrust,
  type ResolverTrouble,
  type ServerTrust,
  type ServerTrustParts,
} from "./server-trust.ts";

/** Whether the resolvers tell the truth. */
export type ResolverTrust = {
  /** Questions through `client`, whose servers are those judged here: an untrue answer becomes `unavailable`. */
  readonly guard: (client: DnsClient) => Dns;
  /** The same questions with every answer as it came, which still counts as evidence about the resolver. */
  readonly watch: (client: DnsClient) => Dns;
  /** Probes now and whenever it is due, until the signal aborts. */
  readonly run: (signal: AbortSignal) => Promise<void>;
  /** Null: nothing speaks against the resolvers. */
  readonly trouble: () => ResolverTrouble | null;
  readonly close: () => void;
};

export type ResolverTrustParts = Omit<ServerTrustParts, "server" | "clock" | "client"> & {
  readonly client: DnsClient;
  readonly clock: Clock;
};

/**
 * How long an answer waits for probes and questions under way that may show whether it is true. A resolver that says
 * the same to everything says it to them as fast as to this question.
 */
const EVIDENCE_MS = 500;
const LOOK_EVERY_MS = 10_000;
const NEVER = new AbortController().signal;

/** Probes the client's servers and judges their answers by what the probes showed. Decision 0013. */
export function createResolverTrust(parts: ResolverTrustParts): ResolverTrust {
  const { client, clock } = parts;
  const servers = new Map(
    client.servers.map((server) => [server, createServerTrust({ ...parts, server })] as const),
  );
  const all = [...servers.values()];
  const judged: Judging = { servers, clock, underWay: new Set() };
  const start = () => {
    for (const server of all) server.probe();
  };
  const ask =
    (through: DnsClient, isGuarded: boolean): Dns["query"] =>
    (name, type, options = {}) => {
      start();
      const { timeoutMs = parts.timeoutMs, signal = NEVER } = options;
      const endMs = clock.monotonicMs() + timeoutMs;
      const avoid = isGuarded ? liarsOf(servers) : NO_SERVERS;
      const answer = through.query(name, type, avoid.size === 0 ? options : { ...options, avoid });
      const asked = { name: name.toLowerCase().replace(/\.$/, ""), type };
      const judgement = judge(judged, { asked, answer, signal, endMs, seen: null });
      return isGuarded ? judgement : Promise.race([answer, judgement]).then(() => answer);
    };
  const wrap = (through: DnsClient, isGuarded: boolean): Dns => ({
    configured: through.configured,
    query: ask(through, isGuarded),
    recall: through.recall,
    close: through.close,
  });
  return {
    guard: (through) => wrap(through, true),
    watch: (through) => wrap(through, false),
    run: async (signal) => {
      while (!signal.aborted) {
        start();
        await clock.sleep(LOOK_EVERY_MS, signal).catch(() => undefined);
      }
    },
    trouble: () => troubleOf(all),
    close: () => {
      for (const server of all) server.close();
    },
  };
}

const NO_SERVERS: ReadonlySet<string> = new Set();

function liarsOf(servers: ReadonlyMap<string, ServerTrust>): ReadonlySet<string> {
  let liars: Set<string> | null = null;
  for (const [name, server] of servers) {
    if (server.isLiar()) liars = (liars ?? new Set<string>()).add(name);
  }
  return liars ?? NO_SERVERS;
}

/** Of several resolvers the troubled ones are left alone: the trouble of one shows as long as another is there. */
function troubleOf(servers: readonly ServerTrust[]): ResolverTrouble | null {
  const troubles = servers.flatMap((server) => server.trouble() ?? []);
  const [first] = troubles;
  if (first === undefined || troubles.length === servers.length) return first ?? null;
  const share = `${troubles.length} of ${servers.length} resolvers; the others are asked`;
  return { ...first, sentence: `${first.sentence} (${share})` };
}

type Judging = {
  readonly servers: ReadonlyMap<string, ServerTrust>;
  readonly clock: Clock;
  /** Questions whose answers may still be evidence. */
  readonly underWay: Set<Question>;
};

type Question = {
  readonly asked: ProbeQuestion;
  readonly answer: Promise<Answer<DnsReply>>;
  readonly signal: AbortSignal;
  readonly endMs: number;
  /** Resolved when its answer is no news any more; null: nothing waits for that. */
  seen: PromiseWithResolvers<void> | null;
};

function judge(judging: Judging, question: Question): Promise<Answer<DnsReply>> {
  judging.underWay.add(question);
  return question.answer.then(
    (answer) => hear(judging, question, answer),
    (error: unknown) => {
      forget(judging, question);
      throw error;
    },
  );
}

function hear(
  judging: Judging,
  question: Question,
  answer: Answer<DnsReply>,
): Answer<DnsReply> | Promise<Answer<DnsReply>> {
  const server = answer.state === "answered" ? judging.servers.get(answer.value.server) : undefined;
  server?.hear();
  const probing = server?.probe() ?? null;
  // A later round changes nothing before it is over.
  const isAwaited = probing !== null && !(server?.isProbed() && server.isClean());
  if (server === undefined || (!isAwaited && server.isClean())) {
    forget(judging, question);
    return answer;
  }
  const heard = { answer, server, probing: isAwaited ? probing : null };
  return judgeBy(judging, question, heard).finally(() => forget(judging, question));
}

type Heard = {
  readonly answer: Answer<DnsReply>;
  readonly server: ServerTrust;
  /** Null: not to be waited for. */
  readonly probing: Promise<void> | null;
};

/** Waits for what may show whether the answer is true. */
async function judgeBy(
  judging: Judging,
  question: Question,
  { answer, server, probing }: Heard,
): Promise<Answer<DnsReply>> {
  const { clock, underWay } = judging;
  const { asked, signal, endMs } = question;
  const wait = (promise: Promise<unknown>) => {
    const withinMs = Math.min(EVIDENCE_MS, endMs - clock.monotonicMs());
    return within(promise, undefined, { signal, withinMs, clock });
  };
  if (probing !== null) await wait(probing);
  if (server.isClean()) return answer;
  const saying = sayingOf(asked, answer);
  let verdict = server.judge(asked, saying);
  forget(judging, question);
  if (verdict.state === "doubtful") {
    await wait(Promise.race([server.cleared(), Promise.all(Array.from(underWay, whenSeen))]));
    verdict = server.judge(asked, saying);
  }
  if (verdict.state === "plain" || verdict.state === "knowledge") return answer;
  return unavailable("dns", "error", verdict.sentence);
}

function whenSeen(question: Question): Promise<void> {
  question.seen ??= Promise.withResolvers();
  return question.seen.promise;
}

function forget({ underWay }: Judging, question: Question): void {
  underWay.delete(question);
  question.seen?.resolve();
}
