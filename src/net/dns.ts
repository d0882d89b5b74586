import type { Clock, Random } from "../clock.ts";
import { type Answer, unavailable } from "../failure.ts";
import { type Asked, type AskingParts, askServers, failed, type Upstream } from "./dns-asking.ts";
import { queryName } from "./dns-message.ts";
import { type DnsServer, parseServer, systemServers } from "./dns-options.ts";
import { createDnsSockets } from "./dns-sockets.ts";
import type { ClientOptions, DnsClient, DnsReply } from "./dns-types.ts";
import { createFailureMemory } from "./failure-memory.ts";
import { createNonces } from "./nonces.ts";
import { createSharing } from "./sharing.ts";
import { createSlots } from "./slots.ts";

export type DnsSettings = {
  /** `ip`, `ip:port` or `[v6]:port`; empty: the system's resolvers. */
  readonly servers: readonly string[];
  /** For a whole question, the retry at the next server included. */
  readonly timeoutMs: number;
  /** Questions under way at a time; further ones wait within their time. */
  readonly maxQuestions?: number;
  readonly clock: Clock;
  readonly random: Random;
};

const DEFAULT_MAX_QUESTIONS = 512;
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
 * A question that ended in SERVFAIL or silence is not asked again for 5 seconds (RFC 9520). Answers are not cached.
 * Throws InvalidValue at a server that is no address. Source: design 3.5, security P10, P22.
 */
export function createDns(settings: DnsSettings): DnsClient {
  const configured = settings.servers.length > 0;
  const servers = configured ? settings.servers.map(parseServer) : systemServers();
  const { clock } = settings;
  const nonces = createNonces(settings.random);
  const sockets = createDnsSockets({ clock, nonces });
  const slots = createSlots(settings.maxQuestions ?? DEFAULT_MAX_QUESTIONS);
  const resolver = createResolver({ clock, nonces, sockets, slots }, servers);
  const share = createSharing<Answer<DnsReply>>(LEFT);
  const failures = createFailureMemory(clock);
  return {
    configured,
    servers: servers.map(({ text }) => text),
    query: (name, type, options = {}) => {
      const { signal, checkingDisabled = false, timeoutMs = settings.timeoutMs, isRetry, only } = options;
      const asked = queryName(name);
      if (asked === null) return Promise.resolve(failed("This name cannot be asked"));
      const key = `${asked}/${type}/${checkingDisabled}/${only ?? ""}`;
      const failure = isRetry ? null : failures.recall(key);
      if (failure !== null) return Promise.resolve(failure);
      const isWholeTime = timeoutMs >= WHOLE_TIME * settings.timeoutMs;
      const question = { name: asked, type, checkingDisabled };
      return share.ask(
        `${key}/${timeoutMs}`,
        (end) =>
          resolver.resolve(
            { question, timeoutMs, choice: options },
            (answer, wasSent) => {
              const isTimeout = answer.state === "unavailable" && answer.reason === "timeout";
              if (wasSent && (isWholeTime || !isTimeout)) failures.note(key, answer);
              end(answer);
            },
          ),
        signal,
      );
    },
    close: () => {
      share.close();
      sockets.close();
    },
  };
}

const LEFT: Answer<DnsReply> = unavailable("dns", "timeout", "The call ended before the answer");

type Choice = Pick<ClientOptions, "only" | "avoid">;

type Resolver = {
  /** Calls `end` once, unless the function that is returned ends it before. */
  readonly resolve: (
    asked: Pick<Asked, "question" | "timeoutMs"> & { readonly choice: Choice },
    end: (answer: Answer<DnsReply>, wasSent: boolean) => void,
  ) => () => void;
};

/** Chooses the servers of a question. */
function createResolver(parts: AskingParts, servers: readonly DnsServer[]): Resolver {
  const { clock } = parts;
  const upstreams: Upstream[] = servers.map((server) => ({ server, foldsCaseUntilMs: 0 }));
  let preferred: { readonly upstream: Upstream | null; readonly untilMs: number } = NO_PREFERENCE;
  return {
    resolve: ({ question, timeoutMs, choice }, end) => {
      const usable = usableOf(upstreams, choice);
      const favourite = clock.monotonicMs() < preferred.untilMs ? preferred.upstream : null;
      const start = favourite === null ? 0 : Math.max(0, usable.indexOf(favourite));
      const first = usable[start];
      const next = usable[(start + 1) % usable.length];
      if (!(first && next)) {
        end(failed("No resolver is configured, and the system names none"), false);
        return () => undefined;
      }
      const onEnd: Asked["end"] = ({ answer, from, wasSent }) => {
        if (from !== null && from !== first) {
          preferred = { upstream: from, untilMs: clock.monotonicMs() + REMEMBER_MS };
        }
        end(answer, wasSent);
      };
      return askServers({ question, first, next, timeoutMs, end: onEnd }, parts);
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
