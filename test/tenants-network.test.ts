import type { Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "../src/base/clock.ts";
import { until } from "./servers/dns-client.ts";
import { openConnectionsTo } from "./servers/kernel-connections.ts";
import { onInternet } from "./servers/resolvers.ts";
import { startWebServer } from "./servers/web-server.ts";
import { startTestService, type TestAccount, type TestService } from "./service.ts";

/** Names of the domains `hang….com` are never answered; all others have an address. */
const HANGING = /(^|\.)hang\w*\.com$/i;
const PAGE =
  "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok";
let hostileQuestions = 0;
let service: TestService;
beforeAll(async () => {
  service = await startWithFetchTime(20_000);
});
afterAll(() => service.close());

const startWithFetchTime = (timeoutMs: number): Promise<TestService> =>
  startTestService({
    file: { dns: { timeout_ms: 2000 }, fetch: { allow_networks: ["127.0.0.0/8"], timeout_ms: timeoutMs } },
    dns: onInternet(({ name, type }) => {
      if (HANGING.test(name)) {
        hostileQuestions++;
        return "silence";
      }
      return { answers: type === "A" ? [{ type: "A", data: "127.0.0.1" }] : [] };
    }),
  });

const hundred = (name: (i: number) => string) => Array.from({ length: 100 }, (_, i) => name(i));

/** Three accounts' largest batches, each account's of names of its own; `ended` tells how many are over. */
async function ask(name: (i: number) => string) {
  const accounts = await Promise.all(Array.from({ length: 3 }, () => service.openAccount({ plan: "Pro" })));
  const before = hostileQuestions;
  let ended = 0;
  const calls = accounts.flatMap(({ key }, i) =>
    ["/api/bulk/dns-lookup", "/api/bulk/domain-reputation"].map((path) => {
      const domains = hundred((n) => (i === 0 ? name(n) : `${"x".repeat(i)}.${name(n)}`));
      return service.call({ path, key, body: { domains } }).finally(() => ended++);
    }),
  );
  const questions = () => hostileQuestions - before;
  return { over: Promise.all(calls), ended: () => ended, questions };
}

async function expectAnswers({ key }: TestAccount): Promise<void> {
  for (let i = 0; i < 3; i++) {
    const body = { domain: `victim${i}.org`, record_type: "A" };
    const answer = await service.call({ path: "/api/dns-lookup", key, body });
    expect(answer.of("data", "records", "A", "0", "value")).toBe("127.0.0.1");
  }
}

describe("accounts that ask for names that are never answered", () => {
  test("of a domain each delay no other account's look-up", async () => {
    const victim = await service.openAccount();
    const hostile = await ask((i) => `hang${i}.com`);
    await until(() => hostile.questions() > 100);
    await expectAnswers(victim);
    // A call that waited for one of theirs to end would have come after it.
    expect(hostile.ended()).toBe(0);
    await hostile.over;
  });

  test("of one domain are soon asked for no more", async () => {
    const victim = await service.openAccount();
    const hostile = await ask((i) => `n${i}.hang.com`);
    await until(() => hostile.questions() > 40);
    await expectAnswers(victim);
    await hostile.over;
    // Their calls have some ten thousand; before a zone rests, 48 are under way, each asked for twice at most.
    expect(hostile.questions()).toBeLessThan(1000);
  });
});

/** Asks for 41 pages of a stranger's server, under many names and under one, at once. */
async function askForPages({ openAccount, call }: TestService, port: number): Promise<void> {
  const { key } = await openAccount({ plan: "Pro" });
  const urls = (host: (i: number) => string) => hundred((i) => `http://${host(i)}:${port}/${i}`).slice(0, 20);
  await Promise.all([
    call({ path: "/api/bulk/url-reputation", key, body: { urls: urls((i) => `w${i}.example.org`) } }),
    call({ path: "/api/bulk/url-reputation", key, body: { urls: urls(() => "127.0.0.1") } }),
    call({ path: "/api/url-reputation", key, body: { url: `http://other.example.com:${port}/` } }),
  ]);
}

// The kernel's count is Linux's.
describe.skipIf(process.platform !== "linux")("a stranger's server", () => {
  test("has eight connections at once of an account, however it asks", async () => {
    const held: Socket[] = [];
    let [isHolding, most] = [true, 0];
    const server = await startWebServer((_, socket) => {
      most = Math.max(most, openConnectionsTo(server.port));
      if (!isHolding) return PAGE;
      held.push(socket);
      return undefined;
    });
    const calls = askForPages(service, server.port);
    await until(() => held.length === 8);
    // A ninth would come by now.
    await systemClock.sleep(500);
    isHolding = false;
    for (const socket of held) socket.end(PAGE);
    await calls;
    expect([most, held.length, server.connections.length > 8]).toEqual([8, 8, true]);
  });

  test("that never answers has no more of them after those whose time is over", async () => {
    const impatient = await startWithFetchTime(1500);
    let most = 0;
    const server = await startWebServer(() => {
      most = Math.max(most, openConnectionsTo(server.port));
      return undefined;
    });
    await askForPages(impatient, server.port);
    await impatient.close();
    expect([most <= 8, server.connections.length > 8]).toEqual([true, true]);
  });
});
