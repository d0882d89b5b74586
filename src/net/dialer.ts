import { connect } from "node:net";
import { errorCode } from "../base/caught.ts";
import type { Clock } from "../base/clock.ts";
import { type Answer, answered, type Unavailable, unavailable } from "../base/failure.ts";
import { networkOf } from "../targets/cidr.ts";
import { type Ip, readIp } from "../targets/ip.ts";
import { type Budget, createBudget } from "./budget.ts";
import type { BudgetShare } from "./budget-pool.ts";
import { type Deadline, startDeadline } from "./deadline.ts";
import { forbidden, notConnected } from "./dial-failure.ts";
import type { Connection, Dialer, DialTarget, ResolvedHost } from "./dialer-types.ts";
import type { Dns } from "./dns/dns-types.ts";
import { askSystem, findAddresses } from "./dns/host-addresses.ts";
import { createSystemLookup } from "./dns/system-lookup.ts";
import { beginTask, presentParty } from "./party.ts";
import { type ForbiddenReason, forbiddenReason, type GuardRules } from "./ssrf-guard.ts";

export type DialerSettings = {
  readonly dns: Dns;
  /** Asked at every dial: the service knows where it listens only after it does. */
  readonly rules: () => GuardRules;
  readonly clock: Clock;
  /** Addresses of an operator's name that `dns` cannot answer; default: the system's resolver. */
  readonly systemLookup?: (name: string) => Promise<readonly string[]>;
  /** Connections open at a time; further ones wait within their time. Default: one of `createConnectionBudget`. */
  readonly budget?: Budget;
};

const MAX_CONNECTIONS = 512;
/** To one destination: of all, and of one account. */
const MAX_TO_DESTINATION = 32;
const MAX_OF_HOLDER = 8;

/** Connections of the process, shared out among its holders, and to each destination. Source: security P22. */
export const createConnectionBudget = (): Budget =>
  createBudget({
    capacity: MAX_CONNECTIONS,
    ofGroup: { capacity: MAX_TO_DESTINATION, perHolder: MAX_OF_HOLDER },
  });

/** A destination by its name and by its address: a hundred names may lead to one machine, and one name to several. */
function destinationsOf(host: string, ip: Ip): readonly string[] {
  if (ip.version === "v4") return host === ip.text ? [host] : [host, ip.text];
  const [high, low] = ip.words;
  return [host, `${high.toString(16)}:${low.toString(16)}::/64`];
}

/** Addresses tried one after the other. */
const MAX_TRIES = 6;

/** See `Dialer`. Source: security P1 and P3, design 7.5. */
export function createDialer(settings: DialerSettings): Dialer {
  const { dns, rules, clock, budget = createConnectionBudget() } = settings;
  const systemLookup = createSystemLookup(settings.systemLookup ?? askSystem, clock);
  const judge = (addresses: readonly Ip[], target: DialTarget) => reasonAgainst(addresses, target, rules());
  // The kernel connects to an address of this machine from that very address. This finds the addresses that no reading
  // of the interfaces shows: those added since the last one, and those of an interface without a carrier.
  const judgePeer = (ip: Ip, target: DialTarget, localAddress: Ip | null): ForbiddenReason | null => {
    const ownNetworks = localAddress === null ? [] : [networkOf(localAddress)];
    return reasonAgainst([ip], target, { ...rules(), ownNetworks });
  };
  const resolveUntil = async (target: DialTarget, deadline: Deadline): Promise<ResolvedHost> => {
    const found = await findAddresses(target, { dns, systemLookup, signal: deadline.signal });
    if (found.state !== "addresses") return found;
    const reason = judge(found.addresses, target);
    return reason === null ? found : { ...found, state: "blocked", reason };
  };
  const connectUntil = async (
    addresses: readonly Ip[],
    target: DialTarget,
    deadline: Deadline,
  ): Promise<Answer<Connection>> => {
    const reason = judge(addresses, target);
    if (reason !== null) return forbidden(target.host, reason);
    return connectInTurn(addresses, { target, deadline, clock, judgePeer, budget });
  };
  const within = async <T>(target: DialTarget, work: (deadline: Deadline) => Promise<T>): Promise<T> => {
    const deadline = startDeadline(clock, target.timeoutMs, target.signal);
    return work(deadline).finally(deadline.end);
  };
  return {
    resolve: (target) => within(target, (deadline) => resolveUntil(target, deadline)),
    connectTo: (addresses, target) => within(target, (deadline) => connectUntil(addresses, target, deadline)),
    connect: (target) =>
      within(target, async (deadline) => {
        const host = await resolveUntil(target, deadline);
        if (host.state === "addresses") return connectUntil(host.addresses, target, deadline);
        return unresolved(target.host, host);
      }),
  };
}

/** Why one of the addresses is forbidden to this target; null when none is. */
function reasonAgainst(
  addresses: readonly Ip[],
  target: DialTarget,
  rules: GuardRules,
): ForbiddenReason | null {
  const { isOperatorsWord, port, extraPorts = [] } = target;
  if (isOperatorsWord) return null;
  for (const ip of addresses) {
    const reason = forbiddenReason(ip, port, { ...rules, extraPorts });
    if (reason !== null) return reason;
  }
  return null;
}

function unresolved(host: string, resolved: Exclude<ResolvedHost, { state: "addresses" }>): Unavailable {
  switch (resolved.state) {
    case "blocked":
      return forbidden(host, resolved.reason);
    case "no_address":
      return { ...unavailable(host, "error", "The host name has no A or AAAA record"), isUnresolved: true };
    case "failed":
      return { ...unavailable(host, resolved.reason, resolved.detail), isUnresolved: true };
    default:
      return resolved satisfies never;
  }
}

type Dial = {
  readonly target: DialTarget;
  readonly deadline: Deadline;
  readonly clock: Clock;
  /** Why an open connection may not be used, by the address at our end; null when it may. */
  readonly judgePeer: (ip: Ip, target: DialTarget, localAddress: Ip | null) => ForbiddenReason | null;
  readonly budget: Budget;
};

/** Tries the addresses, both families in turn; each has its share of the time that is left. */
async function connectInTurn(
  addresses: readonly Ip[],
  { target, deadline, clock, judgePeer, budget }: Dial,
): Promise<Answer<Connection>> {
  const tries = alternate(addresses).slice(0, MAX_TRIES);
  let failure: Unavailable = unavailable(target.host, "error", "The host name has no A or AAAA record");
  for (const [i, ip] of tries.entries()) {
    const share = startDeadline(clock, deadline.remainingMs() / (tries.length - i), deadline.signal);
    const answer = await connectOnce(ip, { target, judgePeer, budget }, share.signal);
    share.end();
    if (answer.state === "answered") return answer;
    failure = answer;
  }
  return failure;
}

function alternate(addresses: readonly Ip[]): Ip[] {
  const v4 = addresses.filter(({ version }) => version === "v4");
  const v6 = addresses.filter(({ version }) => version === "v6");
  const turns = Array.from({ length: Math.max(v4.length, v6.length) }, (_, i) => [v4[i], v6[i]]);
  return turns.flat().filter((ip) => ip !== undefined);
}

type DialOnce = Pick<Dial, "target" | "judgePeer" | "budget">;

/** The operator's own servers are asked as often as calls need them. */
async function connectOnce(ip: Ip, dial: DialOnce, signal: AbortSignal): Promise<Answer<Connection>> {
  const { host, isOperatorsWord, timeoutMs } = dial.target;
  if (isOperatorsWord || signal.aborted) return openSocket(ip, dial, { signal, held: null });
  const request = { party: presentParty(), groups: destinationsOf(host, ip), signal };
  const held = await dial.budget.acquire(request);
  if (held !== null) return openSocket(ip, dial, { signal, held });
  const detail = `Too many connections under way: none was free within ${timeoutMs} ms`;
  return unavailable(host, "timeout", detail);
}

/** What is held is given back when the connection is closed. */
function openSocket(
  ip: Ip,
  { target, judgePeer }: DialOnce,
  { signal, held }: { readonly signal: AbortSignal; readonly held: BudgetShare | null },
): Promise<Answer<Connection>> {
  const { host, port, timeoutMs } = target;
  return new Promise((resolve) => {
    if (signal.aborted) {
      held?.release();
      return resolve(timedOut(host, timeoutMs));
    }
    // A literal: nothing behind this line resolves a name.
    const socket = connect({ host: ip.text, port, autoSelectFamily: false, noDelay: true });
    socket.once("close", beginTask());
    if (held !== null) socket.once("close", held.release);
    const settle = (answer: Answer<Connection>) => {
      signal.removeEventListener("abort", onAbort);
      if (answer.state === "unavailable") socket.destroy();
      resolve(answer);
    };
    const onAbort = () => settle(timedOut(host, timeoutMs));
    signal.addEventListener("abort", onAbort, { once: true });
    // Stays for the socket's life: the reader sees later errors, and they never end the process.
    socket.on("error", (error) => settle(notConnected(host, errorCode(error))));
    socket.once("connect", () => {
      if (endOf(socket.remoteAddress)?.text !== ip.text) {
        return settle(notConnected(host, "ENOTCONN"));
      }
      const reason = judgePeer(ip, target, endOf(socket.localAddress));
      settle(reason === null ? answered({ socket, ip, port }) : forbidden(host, reason));
    });
  });
}

const timedOut = (host: string, timeoutMs: number): Unavailable =>
  unavailable(host, "timeout", `No connection within ${timeoutMs} ms`);

/** The address of one end of a connection without its zone id; null when the connection has closed. */
const endOf = (address: string | undefined): Ip | null => readIp(address?.split("%", 1)[0] ?? "");
