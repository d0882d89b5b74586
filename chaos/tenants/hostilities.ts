import { Agent, type IncomingMessage, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { HostileOrder, Hostility } from "./words.ts";

/** Where a hostility notes what came of its calls, and when it is over. */
export type Campaign = { readonly signal: AbortSignal; readonly note: (status: string) => void };

/** The callers of an order, until its signal. */
export const hostilitiesOf = (order: HostileOrder, campaign: Campaign): readonly Promise<void>[] =>
  PLANS[order.hostility](order).map((open) => call(order, open(), campaign));

/** What one caller asks for, again and again. */
type Caller = {
  readonly headers: Readonly<Record<string, string>>;
  /** The next call. */
  readonly next: () => Call | Promise<Call>;
  /** Between the beginnings of two calls. */
  readonly everyMs?: number;
};

type Call = {
  readonly path: string;
  /** GET without one. */
  readonly body?: object;
  /** Hangs up this long after sending. */
  readonly leaveAfterMs?: number;
};

let counter = 0;
/** A number that no other call has. */
const fresh = (): number => ++counter;

const HUNDRED = Array.from({ length: 100 }, (_, i) => i);
const BULK_ENDPOINTS = ["dns-lookup", "domain-reputation"] as const;
/** Callers for each slot: a refused one tries again before a slot is free. */
const PRESSING = [0, 1, 2];
/** As long as nothing that is hung up is yet given up. */
const PATIENT_MS = 3500;

/** Half of the zones never answer, half do so late. */
const badName = (): string => {
  const n = fresh();
  return `n${n}.${n % 2 === 0 ? "silent" : "slow"}${n}.com`;
};

const callerOf = (key: string, next: Caller["next"]): Caller => ({ headers: { "x-api-key": key }, next });

const forEachKey =
  (callers: (key: string, order: HostileOrder) => readonly Caller["next"][]) =>
  (order: HostileOrder): readonly (() => Caller)[] =>
    order.keys.flatMap((key) => callers(key, order).map((next) => () => callerOf(key, next)));

const silentZones = forEachKey(() =>
  PRESSING.flatMap((i) => [
    ...BULK_ENDPOINTS.map((name) => () => ({
      path: `/api/bulk/${name}`,
      body: { domains: HUNDRED.map(badName) },
    })),
    () => ({ path: "/api/bulk/email-reputation", body: { emails: HUNDRED.map(() => `a@${badName()}`) } }),
    () => ({ path: "/api/domain-reputation", body: { domain: badName() } }),
    // All types, abandoned when most of its questions still wait.
    () => ({
      path: "/api/dns-lookup",
      body: { domain: badName() },
      ...(i === 0 ? { leaveAfterMs: PATIENT_MS } : {}),
    }),
  ]),
);

/** Of another host, on one of 250 machines: two in three heavy, the others silent. */
const badPage = ({ web }: HostileOrder): string => {
  const n = fresh();
  return `http://h${n}.page${n}.com:${web}/${n % 3 === 0 ? "silent" : "heavy"}/${n}`;
};

const heavyPages = forEachKey((_, order) =>
  PRESSING.flatMap(() => [
    () => ({ path: "/api/bulk/url-reputation", body: { urls: HUNDRED.map(() => badPage(order)) } }),
    () => ({ path: "/api/url-reputation", body: { url: badPage(order) } }),
  ]),
);

const strangers = ({ web }: HostileOrder): readonly string[] => [
  `http://h0.page0.com:${web}/silent`,
  ...HUNDRED.slice(1, 50).map(() => `http://h${fresh()}.example.com:${web}/`),
];

const abandoned = forEachKey((_, order) =>
  PRESSING.flatMap(() => [
    () => ({ path: "/api/bulk/url-reputation", body: { urls: strangers(order) }, leaveAfterMs: 700 }),
    () => ({ path: "/api/bulk/dns-lookup", body: { domains: HUNDRED.map(badName) }, leaveAfterMs: 300 }),
    () => ({ path: "/api/dns-lookup", body: { domain: badName() }, leaveAfterMs: 50 }),
    () => ({ path: "/api/check-ip", body: { ip: `9.9.${fresh() % 250}.9` }, leaveAfterMs: 0 }),
  ]),
);

const REFUSED_CALLERS = 50;

function refused({ keys, perSecond }: HostileOrder): readonly (() => Caller)[] {
  const callers = Math.min(REFUSED_CALLERS, perSecond);
  return Array.from({ length: callers }, (_, i) => () => ({
    ...callerOf(keys[i % keys.length] ?? "", () => ({ path: "/api/check-ip", body: { ip: "9.9.9.9" } })),
    everyMs: (1000 * callers) / perSecond,
  }));
}

/** Sessions of each account, and how often each of them asks: as often as a session may. */
const SESSIONS = 5;
const SESSION_EVERY_MS = 100;
const VIEWS = ["/overview", "/overview", "/usage", "/keys", "/feeds", "/overview", "/sessions"] as const;

function dashboard(order: HostileOrder): readonly (() => Caller)[] {
  return order.keys.flatMap((key) =>
    Array.from({ length: SESSIONS }, () => () => {
      const cookie = openSession(order.port, key);
      const headers: Record<string, string> = {};
      const next = async (): Promise<Call> => {
        headers["cookie"] = await cookie;
        return { path: `/api/dashboard${VIEWS[fresh() % VIEWS.length] ?? ""}` };
      };
      return { headers, next, everyMs: SESSION_EVERY_MS };
    }),
  );
}

/** The cookie of a session that a key opened. */
async function openSession(port: number, key: string): Promise<string> {
  const origin = `http://127.0.0.1:${port}`;
  for (;;) {
    const response = await fetch(`${origin}/api/dashboard/sign-in`, {
      method: "POST",
      headers: { "content-type": "application/json", origin },
      body: JSON.stringify({ api_key: key }),
    });
    const [cookie = ""] = (response.headers.get("set-cookie") ?? "").split(";", 1);
    await response.arrayBuffer();
    if (response.status === 200) return cookie;
    if (response.status !== 429) throw new Error(`No session is opened: ${response.status}`);
    await sleep(1000);
  }
}

const PLANS: Readonly<Record<Hostility, (order: HostileOrder) => readonly (() => Caller)[]>> = {
  "silent zones": silentZones,
  "heavy pages": heavyPages,
  dashboard,
  "refused calls": refused,
  "abandoned calls": abandoned,
};

/** After a refusal, where nothing says when to begin the next call. */
const RETRY_MS = 200;

async function call({ port }: HostileOrder, caller: Caller, { signal, note }: Campaign): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const { everyMs } = caller;
  let dueMs = performance.now();
  while (!signal.aborted) {
    const wish = await caller.next();
    const status = await callOnce({ port, agent, headers: caller.headers }, wish, signal);
    note(status);
    dueMs = everyMs === undefined ? performance.now() : dueMs + everyMs;
    const waitMs = everyMs === undefined ? (status === "200" ? 0 : RETRY_MS) : dueMs - performance.now();
    await sleep(Math.max(0, waitMs), undefined, { signal }).catch(() => undefined);
  }
  agent.destroy();
}

type Line = {
  readonly port: number;
  readonly agent: Agent;
  readonly headers: Readonly<Record<string, string>>;
};

/** The status, `left` where the caller hung up, or `none`. */
async function callOnce(line: Line, wish: Call, signal: AbortSignal): Promise<string> {
  const { path, body, leaveAfterMs } = wish;
  const text = body === undefined ? "" : JSON.stringify(body);
  const headers = {
    ...line.headers,
    ...(body === undefined
      ? {}
      : { "content-type": "application/json", "content-length": String(Buffer.byteLength(text)) }),
  };
  const method = body === undefined ? "GET" : "POST";
  const { promise, resolve } = Promise.withResolvers<string>();
  const sent = request({ ...line, host: "127.0.0.1", path, method, headers });
  const leave = () => {
    resolve("left");
    sent.destroy();
  };
  signal.addEventListener("abort", leave, { once: true });
  const timer = leaveAfterMs === undefined ? null : setTimeout(leave, leaveAfterMs);
  sent.once("error", () => resolve("none"));
  sent.once("response", (response: IncomingMessage) => {
    response.once("close", () => resolve(String(response.statusCode)));
    response.resume();
  });
  sent.end(text);
  const status = await promise;
  if (timer !== null) clearTimeout(timer);
  signal.removeEventListener("abort", leave);
  return status;
}
