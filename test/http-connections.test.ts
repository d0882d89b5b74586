import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { TokenScope } from "../src/accounts/token-scopes.ts";
import { type GateWorld, startGateWorld } from "./gate-world.ts";
import { exchangeRaw, openSocket, readAnswer } from "./raw-http.ts";
import { startTestService, type TestAccount, type TestService, until } from "./service.ts";

/*
 * Several requests on one connection: what is broken takes no answer from what stood before it, and a caller who leaves pays
 * nothing (RFC 9112 9.3.2, design 13.2, security P7, P18, P25).
 */

let service: TestService;
let account: TestAccount;
beforeAll(async () => {
  service = await startTestService();
});
beforeEach(async () => {
  account = await service.openAccount({ credits: 1000 });
});
afterAll(() => service.close());

const checkIp = ({ key }: TestAccount, ip: string, headers = "") => {
  const body = JSON.stringify({ ip });
  return (
    `POST /api/check-ip HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\n` +
    `${headers}Content-Length: ${body.length}\r\n\r\n${body}`
  );
};
const statuses = (raw: string) => [...raw.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => status);
const untilClosed = () => false;

test.each([
  ["no HTTP", "\u0016\u0003 garbage\r\n\r\n", ["200", "400"]],
  [
    "two lengths",
    "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
    ["200", "400"],
  ],
  ["a header of 20 KB", `GET / HTTP/1.1\r\nHost: x\r\nX-A: ${"a".repeat(20_000)}\r\n\r\n`, ["200", "431"]],
])("a call is answered before what is broken behind it: %s", async (_what, broken, expected) => {
  const { raw } = await exchangeRaw(service.port, checkIp(account, "8.8.8.8") + broken, untilClosed);
  expect(statuses(raw)).toEqual(expected);
  expect(await service.balanceOf(account)).toBe(999);
});

describe("beside the framework", () => {
  let world: GateWorld;
  let tokens: { gate: string; decisions: string; edge: string };
  beforeAll(async () => {
    world = await startGateWorld({ file: { exports: [{ name: "edge", min_score: 1 }] } });
    const { email } = world.account;
    const { accounts } = world.service;
    const made = async (scope: TokenScope) => (await accounts.createToken({ email, scopes: [scope] })).text;
    const scopes = ["decisions", "exports:edge"] as const;
    const [decisions, edge] = await Promise.all(scopes.map(made));
    tokens = { gate: world.token, decisions: decisions ?? "", edge: edge ?? "" };
    const ready = () => fetch(`${world.service.address}/x/${edge}/edge.txt`, { method: "HEAD" });
    await until(async () => (await ready()).status === 200);
  });
  afterAll(() => world.close());

  const ask = (path: string, token: string, more = ""): string =>
    `GET ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${token}\r\n${more}\r\n`;

  test("what waits for a body or a token is answered before what is broken behind it", async () => {
    const { port, accounts } = world.service;
    const { email } = world.account;
    const gate = () => ask("/api/gate", tokens.gate);
    const stream = ask("/lapi/v1/decisions/stream?startup=true", tokens.decisions);
    const anew = await accounts.createToken({ email, scopes: ["gate"] });
    const fresh = await accounts.createToken({ email, scopes: ["exports:edge"] });
    const conditional = ask("/api/exports/edge.txt", fresh.text, "If-None-Match: *\r\n");
    for (const [octets, expected] of [
      [stream, ["200"]],
      [ask("/api/gate", anew.text), ["200"]],
      [conditional, ["304"]],
      [stream + gate() + gate(), ["200", "200", "200"]],
    ] as const) {
      const { raw } = await exchangeRaw(port, `${octets}no HTTP\r\n\r\n`, untilClosed);
      expect(statuses(raw)).toEqual([...expected, "400"]);
    }
  });
});

test("a call that ends its connection is answered whatever follows", async () => {
  const octets = `${checkIp(account, "8.8.8.8", "Connection: close\r\n")}\u0001`;
  const { raw } = await exchangeRaw(service.port, octets, untilClosed);
  expect(statuses(raw)).toEqual(["200"]);
  expect(await service.balanceOf(account)).toBe(999);
});

test("what breaks in the middle of a body is refused at once", async () => {
  const octets =
    `POST /api/check-ip HTTP/1.1\r\nHost: x\r\nX-API-Key: ${account.key}\r\nContent-Type: application/json\r\n` +
    "Transfer-Encoding: chunked\r\n\r\nno length\r\n";
  const { raw } = await exchangeRaw(service.port, octets, untilClosed);
  expect(statuses(raw)).toEqual(["400"]);
  expect(await service.balanceOf(account)).toBe(1000);
});

test("a caller who ends the connection with the call gets no answer and pays nothing", async () => {
  let answered = 0;
  for (let i = 0; i < 20; i++) {
    const socket = await openSocket(service.port);
    socket.end(checkIp(account, "8.8.8.8"));
    answered += (await readAnswer(socket, untilClosed)).count;
  }
  expect(await service.balanceOf(account)).toBe(1000 - answered);
});

test("no more than a hundred requests of a connection are at work at once, and each has its answer in its place", async () => {
  const octets = "GET /livez HTTP/1.1\r\nHost: x\r\n\r\n".repeat(300);
  const isDone = (raw: string) => statuses(raw).length >= 300 && raw.endsWith("}");
  const { raw } = await exchangeRaw(service.port, octets, isDone);
  const seen = statuses(raw);
  expect(seen).toHaveLength(300);
  expect(seen.slice(0, 100)).toEqual(Array.from({ length: 100 }, () => "200"));
  expect(new Set(seen)).toEqual(new Set(["200", "503"]));
  expect(raw).toContain("More than 100 requests wait on this connection");
});

test("calls sent one behind the other are all answered when the service stops, the last one with `Connection: close`", async () => {
  const stopping = await startTestService({
    dns: () => "silence",
    file: { dns: { timeout_ms: 1000 } },
  });
  const caller = await stopping.openAccount({ credits: 10 });
  const calls = checkIp(caller, "198.41.0.4") + checkIp(caller, "198.41.0.5");
  const answer = exchangeRaw(stopping.port, calls, untilClosed);
  await expect.poll(() => stopping.dns.questions.length, { interval: 5, timeout: 20_000 }).toBeGreaterThan(0);
  await stopping.close();
  const { raw } = await answer;
  expect(statuses(raw)).toEqual(["200", "200"]);
  expect(raw.match(/^connection: close\r$/gim)).toHaveLength(1);
});

/** All that comes, with 100 among it, for a caller who sends a body when asked for it. */
async function askedAndAnswered(octets: string) {
  const socket = await openSocket(service.port);
  let raw = "";
  socket.on("data", (chunk) => {
    raw += chunk.toString("latin1");
    if (raw.endsWith("100 Continue\r\n\r\n")) socket.write('{"ip":"8.8.8.8"}');
  });
  socket.write(octets);
  await new Promise((resolve) => socket.once("close", resolve));
  return statuses(raw);
}

test("a caller who waits to be asked for the body is asked when nothing else refuses the call", async () => {
  const waiting = (path: string, more: string) =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nExpect: 100-continue\r\n${more}\r\n`;
  const key = `X-API-Key: ${account.key}\r\n`;
  const refused = [
    [waiting("/api/check-ip", "Content-Length: 16\r\n"), "401"],
    [waiting("/api/nowhere", `${key}Content-Length: 16\r\n`), "404"],
    [waiting("/api/health", `${key}Content-Length: 16\r\n`), "405"],
    [waiting("/api/check-ip", `${key}Content-Length: 1048577\r\n`), "413"],
    [waiting("/api/gate", "Content-Length: 16\r\n"), "401"],
  ] as const;
  for (const [octets, status] of refused) expect(await askedAndAnswered(octets)).toEqual([status]);
  const whole = waiting("/api/check-ip", `${key}Content-Length: 16\r\n`);
  expect(await askedAndAnswered(whole)).toEqual(["100", "200"]);
  expect(await service.balanceOf(account)).toBe(999);
});

const ENDLESS = [
  ["GET", "/api/health", "200"],
  ["GET", "/status", "200"],
  ["POST", "/api/gate", "401"],
  ["GET", "/api/gate?ip=192.0.2.1", "401"],
  ["GET", "/lapi/v1/decisions", "403"],
  ["POST", "/lapi/v1/usage-metrics", "403"],
] as const;

test.each(ENDLESS)(
  "%s %s is answered, and a body without end behind it is not taken",
  async (method, path, status) => {
    const socket = await openSocket(service.port);
    socket.write(`${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n`);
    const drip = setInterval(() => socket.write("1\r\nx\r\n"), 100);
    const { raw } = await readAnswer(socket, untilClosed);
    clearInterval(drip);
    expect(statuses(raw)).toEqual([status]);
  },
);

test("a body beside what reads none, of a length that is taken, leaves the connection as it is", async () => {
  const socket = await openSocket(service.port);
  const answered = readAnswer(socket, untilClosed);
  socket.write(
    "POST /lapi/v1/usage-metrics HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n",
  );
  await new Promise((resolve) => setTimeout(resolve, 2500));
  socket.write("GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n");
  const { raw } = await answered;
  expect(statuses(raw)).toEqual(["403", "200"]);
});
