import { type Clock, systemClock } from "../../src/base/clock.ts";
import { createPageFetch } from "../../src/net/page-fetch/fetch.ts";
import type { FetchedPage, PageRequest } from "../../src/net/page-fetch/fetch-types.ts";
import { createTrust } from "../../src/net/tls/tls-trust.ts";
import { a, aaaa, CANARY_HOST, cname, createDialing, zone } from "./dialing.ts";
import type { TestDnsServer, TestScript } from "./dns-server.ts";
import { TEST_CA_FILE } from "./web-server.ts";

/** Names of the tests: two sites on opened addresses, and ways inside. */
const LAB = zone({
  "www.example.com": [a("127.0.0.1")],
  "other.example": [a("127.0.0.1")],
  "inside.example": [a(CANARY_HOST)],
  "mixed.example": [a("127.0.0.1"), a(CANARY_HOST)],
  "mixed6.example": [a("127.0.0.1"), aaaa("::1")],
  "alias.example": [cname("localhost")],
});

const TRUST = createTrust(TEST_CA_FILE);

export type Browser = {
  readonly fetchPage: (url: string, more?: Partial<PageRequest>) => Promise<FetchedPage>;
  readonly dns: TestDnsServer;
};

/** A page fetch over the tests' resolver that follows no refresh unless told. */
export async function createBrowser({
  clock = systemClock,
  script = LAB,
  timeoutMs = 30_000,
  maxBytes = 100_000,
  userAgent,
}: {
  readonly clock?: Clock;
  readonly script?: TestScript;
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
  readonly userAgent?: string;
} = {}): Promise<Browser> {
  const { dialer, dns } = await createDialing({ script, clock });
  const pageFetch = createPageFetch({
    dialer,
    clock,
    trust: TRUST,
    options: { timeoutMs, maxBytes, userAgent },
  });
  return {
    fetchPage: (url, more) => pageFetch({ url: new URL(url), refreshOf: () => null, ...more }),
    dns,
  };
}
