import type { Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { forEachDatabase, type TestDatabase } from "./databases.ts";
import { openSocket, readAnswer } from "./raw-http.ts";
import {
  callPatiently,
  keepsSilent,
  startTestService,
  type TestAccount,
  type TestService,
  until,
} from "./service.ts";
import { valkeyUrl } from "./valkey.ts";

/* Callers who leave before their answers: design 13.2, security audit 5 and 16. */

const running: TestService[] = [];
afterEach(async () => {
  for (const service of running.splice(0)) await service.close();
});

/** So long the resolver is waited for: what asked it is under way for as long. */
const TIMEOUT_MS = 2500;

/** Services on one database, with Valkey where that is PostgreSQL; their resolver never answers. */
async function startSilent(database: TestDatabase, count = 1) {
  const url = database.url();
  const shared = url.startsWith("postgres") ? { databaseUrl: url, valkeyUrl } : {};
  const services: TestService[] = [];
  for (let i = 0; i < count; i++) {
    const service = await startTestService({ ...shared, file: { dns: { timeout_ms: TIMEOUT_MS } } });
    running.push(service);
    services.push(service);
    await until(async () => (await service.call({ method: "GET", path: "/readyz" })).status === 200);
    service.dns.use(keepsSilent);
  }
  return services;
}

type Wish = { readonly path: string; readonly body: object };
const CHECK_IP: Wish = { path: "/api/check-ip", body: { ip: "198.41.0.4" } };
/** Each of a zone of its own. */
const dnsLookup = (i: number): Wish => ({ path: "/api/dns-lookup", body: { domain: `zone${i}.com` } });

const textOf = ({ key }: TestAccount, { path, body }: Wish): string => {
  const text = JSON.stringify(body);
  return (
    `POST ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\n` +
    `Content-Length: ${text.length}\r\n\r\n${text}`
  );
};

/** Resolves when a call is at work that asks the resolver for a name. */
const untilAsked = ({ dns }: TestService, sought: string) =>
  until(async () => dns.questions.some(({ name }) => name.toLowerCase() === sought));

/** Slots that are taken on an endpoint, as a call that is refused for its body sees them; its own is not among them. */
async function slotsTaken(service: TestService, { key }: TestAccount, path: string): Promise<number> {
  const { headers } = await callPatiently(service, { path, key, body: {} });
  return Number(headers["x-concurrency-limit"]) - Number(headers["x-concurrency-remaining"]) - 1;
}

/** The ways to leave. */
const WAYS: readonly [string, (socket: Socket) => void][] = [
  ["closes", (socket) => socket.destroy()],
  ["resets", (socket) => socket.resetAndDestroy()],
  ["ends its side", (socket) => socket.end()],
];

forEachDatabase((dialect, database) => {
  test.each(WAYS)(
    "a caller who %s keeps the slot until the questions of the call are gone",
    async (_what, leave) => {
      const [service] = await startSilent(database);
      if (service === undefined) throw new Error("There is no service");
      const account = await service.openAccount();
      const socket = await openSocket(service.port);
      const beganMs = performance.now();
      socket.write(textOf(account, CHECK_IP));
      await untilAsked(service, "4.0.41.198.in-addr.arpa");
      leave(socket);
      expect(await slotsTaken(service, account, "/api/check-ip")).toBe(1);
      await until(async () => (await slotsTaken(service, account, "/api/check-ip")) === 0);
      // No question is given up before its time: the timer may be early by a millisecond.
      expect(performance.now() - beganMs).toBeGreaterThan(TIMEOUT_MS - 50);
    },
  );

  test.each(WAYS)("more than sixty calls of which the caller %s are answered 429", async (_what, leave) => {
    const services = await startSilent(database, dialect === "postgres" ? 2 : 1);
    const [first] = services;
    if (first === undefined) throw new Error("There is no service");
    const account = await first.openAccount();
    const other = await first.openAccount();
    const abandon = async (i: number): Promise<void> => {
      const service = services[i % services.length] ?? first;
      const socket = await openSocket(service.port);
      socket.write(textOf(account, dnsLookup(i)));
      await untilAsked(service, `zone${i}.com`);
      leave(socket);
      await new Promise((resolve) => socket.once("close", resolve));
    };
    for (let i = 0; i < 60; i++) await abandon(i);
    const probe = (service: TestService, { key }: TestAccount) =>
      service.call({ path: "/api/bulk/email-reputation", key, body: {} });
    expect((await probe(first, account)).status).toBe(422);
    await abandon(60);
    for (const service of services) {
      await until(async () => (await probe(service, account)).status === 429);
      const refused = await probe(service, account);
      expect(refused.headers).toMatchObject({
        "x-ratelimit-scope": "requests",
        "x-ratelimit-remaining": "0",
        "x-ratelimit-limit": "50",
      });
      const retryAfterS = Number(refused.headers["retry-after"]);
      expect(retryAfterS).toBeGreaterThanOrEqual(1);
      expect(retryAfterS).toBeLessThanOrEqual(60);
      expect(Number(refused.headers["x-ratelimit-reset-after"])).toBeGreaterThan(retryAfterS - 1);
      expect(refused.of("errors", "0", "message")).toMatch(
        /^More than 60 calls of this account were hung up/,
      );
      // Others are let in, and so is the account itself where nothing is metered.
      expect((await probe(service, other)).status).toBe(422);
      const subscription = { method: "GET", path: "/api/account/subscription", key: account.key };
      expect((await service.call(subscription)).status).toBe(200);
    }
    expect(await first.balanceOf(account)).toBe(1_500_000);
  });

  test("calls sent one behind the other are all abandoned with their connection, and their work ends", async () => {
    const [service] = await startSilent(database);
    if (service === undefined) throw new Error("There is no service");
    const account = await service.openAccount();
    const calls = Array.from({ length: 70 }, (_, i) => textOf(account, dnsLookup(i))).join("");
    const socket = await openSocket(service.port);
    socket.write(calls);
    await untilAsked(service, "zone69.com");
    socket.resetAndDestroy();
    await until(async () => {
      const path = "/api/check-ip";
      return (await service.call({ path, key: account.key, body: {} })).status === 429;
    });
  });

  test("answers that are refused, charged or cost nothing are not abandoned, though their connections end", async () => {
    const [service] = await startSilent(database);
    if (service === undefined) throw new Error("There is no service");
    const account = await service.openAccount();
    for (let i = 0; i < 70; i++) {
      const body = i % 2 === 0 ? {} : { ip: "nonsense" };
      const socket = await openSocket(service.port);
      socket.write(textOf(account, { path: "/api/check-ip", body }));
      const { status } = await readAnswer(socket);
      expect([422, 429]).toContain(status);
    }
    await until(async () => {
      const { status } = await service.call({ path: "/api/check-ip", key: account.key, body: {} });
      return status === 422;
    });
  });
});
