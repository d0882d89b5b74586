import { networkInterfaces } from "node:os";
import type { Clock } from "../base/clock.ts";
import { type Cidr, networkOf, parseCidr, readCidr } from "../targets/cidr.ts";
import { readIp } from "../targets/ip.ts";
import { specialPurposeOf } from "../targets/special-purpose.ts";
import { portOf } from "./http/http-redirect.ts";
import type { GuardRules, OwnEndpoint } from "./ssrf-guard.ts";

/** A listener of the service: the address or name in its configuration, and where it listens (`http://HOST:PORT`). */
export type Listener = { readonly host: string; readonly address: string };

/** An address of a network interface, as `os.networkInterfaces()` describes it. */
export type InterfaceAddress = {
  readonly address: string;
  /** The address with its prefix length; null where the system gives none. */
  readonly cidr: string | null;
  /** Whether this is a loopback interface. */
  readonly internal: boolean;
};

/** What of this machine is forbidden to targets of callers. */
export type OwnEndpoints = {
  readonly setListeners: (listeners: readonly Listener[]) => void;
  /** Reads the interfaces anew when the last reading is older than a minute. */
  readonly rules: () => Pick<GuardRules, "self" | "ownNetworks">;
};

const READ_EVERY_MS = 60_000;

/** Where a listener on all addresses, or on a name, may be reached on any machine: all of loopback, and 0.0.0.0. */
const EVERYWHERE = ["127.0.0.0/8", "0.0.0.0/32", "::1/128", "::/128"].map(parseCidr);

/** The machine's own addresses and the service's listeners, as rules of the guard. Source: security P1. */
export function createOwnEndpoints({
  clock,
  readInterfaces = readSystemInterfaces,
}: {
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly readInterfaces?: () => readonly InterfaceAddress[];
}): OwnEndpoints {
  let listeners: readonly Listener[] = [];
  let current: { readonly readAtMs: number; readonly rules: ReturnType<typeof ownRules> } | null = null;
  return {
    setListeners: (now) => {
      listeners = now;
      current = null;
    },
    rules: () => {
      const nowMs = clock.monotonicMs();
      if (current === null || nowMs - current.readAtMs >= READ_EVERY_MS) {
        current = { readAtMs: nowMs, rules: ownRules(listeners, readInterfaces()) };
      }
      return current.rules;
    },
  };
}

const readSystemInterfaces = (): readonly InterfaceAddress[] =>
  Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);

/**
 * The rules for a service with these listeners on a machine with these interfaces. A listener on one address is that
 * address; a listener on all addresses, or on a name, is all of loopback and every interface.
 */
export function ownRules(
  listeners: readonly Listener[],
  interfaces: readonly InterfaceAddress[],
): Pick<GuardRules, "self" | "ownNetworks"> {
  const ownNetworks = interfaces.map(ownNetworkOf).filter((network) => network !== null);
  return { self: listeners.flatMap((listener) => endpointsOf(listener, ownNetworks)), ownNetworks };
}

function endpointsOf({ host, address }: Listener, ownNetworks: readonly Cidr[]): OwnEndpoint[] {
  const port = portOf(new URL(address));
  const ip = readIp(host);
  const isOne = ip !== null && ip.text !== "0.0.0.0" && ip.text !== "::";
  const networks = isOne ? [networkOf(ip)] : [...EVERYWHERE, ...ownNetworks];
  return networks.map((network) => ({ network, port }));
}

/** Null for what is no address in our spelling. */
function ownNetworkOf({ address, cidr, internal }: InterfaceAddress): Cidr | null {
  const ip = readIp(address.split("%", 1)[0] ?? "");
  if (ip === null) return null;
  // Linux delivers every address of a loopback interface's network to the machine itself. Special-purpose networks
  // are forbidden as such.
  if (!internal || cidr === null || specialPurposeOf(ip) !== null) return networkOf(ip);
  return readCidr(cidr, { hostBits: "drop" }) ?? networkOf(ip);
}
