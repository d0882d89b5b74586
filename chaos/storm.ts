import { Agent, type IncomingMessage, request } from "node:http";
import { systemClock } from "../src/base/clock.ts";

/** One call that a storm made. */
export type CallMade = {
  readonly id: string;
  /** Index of the account. */
  readonly account: number;
  readonly sentMs: number;
  readonly endedMs: number;
  /** Null: the connection ended without an answer. */
  readonly status: number | null;
};

/** Many callers at once, who call until they are told to stop. */
export type Storm = {
  readonly calls: readonly CallMade[];
  /** Calls with a status so far. */
  readonly count: (status: number | null) => number;
  /** Resolves when so many more calls got the status than when it was asked. */
  readonly more: (status: number | null, count: number) => Promise<void>;
  /** Resolves when all callers have ended by themselves: their accounts are spent. */
  readonly spent: Promise<void>;
  /** No new calls; resolves when those under way have ended. */
  readonly stop: () => Promise<void>;
};

export type StormOrder = {
  readonly keys: readonly string[];
  readonly connections: number;
  /** Ports of those who take calls now, as a balancer knows them. */
  readonly ports: () => readonly number[];
  /** Before every id: what another storm made is another call. */
  readonly name: string;
};

/** After this long without what was waited for, something is wrong. */
const PATIENCE_MS = 120_000;
const PAUSE_MS = 50;

/** Begins: connection i calls for account i modulo the accounts, again after every 429 and 503, and ends with a 402. */
export function beginStorm(order: StormOrder): Storm {
  const calls: CallMade[] = [];
  const counts = new Map<number | null, number>();
  const state = { isStopped: false };
  const note = (call: CallMade): void => {
    calls.push(call);
    counts.set(call.status, (counts.get(call.status) ?? 0) + 1);
  };
  const callers = Array.from({ length: order.connections }, (_, i) => callOn(i, order, state, note));
  const spent = Promise.all(callers).then(() => undefined);
  const count = (status: number | null) => counts.get(status) ?? 0;
  return {
    calls,
    count,
    more: async (status, more) => {
      const wanted = count(status) + more;
      const untilMs = performance.now() + PATIENCE_MS;
      while (count(status) < wanted) {
        if (performance.now() > untilMs) {
          throw new Error(`No ${more} more answers of ${status}; so far ${JSON.stringify([...counts])}`);
        }
        await systemClock.sleep(10);
      }
    },
    spent,
    stop: () => {
      state.isStopped = true;
      return spent;
    },
  };
}

async function callOn(
  caller: number,
  { keys, ports, name }: StormOrder,
  state: { readonly isStopped: boolean },
  note: (call: CallMade) => void,
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const account = caller % keys.length;
  try {
    for (let n = 0; !state.isStopped; n++) {
      const choice = ports();
      const port = choice[(caller + n) % Math.max(1, choice.length)];
      if (port === undefined) {
        await systemClock.sleep(PAUSE_MS);
        continue;
      }
      const id = `${name}-${caller}-${n}`;
      const sentMs = performance.now();
      const { status, waitMs } = await callOnce({ port, agent, id, key: keys[account] ?? "", n });
      note({ id, account, sentMs, endedMs: performance.now(), status });
      if (status === 402) return;
      if (status !== 200) await systemClock.sleep(waitMs);
    }
  } finally {
    agent.destroy();
  }
}

type One = {
  readonly port: number;
  readonly agent: Agent;
  readonly id: string;
  readonly key: string;
  readonly n: number;
};

async function callOnce({
  port,
  agent,
  id,
  key,
  n,
}: One): Promise<{ status: number | null; waitMs: number }> {
  const body = JSON.stringify({ ip: `8.8.${(n >> 8) % 64}.${n % 256}` });
  const headers = {
    "content-type": "application/json",
    "content-length": String(body.length),
    "x-api-key": key,
    "x-request-id": id,
  };
  const { promise, resolve } = Promise.withResolvers<IncomingMessage | null>();
  const call = request({ port, agent, host: "127.0.0.1", method: "POST", path: "/api/check-ip", headers });
  call.once("response", resolve);
  call.once("error", () => resolve(null));
  call.end(body);
  const response = await promise;
  if (response === null || !(await isWhole(response))) return { status: null, waitMs: PAUSE_MS };
  return { status: response.statusCode ?? null, waitMs: waitOf(response) };
}

const isWhole = (response: IncomingMessage): Promise<boolean> =>
  new Promise((resolve) => {
    response.once("error", () => resolve(false));
    response.once("close", () => resolve(response.complete));
    response.resume();
  });

/** As soon as a start is free: pressure on a limit shows whether it holds. */
function waitOf({ headers, statusCode }: IncomingMessage): number {
  if (statusCode !== 429) return PAUSE_MS;
  const seconds = Number(headers["x-ratelimit-reset-after"]);
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : 10;
}
