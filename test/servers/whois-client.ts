import { afterEach } from "vitest";
import { type Clock, systemClock } from "../../src/base/clock.ts";
import type { Answer } from "../../src/base/failure.ts";
import { createWhois, type Whois, type WhoisQuery } from "../../src/net/whois/whois.ts";
import { createDialing } from "./dialing.ts";
import { startWhoisServer, type TestWhoisScript, type TestWhoisServer } from "./whois-server.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A WHOIS server that is closed after the test. */
export async function serveWhois(
  script: TestWhoisScript,
  options?: Parameters<typeof startWhoisServer>[1],
): Promise<TestWhoisServer> {
  const server = await startWhoisServer(script, options);
  closers.push(server.close);
  return server;
}

/** A WHOIS client that may reach the opened half of loopback; no name resolves unless `dialing` says so. */
export async function whoisClient(dialing: Parameters<typeof createDialing>[0] = {}): Promise<Whois> {
  const { dialer } = await createDialing(dialing);
  return createWhois({ dialer, clock: dialing.clock ?? systemClock });
}

/** Asks one server by the operator's word, with time enough. */
export async function askWhois(
  { host, port }: TestWhoisServer,
  query: Partial<WhoisQuery> = {},
  clock: Clock = systemClock,
): Promise<Answer<string>> {
  const whois = await whoisClient({ clock });
  return whois.query({
    server: { host, port },
    question: "example.lab",
    isOperatorsWord: true,
    timeoutMs: 30_000,
    signal: new AbortController().signal,
    ...query,
  });
}
