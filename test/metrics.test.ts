import { once } from "node:events";
import { createServer } from "node:net";
import { sql } from "kysely";
import { afterEach, describe, expect, test } from "vitest";
import { systemClock } from "../src/base/clock.ts";
import { forEachDatabase } from "./databases.ts";
import { readMetrics } from "./metrics-page.ts";
import { exchangeRaw, openSocket } from "./raw-http.ts";
import { startTestService, type TestService, type TestServiceOptions, until } from "./service.ts";
import { createServicePlace, endServiceProcesses, startServiceProcess } from "./service-process.ts";

const services: TestService[] = [];
afterEach(async () => {
  await Promise.all(services.splice(0).map((service) => service.close()));
  await endServiceProcesses();
});

async function start(listen: string | null, options: Pick<TestServiceOptions, "databaseUrl"> = {}) {
  const service = await startTestService({ file: { metrics: { listen } }, ...options });
  services.push(service);
  const port = /"address":"http:\/\/127\.0\.0\.1:(\d+)"/.exec(service.logged())?.[1];
  return { service, metricsPort: Number(port) };
}

const ask = (port: number, requestLine: string) =>
  exchangeRaw(port, `${requestLine} HTTP/1.1\r\nHost: metrics\r\nConnection: close\r\n\r\n`, () => false);

async function scrape(port: number) {
  const { raw, status } = await ask(port, "GET /metrics");
  expect(status).toBe(200);
  expect(raw).toContain("Content-Type: text/plain; version=0.0.4; charset=utf-8\r\n");
  const page = raw.slice(raw.indexOf("\r\n\r\n") + 4);
  return { page, value: readMetrics(page) };
}

describe("metrics.listen", () => {
  test("serves a page whose counters move with the calls, and which names no key, account or target", async () => {
    const { service, metricsPort } = await start("127.0.0.1:0");
    const { key, id, email } = await service.openAccount({ credits: 1 });
    const earlier = (await scrape(metricsPort)).value;
    expect(earlier('repute_calls_total{endpoint="check-ip",status="200"}')).toBeUndefined();
    expect(earlier("repute_ready")).toBe(1);
    const call = { path: "/api/check-ip", body: { ip: "9.9.9.9" } };
    for (const status of [200, 402]) expect((await service.call({ ...call, key })).status).toBe(status);
    expect((await service.call({ ...call, key: "rpt_wrong" })).status).toBe(401);
    expect((await service.call({ ...call, path: "/api/free/check-ip" })).status).toBe(200);
    expect((await service.call({ method: "GET", path: "/nowhere" })).status).toBe(404);
    // A call has ended when its connection has; the caller may know a moment earlier.
    await until(async () => (await scrape(metricsPort)).value("repute_calls_in_flight") === 0);
    const { page, value } = await scrape(metricsPort);
    for (const status of [200, 401, 402]) {
      expect(value(`repute_calls_total{endpoint="check-ip",status="${status}"}`)).toBe(1);
    }
    expect(value('repute_calls_total{endpoint="other",status="404"}')).toBe(1);
    expect(value('repute_free_calls_total{endpoint="/api/free/check-ip",status="200"}')).toBe(1);
    expect(value('repute_credits_charged_total{endpoint="check-ip"}')).toBe(1);
    expect(value('repute_call_seconds_count{endpoint="check-ip"}')).toBe(3);
    expect(value('repute_engine_answers_total{engine="ipsum_3",outcome="clear"}')).toBe(2);
    expect(value('repute_engine_entries{engine="ipsum_3"}')).toBeGreaterThan(0);
    expect(value("process_resident_memory_bytes")).toBeGreaterThan(0);
    expect(value('repute_cache_looks_total{cache="reverse_dns",outcome="asked"}')).toBe(1);
    expect(value('repute_cache_looks_total{cache="reverse_dns",outcome="kept"}')).toBe(1);
    expect(value('repute_cache_looks_total{cache="domain_registration",outcome="asked"}')).toBe(0);
    for (const secret of [key, id, email, "9.9.9.9", "rpt_"]) expect(page).not.toContain(secret);
  });

  test("serves nothing but the page, and the service's own port does not serve it", async () => {
    const { service, metricsPort } = await start("127.0.0.1:0");
    expect(await ask(metricsPort, "GET /")).toMatchObject({ status: 404 });
    expect(await ask(metricsPort, "GET /metrics/x")).toMatchObject({ status: 404 });
    expect((await ask(metricsPort, "POST /metrics")).raw).toContain("\r\nAllow: GET, HEAD\r\n");
    expect((await ask(metricsPort, "HEAD /metrics")).raw).toMatch(/^HTTP\/1\.1 200 [\s\S]*\r\n\r\n$/);
    expect((await service.call({ method: "GET", path: "/metrics" })).status).toBe(404);
  });

  test("is off by default", async () => {
    const { service, metricsPort } = await start(null);
    expect(metricsPort).toBeNaN();
    expect((await service.call({ method: "GET", path: "/metrics" })).status).toBe(404);
  });

  test("with a port that is taken ends the start with one line and status 1", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const address = other.address();
    const port = address !== null && typeof address === "object" ? address.port : 0;
    const place = await createServicePlace(null, { file: { metrics: { listen: `127.0.0.1:${port}` } } });
    const { status, error, out } = await startServiceProcess(place.env).ended;
    other.close();
    expect({ status, error }).toEqual({
      status: 1,
      error: `error: Cannot listen on 127.0.0.1:${port}: the port is taken\n`,
    });
    expect(out).not.toContain("Listening");
  });
});

forEachDatabase(
  (_dialect, database) => {
    test("no request is under way any more whose caller left while the token was looked up", async () => {
      const { service, metricsPort } = await start("127.0.0.1:0", { databaseUrl: database.url() });
      const { email } = await service.openAccount();
      const inFlight = async () => (await scrape(metricsPort)).value("repute_calls_in_flight");
      const paths = ["/x/TOKEN/edge.txt", "/api/gate?ip=192.0.2.1", "/lapi/v1/decisions/stream"];
      const texts = await Promise.all(
        paths.map(() =>
          service.accounts.createToken({ email, scopes: ["exports:edge", "decisions", "gate"] }),
        ),
      );
      await until(async () => (await inFlight()) === 0);
      const other = await database.open();
      await other.kysely.transaction().execute(async (transaction) => {
        await sql`lock table access_tokens in access exclusive mode`.execute(transaction);
        for (const [i, path] of paths.entries()) {
          const token = texts[i]?.text ?? "";
          const socket = await openSocket(service.port);
          const head = `Host: x\r\nX-API-Key: ${token}\r\nIf-None-Match: *\r\n\r\n`;
          socket.write(`GET ${path.replace("TOKEN", token)} HTTP/1.1\r\n${head}`);
          const asks = sql<{ n: string }>`select count(*) as n from pg_locks where not granted`;
          await until(async () => Number((await asks.execute(transaction)).rows[0]?.n) > 0);
          await systemClock.sleep(100);
          socket.destroy();
        }
        await systemClock.sleep(300);
      });
      await systemClock.sleep(500);
      expect(await inFlight()).toBe(0);
    });
  },
  { hasSqlite: false },
);
