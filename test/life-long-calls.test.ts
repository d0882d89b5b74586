import { expect, test } from "vitest";
import { systemClock } from "../src/base/clock.ts";
import { callService, startTestService } from "./service.ts";

/* Calls that take longer than a service that stops may wait for them: refused in time, uncharged (security P25). */

const names = (count: number, of: string) => Array.from({ length: count }, (_, i) => `silent.${of}${i}.com`);

const LONG: readonly (readonly [path: string, body: object])[] = [
  ["/api/bulk/domain-reputation", { domains: names(100, "bulk-names") }],
  ["/api/bulk/email-reputation", { emails: names(60, "bulk-mail").map((name) => `a@${name}`) }],
  ["/api/bulk/check-ip", { ips: Array.from({ length: 100 }, (_, i) => `198.41.${i}.4`) }],
  ["/api/domain-reputation", { domain: "silent.example.net" }],
  ["/api/url-reputation", { url: "https://silent.example.org/" }],
  ["/api/free/domain-check", { domain: "silent.example.com" }],
];
/** A part of what each of them asks the resolver. */
const ASKED = ["bulk-names", "bulk-mail", ".41.198.", "example.net", "example.org", "example.com"];

const LOOK_MS = 100;

/** Counts how long this thread wanted a processor and had none: that is the machine's other work, and none of the service's. */
function watchForOthers(): () => number {
  let [lastMs, cpu, waitedMs] = [systemClock.monotonicMs(), process.threadCpuUsage(), 0];
  const timer = setInterval(() => {
    const nowMs = systemClock.monotonicMs();
    const { user, system } = process.threadCpuUsage(cpu);
    waitedMs += Math.max(0, nowMs - lastMs - LOOK_MS - (user + system) / 1000);
    [lastMs, cpu] = [nowMs, process.threadCpuUsage()];
  }, LOOK_MS);
  return () => {
    clearInterval(timer);
    return waitedMs;
  };
}

test("a service that stops refuses what takes too long with 503, charges nothing for it and tells of no fault", async () => {
  const service = await startTestService({ dns: () => "silence", file: { dns: { timeout_ms: 20_000 } } });
  // One account alone would wait for its share of questions.
  const accounts = await Promise.all(LONG.map(() => service.openAccount({ credits: 1000 })));
  const accountOf = (i: number) => accounts[i] ?? expect.fail("No account");
  const calls = LONG.map(([path, body], i) => {
    const key = path.startsWith("/api/free/") ? {} : { key: accountOf(i).key };
    return callService(service.port, { path, body, ...key });
  });
  const isAsked = (part: string) =>
    service.dns.questions.some(({ name }) => name.toLowerCase().includes(part));
  await expect.poll(() => ASKED.filter((part) => !isAsked(part)), { timeout: 20_000 }).toEqual([]);
  const startedMs = systemClock.monotonicMs();
  const waited = watchForOthers();
  const closed = service.close();
  const answers = await Promise.all(calls);
  const stopping = { status: 503, closing: "close", mayAskAgain: true, charged: 0 };
  for (const [i, { status, headers, text }] of answers.entries()) {
    const charged = 1000 - (await service.balanceOf(accountOf(i)));
    const seen = { status, closing: headers["connection"], charged };
    // A single call may end in time, and is charged for it then.
    if (status === 200 && !LONG[i]?.[0].includes("/bulk/")) {
      expect(charged).toBe(Number(headers["x-credits-charged"] ?? 0));
      continue;
    }
    const mayAskAgain = Number(headers["retry-after"]) > 0 && text.includes("The service is stopping");
    expect({ ...seen, mayAskAgain }).toEqual(stopping);
  }
  await closed;
  expect(systemClock.monotonicMs() - startedMs - waited()).toBeLessThan(10_000);
  expect(service.logged()).not.toMatch(/"level":"(error|fatal)"/);
});
