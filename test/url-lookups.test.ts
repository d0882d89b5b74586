import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type Lookups, openLookups } from "../src/app/open-lookups.ts";
import { type Clock, systemClock } from "../src/base/clock.ts";
import { utf8Of } from "../src/base/json-text.ts";
import { createLog } from "../src/base/log.ts";
import { createWork } from "../src/base/work.ts";
import { styleFor } from "../src/cli/paint.ts";
import { loadConfig } from "../src/config/config.ts";
import { openDatabase } from "../src/db/database.ts";
import { bulkInputOf, callBulk } from "../src/metering/bulk.ts";
import { urlReputation } from "../src/products/url-reputation/product.ts";
import { at } from "./contract.ts";
import { createCaller, startLedger } from "./ledger-setting.ts";
import { putSnapshots } from "./prepared-snapshots.ts";
import { startDnsServer, type TestDnsServer } from "./servers/dns-server.ts";
import { onInternet } from "./servers/resolvers.ts";
import { redirect, response, startWebServer, type WebAnswer } from "./servers/web-server.ts";
import { environmentOf, until } from "./service.ts";

const SITE = "127.1.0.7";

/** The machine's clock, which a test may put forward; sleepers whose time is over wake. */
function createJumpingClock(): Clock & { readonly jump: (ms: number) => void } {
  let aheadMs = 0;
  const jumps = new Set<() => void>();
  const monotonicMs = () => systemClock.monotonicMs() + aheadMs;
  return {
    now: () => new Date(systemClock.now().getTime() + aheadMs),
    monotonicMs,
    sleep: async (ms, signal) => {
      const dueMs = monotonicMs() + ms;
      const awake = new AbortController();
      const onJump = () => (monotonicMs() >= dueMs ? awake.abort() : undefined);
      jumps.add(onJump);
      try {
        await systemClock.sleep(
          ms,
          AbortSignal.any([awake.signal, ...(signal === undefined ? [] : [signal])]),
        );
      } catch (error) {
        if (signal?.aborted) throw error;
      } finally {
        jumps.delete(onJump);
      }
    },
    jump: (ms) => {
      aheadMs += ms;
      for (const onJump of jumps) onJump();
    },
  };
}

let dir: string;
let dns: TestDnsServer;
let lookups: Lookups;
const clock = createJumpingClock();
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "url-lookups-"));
  await putSnapshots(dir);
  dns = await startDnsServer(onInternet(() => ({ rcode: 3 })));
  const file = { fetch: { allow_networks: ["127.1.0.0/16"], timeout_ms: 60_000 } };
  const config = loadConfig({ env: environmentOf(dir, dns, { file }), cwd: dir });
  const log = createLog({ level: "fatal", destination: { write: () => undefined } });
  lookups = await openLookups(config, { log, clock });
  await lookups.whenReady();
});
afterAll(async () => {
  await lookups.close();
  await dns.close();
  rmSync(dir, { recursive: true });
});

const serve = (answer: WebAnswer) => startWebServer(answer, { host: SITE });

describe("a batch of URLs", () => {
  test("ends at its deadline with the finished ones, and charges every one", async () => {
    const bulk = urlReputation.bulk;
    if (bulk === null) throw new Error("URLs are looked up in batches");
    const fast = await serve(() =>
      response("<title>Fast</title>", { headers: { "Content-Type": "text/html" } }),
    );
    const slow = await serve(() => undefined);
    const urls = Array.from({ length: 100 }, (_, i) => `${i === 0 ? fast.url : slow.url}/${i}`);
    const db = await openDatabase({ url: join(dir, "batch.db"), clock: systemClock });
    onTestFinished(() => db.close());
    const setting = await startLedger({ url: () => "", open: async () => db });
    const { caller } = await createCaller(setting, 1000);
    const call = {
      requestId: "batch",
      endpoint: "bulk/url-reputation",
      caller,
      findAgain: () => caller,
      clientAddress: "127.0.0.1",
      startedMs: clock.monotonicMs(),
      signal: new AbortController().signal,
      isGone: () => false,
      work: createWork(),
      describe: () => undefined,
      keep: null,
      policy: null,
      view: "standard" as const,
      faults: [],
      render: utf8Of,
    };
    const parts = {
      deps: lookups.deps,
      clock,
      ledger: setting.ledger,
      missingParts: () => [],
      storeTargets: false,
    };
    const product = { product: urlReputation, variant: bulk, input: bulkInputOf(urlReputation, bulk) };
    const answer = callBulk(parts, product, { urls }, call);
    // Eight are at work: the ninth slow one is asked when the fast one is done.
    await until(() => slow.requests.length === bulk.concurrency);
    clock.jump(bulk.deadlineMs);
    const { body, charged } = await answer;
    const data: unknown = JSON.parse(body.toString());
    expect(charged).toBe(200);
    expect(data).toMatchObject({ total_items: 100, successful: 1 + bulk.concurrency, credits_charged: 200 });
    const result = (i: number) => at(data, ["results", String(i)]);
    expect(result(0)).toMatchObject({ status: "success", result: { url_fetch_status: "ok" } });
    expect(result(8)).toMatchObject({ status: "success", result: { url_fetch_status: "timeout" } });
    expect(result(9)).toMatchObject({ status: "error", error: "timeout: the batch ran out of time" });
    expect(slow.requests.length).toBe(bulk.concurrency);
  });
});

describe("on a terminal", () => {
  const printed = async (url: string) => {
    const result = await urlReputation.prepare({ url }).run(lookups.deps, {
      signal: new AbortController().signal,
      deadlineMs: clock.monotonicMs() + urlReputation.deadlineMs,
    });
    return result.print(styleFor({ hasColours: false }), "standard");
  };
  const groupOf = (text: string, title: string) =>
    text
      .split("\n\n")
      .find((group) => group.startsWith(`${title}\n`))
      ?.split("\n")
      .slice(1)
      .map((line) => line.trim().replace(/ +/g, " "));

  test("a report fits 80 columns and says the verdict, why, where it leads, what is there and who says so", async () => {
    const page =
      `<title>${"Long title ".repeat(20)}</title><script src=https://cdn.example/x.js></script>` +
      "<form action=https://elsewhere.example/x><input type=password><input name=cc-number></form>";
    const server = await serve(({ path }) =>
      path === "/"
        ? redirect(`/${"x".repeat(200)}`)
        : response(page, { headers: { "Content-Type": "text/html" } }),
    );
    const text = await printed(`${server.url}/`);
    expect(text.split("\n").filter((line) => line.length > 80)).toEqual([]);
    expect(groupOf(text, "Where it leads")?.slice(-2)).toEqual([
      "Status fetched: HTTP/1.1 200 Status",
      "From page, as of this report",
    ]);
    expect(groupOf(text, "Where it leads")?.[0]).toMatch(/^302 http:\/\/127\.1\.0\.7:\d+\/x+$/);
    expect(groupOf(text, "Page")).toContain("Asks for a password, a card number");
    expect(groupOf(text, "Page")).toContain("Sends to https://elsewhere.example/x");
    expect(groupOf(text, "Host")?.[0]).toContain(SITE);
    expect(text).toMatch(/\n +\d+ +\w.*\n/);
  });

  test("a redirect to a host of the shipped phishing list is named, though that host has no address", async () => {
    const location = "http://secure_portal_coinbasehelp.typedream.app/";
    const server = await serve(() => redirect(location));
    const text = await printed(`${server.url}/`);
    expect(groupOf(text, "Where it leads")).toEqual([
      `302 ${location}`,
      "Listed redirects to a listed host, named by 1 engine",
      "Status no address was found (The host name has no A or AAAA record)",
      expect.stringMatching(/^From 302: page, as of this report · Listed: lists \d+ to \d+ days old ·$/),
      "Status: page, without an answer for this report",
    ]);
    expect(text.replace(/\s+/g, " ")).toContain(
      "Redirects to a listed host: listed as phishing by Phishing.Database active domains (exact name, redirect 1)",
    );
  });

  test("a page that could not be fetched is no page, and the checks left open are counted", async () => {
    const text = await printed("http://127.200.0.1/");
    expect(groupOf(text, "Where it leads")).toEqual([
      "Status not fetched: leads to a forbidden address (private address)",
      "From page, without an answer for this report",
    ]);
    expect(groupOf(text, "Page")).toBeUndefined();
    expect(text.replace(/\s+/g, " ")).toMatch(/Not known: .*\d+ security checks/);
    expect(text).not.toContain("security_checks.");
  });
});
