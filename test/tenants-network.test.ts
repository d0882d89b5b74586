import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { until } from "./servers/dns-client.ts";
import { onInternet } from "./servers/resolvers.ts";
import { startWebServer } from "./servers/web-server.ts";
import { startTestService, type TestService } from "./service.ts";

/** Names of the domains `hang….com` are never answered; all others have an address. */
const HANGING = /(^|\.)hang\w*\.com$/i;
let hostileQuestions = 0;
let service: TestService;
beforeAll(async () => {
  service = await startTestService({
    file: { dns: { timeout_ms: 2000 }, fetch: { allow_networks: ["127.0.0.0/8"], timeout_ms: 1500 } },
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

describe("accounts that ask for names that are never answered", () => {
  test.each([
    ["of one domain", (i: number) => `n${i}.hang.com`],
    ["of a domain each", (i: number) => `hang${i}.com`],
  ])(
    "%s delay no other account's look-up",
    async (_, name) => {
      const victim = await service.openAccount();
      const hostile = await Promise.all(
        Array.from({ length: 3 }, () => service.openAccount({ plan: "Pro" })),
      );
      let ended = 0;
      const calls = hostile.flatMap(({ key }, i) =>
        ["/api/bulk/dns-lookup", "/api/bulk/domain-reputation"].map((path) =>
          service
            .call({
              path,
              key,
              body: { domains: hundred((n) => (i === 0 ? name(n) : `${"x".repeat(i)}.${name(n)}`)) },
            })
            .finally(() => ended++),
        ),
      );
      const before = hostileQuestions;
      await until(() => hostileQuestions > before + 100);
      for (let i = 0; i < 3; i++) {
        const domain = `victim${i}.org`;
        const answer = await service.call({
          path: "/api/dns-lookup",
          key: victim.key,
          body: { domain, record_type: "A" },
        });
        expect(answer.of("data", "records", "A", "0", "value")).toBe("127.0.0.1");
      }
      // Whoever waited for one of theirs to end would have come after it.
      expect(ended).toBe(0);
      await Promise.all(calls);
    },
    180_000,
  );
});

test("an account has eight connections at once to a stranger's server, however it asks", async () => {
  let most = 0;
  const server = await startWebServer(() => {
    most = Math.max(most, server.open());
    return undefined;
  });
  const { key } = await service.openAccount({ plan: "Pro" });
  const urls = (host: (i: number) => string) => hundred((i) => `http://${host(i)}:${server.port}/${i}`);
  const ask = (path: string, body: unknown) => service.call({ path, key, body });
  await Promise.all([
    ask("/api/bulk/url-reputation", { urls: urls((i) => `w${i}.example.org`).slice(0, 20) }),
    ask("/api/bulk/url-reputation", { urls: urls(() => "127.0.0.1").slice(0, 20) }),
    ask("/api/url-reputation", { url: `http://other.example.com:${server.port}/` }),
  ]);
  expect(most).toBe(8);
});
