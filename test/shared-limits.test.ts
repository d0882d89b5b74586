import { afterEach, expect, test, vi } from "vitest";
import { systemRandom } from "../src/base/clock.ts";
import { startTcpProxy } from "./servers/tcp-proxy.ts";
import { startTestService, type TestService, type TestServiceOptions } from "./service.ts";
import { PATIENT_MS, valkeyUrl, withValkey } from "./valkey.ts";

const services: TestService[] = [];
afterEach(async () => {
  // The second on a data folder before the first, which removes it.
  for (const service of services.splice(0).toReversed()) await service.close();
});

async function start(options: TestServiceOptions): Promise<TestService> {
  const service = await startTestService(options);
  services.push(service);
  return service;
}

const health = async (service: TestService) =>
  (await service.call({ method: "GET", path: "/api/health" })).of("data");

test("with Valkey away the service starts, keeps its own limits, and its health says so", async () => {
  const service = await start({ valkeyUrl: "redis://:its-password@127.0.0.1:1" });
  expect(await health(service)).toMatchObject({ status: "degraded", database: true, limits: "process" });
  const { key } = await service.openAccount({ plan: "Free" });
  const answer = await service.call({ path: "/api/check-ip", key, body: { ip: "8.8.8.8" } });
  expect([answer.status, answer.headers["x-ratelimit-limit"]]).toEqual([200, "2"]);
  expect(service.logged().match(/Valkey is unavailable/g)).toHaveLength(1);
  expect(service.logged()).not.toContain("its-password");
});

test("without VALKEY_URL the health says nothing of limits", async () => {
  const service = await start({});
  expect(await health(service)).toEqual({
    status: "ok",
    service: "Repute",
    version: expect.any(String),
    database: true,
  });
});

withValkey(() => {
  test("two services on one Valkey share a client's minute, and their health follows it away and back", async () => {
    const proxy = await startTcpProxy(Number(new URL(valkeyUrl).port || 6379));
    const url = `redis://127.0.0.1:${proxy.port}`;
    const first = await start({ valkeyUrl: url });
    const second = await start({ valkeyUrl: url, dataDir: first.dataDir });
    for (const service of [first, second]) {
      const isWell = async () => Object(await health(service)).status === "ok";
      await vi.waitUntil(isWell, { timeout: PATIENT_MS, interval: 20 });
    }
    // A client of this run's own: the server remembers others.
    const from = `127.${[...systemRandom.bytes(3)].map((octet) => 1 + (octet % 254)).join(".")}`;
    const wish = { path: "/api/free/check-ip", from, body: { ip: "8.8.8.8" } };
    const call = async (service: TestService) => {
      const { status, headers } = await service.call(wish);
      return [status, headers["x-ratelimit-remaining"]];
    };
    const answers = [];
    for (const service of [first, second, first, second, first, second]) answers.push(await call(service));
    expect(answers).toEqual([
      [200, "4"],
      [200, "3"],
      [200, "2"],
      [200, "1"],
      [200, "0"],
      [429, "0"],
    ]);
    await proxy.down();
    // Two of the five were its own.
    expect(await call(second)).toEqual([200, "2"]);
    expect(await health(second)).toMatchObject({ status: "degraded", database: true, limits: "process" });
    await proxy.up();
    const isBack = async () => Object(await health(second)).status === "ok";
    await vi.waitUntil(isBack, { timeout: PATIENT_MS, interval: 20 });
    expect((await call(second))[0]).toBe(429);
  });
});
