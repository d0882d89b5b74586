import { readFileSync } from "node:fs";
import { systemClock } from "../src/base/clock.ts";
import { unavailable } from "../src/base/failure.ts";
import { createPageAnalysis } from "../src/enrichment/page/analyse.ts";
import { createDialer } from "../src/net/dialer.ts";
import { createPageFetch } from "../src/net/page-fetch/fetch.ts";
import { onBehalfOf, partyOfAccount } from "../src/net/party.ts";
import { allowedNetworks } from "../src/net/ssrf-guard.ts";
import { createTrust } from "../src/net/tls/tls-trust.ts";
import { visitPage } from "../src/products/url-reputation/visit.ts";

/** What `memory-of-pages.test.ts` wants to know of a process that visits pages. */
export type PagesVisited = {
  /** How many mebibytes more than before it took at its worst. */
  readonly grownMb: number;
  /** How each visit ended, `ok` when the page was read as well. */
  readonly outcomes: readonly string[];
};

/** In mebibytes: `VmRSS`, or `VmHWM` for the highest so far. */
function memoryMb(name: "VmRSS" | "VmHWM"): number {
  const status = readFileSync("/proc/self/status", "latin1");
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1]) / 1024;
}

/** Visits a URL from so many accounts at once, so many times from each. */
async function visitAll(url: URL, accounts: number, visits: number): Promise<PagesVisited> {
  const clock = systemClock;
  const rules = { allowNetworks: allowedNetworks(["127.0.0.0/8"]), self: [], ownNetworks: [] };
  const dns = {
    query: async () => unavailable("dns", "error", "Nothing is asked here"),
    recall: () => null,
    configured: true,
    close: () => undefined,
  };
  const dialer = createDialer({ dns, clock, rules: () => rules });
  const options = { timeoutMs: 12_000, maxBytes: 5_242_880 };
  const pageFetch = createPageFetch({ dialer, clock, trust: createTrust(null), options });
  const pageAnalysis = createPageAnalysis({ clock });
  const visit = async (path: string): Promise<string> => {
    const deadlineMs = clock.monotonicMs() + 30_000;
    const context = { signal: new AbortController().signal, deadlineMs };
    const { fetched, read } = await visitPage(
      new URL(path, url),
      { pageFetch, pageAnalysis, clock },
      context,
    );
    return fetched.status === "ok" && read?.state !== "answered" ? "unread" : fetched.status;
  };
  await visit("/small");
  const beforeMb = memoryMb("VmRSS");
  const all = Array.from({ length: accounts * visits }, (_, i) =>
    onBehalfOf(partyOfAccount(`${i % accounts}`), () => visit(`/large?${i}`)),
  );
  const outcomes = await Promise.all(all);
  const grownMb = memoryMb("VmHWM") - beforeMb;
  await pageAnalysis.close();
  return { grownMb, outcomes };
}

const [, , address = "", accounts = "1", visits = "1"] = process.argv;
process.stdout.write(JSON.stringify(await visitAll(new URL(address), Number(accounts), Number(visits))));
