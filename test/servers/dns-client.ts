import { afterEach } from "vitest";
import { type Clock, systemClock, systemRandom } from "../../src/base/clock.ts";
import { createDns, type DnsSettings } from "../../src/net/dns/dns.ts";
import type { Dns, DnsClient, RecordType } from "../../src/net/dns/dns-types.ts";
import { startDnsServer, type TestDnsServer, type TestRecord, type TestScript } from "./dns-server.ts";

/** Long enough never to pass by itself in a test. */
const TIMEOUT_MS = 30_000;
/** What `outcome` gives when no server answered. */
export const TIMEOUT = `timeout: No answer within ${TIMEOUT_MS} ms`;
/** What `outcome` gives after an answer that cannot be read. */
export const BROKEN = "error: The resolver's answer is not a valid DNS message";

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A DNS server that is closed after the test. */
export async function serve(
  script: TestScript,
  options?: Parameters<typeof startDnsServer>[1],
): Promise<TestDnsServer> {
  const server = await startDnsServer(script, options);
  closers.push(server.close);
  return server;
}

/** A resolver client of these servers, closed after the test. */
export function client(servers: readonly TestDnsServer[], settings: Partial<DnsSettings> = {}): DnsClient {
  const dns = createDns({
    servers: servers.map(({ address }) => address),
    timeoutMs: TIMEOUT_MS,
    clock: systemClock,
    random: systemRandom,
    ...settings,
  });
  closers.push(dns.close);
  return dns;
}

/** An A record. */
export const addressRecord = (data: string, name?: string): TestRecord => ({
  type: "A",
  data,
  ...(name && { name }),
});

/** Answers every question with 192.0.2.1. */
export const one: TestScript = () => ({ answers: [addressRecord("192.0.2.1")] });

/** The rcode and the records' data, or the failure's reason and detail. */
export async function outcome(dns: Dns, name = "www.example.com", type: RecordType = "A"): Promise<string> {
  const answer = await dns.query(name, type);
  if (answer.state === "unavailable") return `${answer.reason}: ${answer.detail}`;
  const data = answer.value.answers.map((record) => ("data" in record ? String(record.data) : ""));
  return `${answer.value.rcode} ${data.join(" ")}`.trim();
}

/** Resolves when it holds. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await systemClock.sleep(2);
}

export type MovableClock = Clock & { readonly move: (ms: number) => void };

/** A clock whose durations the test moves; waiting is real. */
export function createMovableClock(): MovableClock {
  let movedMs = 0;
  return {
    ...systemClock,
    monotonicMs: () => systemClock.monotonicMs() + movedMs,
    move: (ms) => {
      movedMs += ms;
    },
  };
}

export type StoppedClock = Clock & { readonly advance: (ms: number) => void };

/** Time stands still until `advance`. */
export function createStoppedClock(): StoppedClock {
  let nowMs = 0;
  const sleepers = new Set<{ readonly atMs: number; readonly wake: () => void }>();
  return {
    now: () => new Date(1_800_000_000_000 + nowMs),
    monotonicMs: () => nowMs,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const sleeper = { atMs: nowMs + ms, wake: resolve };
        sleepers.add(sleeper);
        signal?.addEventListener("abort", () => {
          sleepers.delete(sleeper);
          reject(signal.reason);
        });
      }),
    advance: (ms) => {
      nowMs += ms;
      for (const sleeper of [...sleepers].filter(({ atMs }) => atMs <= nowMs)) {
        sleepers.delete(sleeper);
        sleeper.wake();
      }
    },
  };
}
