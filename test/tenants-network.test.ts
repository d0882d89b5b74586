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
  service = await startTestService({
    file: { dns: { timeout_ms: 2000 }, fetch: { allow_networks: ["127.0.0.0/8"], timeout_ms: 20_000 } },
    dns: onInternet(({ name, type }) => {
      if (HANGING.test(name)) {
        hostileQuestions++;
        return "silence";
      }
      return { answers: type === "A" ? [{ type: "A", data: "127.0.0.1" }] : [] };
    }),
  });
});
afterAll(() => service.close());

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
  }, 180_000);

  test("of one domain are soon asked for no more", async () => {
    const victim = await service.openAccount();
    const hostile = await ask((i) => `n${i}.hang.com`);
    await until(() => hostile.questions() > 40);
    await expectAnswers(victim);
    await hostile.over;
    // Their calls have some ten thousand; before a zone rests, 48 are under way, each asked for twice at most.
    expect(hostile.questions()).toBeLessThan(1000);
  }, 180_000);
});

// The kernel's count is Linux's.
test.skipIf(process.platform !== "linux")(
  "an account has eight connections at once to a stranger's server, however it asks",
  async () => {
    const held: Socket[] = [];
    let [isHolding, most] = [true, 0];
    const server = await startWebServer((_, socket) => {
      most = Math.max(most, openConnectionsTo(server.port));
      if (!isHolding) return PAGE;
      held.push(socket);
      return undefined;
    });
    const { key } = await service.openAccount({ plan: "Pro" });
    const urls = (host: (i: number) => string) => hundred((i) => `http://${host(i)}:${server.port}/${i}`);
    const call = (path: string, body: unknown) => service.call({ path, key, body });
    const calls = Promise.all([
      call("/api/bulk/url-reputation", { urls: urls((i) => `w${i}.example.org`).slice(0, 20) }),
      call("/api/bulk/url-reputation", { urls: urls(() => "127.0.0.1").slice(0, 20) }),
      call("/api/url-reputation", { url: `http://other.example.com:${server.port}/` }),
    ]);
    await until(() => held.length === 8);
    // A ninth would come by now.
    await systemClock.sleep(500);
    isHolding = false;
    for (const socket of held) socket.end(PAGE);
    await calls;
    expect([most, held.length, server.connections.length > 8]).toEqual([8, 8, true]);
  },
);
