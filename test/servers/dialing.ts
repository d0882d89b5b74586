import { type Clock, systemClock } from "../../src/base/clock.ts";
import { createDialer, type DialerSettings } from "../../src/net/dialer.ts";
import type { Dialer, DialTarget } from "../../src/net/dialer-types.ts";
import { allowedNetworks, type GuardRules } from "../../src/net/ssrf-guard.ts";
import { client, serve } from "./dns-client.ts";
import type { TestDnsServer, TestRecord, TestScript } from "./dns-server.ts";
import { startTcpServer, type TcpServer } from "./tcp-server.ts";

/** Half of loopback is opened for tests; servers on the other half must hear nothing. */
const OPENED = "127.0.0.0/9";
export const CANARY_HOST = "127.200.0.1";
const NXDOMAIN = 3;

export type Dialing = { readonly dialer: Dialer; readonly dns: TestDnsServer };

/** A dialer that may reach OPENED, over a resolver that does what the script says. */
export async function createDialing({
  script = () => ({ rcode: NXDOMAIN }),
  clock = systemClock,
  rules = {},
  ...settings
}: {
  readonly script?: TestScript;
  readonly clock?: Clock;
  readonly rules?: Partial<GuardRules>;
} & Pick<DialerSettings, "systemLookup" | "budget"> = {}): Promise<Dialing> {
  const dns = await serve(script);
  const all = { allowNetworks: allowedNetworks([OPENED]), self: [], ownNetworks: [], ...rules };
  const dialer = createDialer({ dns: client([dns]), rules: () => all, clock, ...settings });
  return { dialer, dns };
}

/** Zone to a script: name to records of any type; CNAMEs are not followed for the asker. */
export const zone =
  (records: Readonly<Record<string, readonly TestRecord[]>>): TestScript =>
  ({ name, type }) => {
    const found = new Map(Object.entries(records)).get(name.toLowerCase());
    if (found === undefined) return { rcode: NXDOMAIN };
    return { answers: found.filter((record) => record.type === type || record.type === "CNAME") };
  };

export const a = (data: string): TestRecord => ({ type: "A", data });
export const aaaa = (data: string): TestRecord => ({ type: "AAAA", data });
export const cname = (data: string): TestRecord => ({ type: "CNAME", data });

/** A listener that no guarded connection may reach. */
export const startCanary = (port = 0): Promise<TcpServer> => startTcpServer({ host: CANARY_HOST, port });

/** A target of a caller's, with time enough. */
export const target = (host: string, port: number, more: Partial<DialTarget> = {}): DialTarget => ({
  host,
  port,
  isOperatorsWord: false,
  timeoutMs: 30_000,
  ...more,
});

/** What `resolve` says, with addresses as texts. */
export async function resolved({ dialer }: Dialing, wish: DialTarget) {
  const host = await dialer.resolve(wish);
  return "addresses" in host ? { ...host, addresses: host.addresses.map(({ text }) => text) } : host;
}
