import { hash } from "node:crypto";
import type { Redis } from "ioredis";
import { z } from "zod";
import { type Clock, systemRandom } from "../../base/clock.ts";
import { createTrust } from "../../net/tls/tls-trust.ts";
import { HANG_UP_WINDOW_MS, MAX_HANG_UPS } from "./hang-ups.ts";
import { type LimitScripts, limitScripts } from "./scripts.ts";
import { createMemoryCheck, MARK_KEPT_MS } from "./valkey-memory.ts";
import { createPatience, type ValkeyTimeout } from "./valkey-timeout.ts";

/** What one start asks of the server. */
export type Take = {
  readonly bucket: string;
  /** Whose abandoned calls count against it; null: none. */
  readonly owner: string | null;
  readonly windowMs: number;
  readonly limit: number;
  /** Null: starts only. */
  readonly concurrency: number | null;
  readonly leaseMs: number;
  /** Of this start alone, in all processes. */
  readonly id: string;
};

export type Taken = {
  readonly outcome: "admitted" | "requests" | "concurrency" | "hang-ups";
  readonly starts: number;
  readonly inFlight: number;
  /** Until a start is free; 0 while there is one. */
  readonly waitMs: number;
};

/** The limits' state in Valkey or Redis. All reject soon when the server is away, and say nothing of what it did. */
export type Valkey = {
  readonly take: (order: Take) => Promise<Taken>;
  readonly release: (bucket: string, id: string) => Promise<unknown>;
  readonly renew: (bucket: string, ids: readonly string[], leaseMs: number) => Promise<unknown>;
  /** Notes an abandoned call; `id` is of this one alone. */
  readonly noteHangUp: (owner: string, id: string) => Promise<unknown>;
  /**
   * Rejects unless the server does all that limits ask of it, and keeps what it was told: a replica, a full disk, a missing permission or
   * a server that evicts answers a PING. Called about once a second.
   */
  readonly probe: () => Promise<void>;
  /** The server's policy where it may evict keys; null where it may not, or does not say. */
  readonly evictionPolicy: () => Promise<string | null>;
  readonly close: () => void;
};

export type ValkeyOptions = {
  /** `redis://…` or `rediss://…` */
  readonly url: string;
  /** Further authorities (PEM) that may have signed the server's certificate; null: those that Node trusts. */
  readonly caFile?: string | null;
  readonly clock: Clock;
  /** Longest wait for an answer. A busy machine must not look like a server that is gone. */
  readonly timeoutMs?: number;
  /** Before every key. */
  readonly prefix?: string;
  readonly scripts?: LimitScripts;
};

const TIMEOUT_MS = 1000;
const PROBE: Take = {
  ...{ bucket: "probe", id: "probe", owner: null },
  ...{ windowMs: 1, limit: 1, concurrency: Number.MAX_SAFE_INTEGER, leaseMs: 1 },
};

/** Resolves after the first attempt to connect, whatever came of it; connects again after every loss. The driver is loaded only here. */
export async function openValkey(options: ValkeyOptions): Promise<Valkey> {
  const { url, clock, timeoutMs = TIMEOUT_MS, prefix = "repute:", scripts = limitScripts() } = options;
  const redis = await createClient(url, { timeoutMs, caFile: options.caFile ?? null });
  const memory = createMemoryCheck(clock);
  redis.on("connect", memory.restart);
  const patiently = createAsking(redis, { clock, timeoutMs });
  const connected = redis.connect().catch(() => undefined);
  await Promise.race([connected, clock.sleep(timeoutMs)]);
  const runTake = createScript(redis, scripts.take);
  const hangUp = createScript(redis, scripts.hangUp);
  const mark = createScript(redis, scripts.mark);
  const { starts, flights, hangUps } = keyNames(prefix);
  const marks = `${prefix}{probe ${systemRandom.uuid()}}:mark`;
  const hangUpTerms = [HANG_UP_WINDOW_MS * 1000, MAX_HANG_UPS];
  // By its text: a second try by the text could come after the release of a lease, and bring it back.
  const renew = (bucket: string, ids: readonly string[], leaseMs: number) =>
    patiently(redis.eval(scripts.renew, 1, flights(bucket), leaseMs * 1000, ...ids));
  const release = (bucket: string, id: string) => patiently(redis.zrem(flights(bucket), id));
  const noteHangUp = (owner: string, id: string) => patiently(hangUp([hangUps(owner)], [...hangUpTerms, id]));
  const take: Valkey["take"] = async ({ bucket, owner, windowMs, limit, concurrency, leaseMs, id }) => {
    const keys = [starts(bucket), flights(bucket)];
    const args = [windowMs * 1000, limit, concurrency ?? -1, leaseMs * 1000, id];
    const taking =
      owner === null ? runTake(keys, args) : runTake([...keys, hangUps(owner)], [...args, ...hangUpTerms]);
    return readTaken(await patiently(taking), { id, giveUp: () => redis.disconnect(true) });
  };
  return {
    ...{ take, release, renew, noteHangUp },
    probe: async () => {
      // All that calls ask for, with every command in it: a start that is the last of its window of 1 ms, in a bucket of its own.
      const taking = take(PROBE);
      const asked = [renew("probe", ["probe"], 1), release("probe", "probe"), noteHangUp("probe", "probe")];
      await Promise.all([taking, ...asked]);
      await memory.probe(async () => (await patiently(mark([marks], [MARK_KEPT_MS]))) === 1);
    },
    evictionPolicy: async () => evictionPolicyOf(await patiently(redis.info("memory").catch(() => ""))),
    close: () => redis.disconnect(),
  };
}

/** Waits for answers as long as they may take, and says why none comes. */
function createAsking(
  redis: Redis,
  { clock, timeoutMs }: { readonly clock: Clock; readonly timeoutMs: number },
): ValkeyTimeout {
  const faults = watchFaults(redis);
  // A connection that says nothing may be one of which the other side knows nothing any more.
  const onSilence = (): void => redis.disconnect(true);
  const waitFor = createPatience({ clock, timeoutMs, onSilence });
  // A process that starts is held up again and again.
  watchGreetings(redis, createPatience({ clock, timeoutMs: 5 * timeoutMs, onSilence }));
  return async (answer) => {
    const value = await waitFor(answer).catch((error: unknown) => {
      const isApart = error instanceof Error && error.message.startsWith("Stream isn't writeable");
      throw faults.ofConnection() ?? (isApart ? new Error(`No connection within ${timeoutMs} ms`) : error);
    });
    const refusal = faults.ofSelect();
    if (refusal !== null) throw refusal;
    return value;
  };
}

/**
 * A connection whose greeting is not answered is one that says nothing, too: the driver waits for the answer for ever, and takes no
 * command before it.
 */
function watchGreetings(redis: Redis, waitFor: ValkeyTimeout): void {
  let answered = (): void => undefined;
  redis.on("connect", () => {
    const greeting = new Promise<void>((resolve) => {
      answered = resolve;
    });
    waitFor(greeting).catch(() => undefined);
  });
  for (const event of ["ready", "close"]) redis.on(event, () => answered());
}

/**
 * Why the last connection failed: a command that finds none says only that there is none. And why the URL's database could not
 * be chosen: what the connection answers is then of another one.
 */
function watchFaults(redis: Redis) {
  let ofConnection: unknown = null;
  let ofSelect: unknown = null;
  redis.on("error", (error) => {
    ofConnection = error;
    if (isOfSelect(error)) ofSelect = error;
  });
  redis.on("connect", () => {
    ofSelect = null;
  });
  redis.on("ready", () => {
    ofConnection = null;
  });
  redis.on("close", () => {
    ofConnection ??= new Error("The connection was lost");
  });
  return { ofConnection: () => ofConnection, ofSelect: () => ofSelect };
}

/** Whether an error is the server's answer to the driver's own choice of a database. */
const isOfSelect = (error: unknown): boolean => selectFault.safeParse(error).success;
const selectFault = z.object({ command: z.object({ name: z.literal("select") }) });

/** From what INFO says of the memory: a bound, and a policy other than to refuse what goes beyond it. */
function evictionPolicyOf(info: string): string | null {
  const facts = new Map(info.split("\r\n").map((line) => [line.split(":")[0], line.split(":")[1]]));
  const policy = facts.get("maxmemory_policy") ?? "noeviction";
  return policy === "noeviction" || (facts.get("maxmemory") ?? "0") === "0" ? null : policy;
}

async function createClient(
  url: string,
  { timeoutMs, caFile }: { readonly timeoutMs: number; readonly caFile: string | null },
): Promise<Redis> {
  const { Redis: Client } = await import("ioredis");
  const isSecure = new URL(url).protocol === "rediss:";
  return new Client(url, {
    ...(isSecure && caFile !== null ? { tls: { secureContext: createTrust(caFile).current } } : {}),
    // No command waits for a server that is away: it fails at once.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    enableReadyCheck: false,
    lazyConnect: true,
    connectTimeout: timeoutMs,
    keepAlive: 5000,
    retryStrategy: (times) => Math.min(100 * times, 1000),
  });
}

/** The braces keep all keys of an owner on one node of a cluster. */
function keyNames(prefix: string) {
  const nameOf = (bucket: string): string => {
    const end = bucket.indexOf(" ");
    return end < 0 ? `${prefix}{${bucket}}` : `${prefix}{${bucket.slice(0, end)}}${bucket.slice(end)}`;
  };
  return {
    starts: (bucket: string) => `${nameOf(bucket)}:starts`,
    flights: (bucket: string) => `${nameOf(bucket)}:flights`,
    hangUps: (owner: string) => `${nameOf(owner)}:hang-ups`,
  };
}

type RunScript = (keys: readonly string[], args: readonly (string | number)[]) => Promise<unknown>;

/** A script by its hash; the server learns its text when it does not know it, as after a restart. */
function createScript(redis: Redis, text: string): RunScript {
  const sha1 = hash("sha1", text);
  return async (keys, args) => {
    try {
      return await redis.evalsha(sha1, keys.length, ...keys, ...args);
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith("NOSCRIPT"))) throw error;
      return redis.eval(text, keys.length, ...keys, ...args);
    }
  };
}

const OUTCOMES = ["admitted", "requests", "concurrency", "hang-ups"] as const;

/** An answer without the question's id is another one's, as will be all that follow it: `giveUp` ends the connection. */
function readTaken(
  reply: unknown,
  { id, giveUp }: { readonly id: string; readonly giveUp: () => void },
): Taken {
  const [code = -1, starts = 0, inFlight = 0, waitUs = 0, of] = Array.isArray(reply) ? reply : [];
  const outcome = OUTCOMES[Number(code)];
  if (of === id && outcome !== undefined)
    return { outcome, starts: Number(starts), inFlight: Number(inFlight), waitMs: Number(waitUs) / 1000 };
  giveUp();
  throw new TypeError("The limits' script answered something else than it should");
}
