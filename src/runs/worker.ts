import type { Caller, Ledger } from "../accounts/accounts.ts";
import { planOf } from "../accounts/plans.ts";
import { createFailureLog } from "../base/failure-log.ts";
import type { Log } from "../base/log.ts";
import { createWork } from "../base/work.ts";
import { isDatabaseUnavailable } from "../db/unavailable.ts";
import { halfOf } from "../metering/limits/headers.ts";
import type { LimitStore } from "../metering/limits/types.ts";
import { productNamed } from "../products/all.ts";
import type { Deps } from "../products/deps.ts";
import type { SealedProduct } from "../products/product.ts";
import { deleteBeyond } from "../results/result-rows.ts";
import { type BatchLine, lookUpBatch } from "./batch.ts";
import { createLeases, type Leases } from "./leases.ts";
import type { Run } from "./run.ts";
import type { RunsDeps } from "./runs.ts";
import { settleBatch } from "./settle-batch.ts";

export type WorkerDeps = RunsDeps & {
  readonly ledger: Pick<Ledger, "findSessionCaller">;
  readonly limits: Pick<LimitStore, "admit">;
  readonly deps: Deps;
  /** Parts of the data that are still being prepared. */
  readonly missingParts: () => readonly string[];
  readonly log: Pick<Log, "error" | "warn">;
  readonly storeTargets: boolean;
  /** Compressed answers that an account keeps. */
  readonly maxBytes: number;
};

export type Worker = {
  /** Looks for runs now: one was started. */
  readonly wake: () => void;
  /** Gives up what is at work, charging nothing for it, and lets others go on with the runs. */
  readonly close: () => Promise<void>;
};

/** Runs that one process works on at once. */
const MAX_RUNS = 4;
const LOOK_EVERY_MS = 2000;
/** How often a batch renews its lease, and looks whether it is still wanted. */
const RENEW_EVERY_MS = 2000;
const PREPARING_MS = 2000;
/** After so long a run waits behind those that have waited for longer. */
const SLICE_MS = 10_000;
/** So long a run waits for its account's limits before another account's has its turn. */
const PLACE_WAIT_MS = 1000;
/** Lines that are settled together: as many are looked up anew after a crash. */
const BATCH = 25;

/** Works through the runs of this database that no other process works on. */
export function createWorker(parts: WorkerDeps): Worker {
  const { clock, log } = parts;
  const leases = createLeases(parts.random.uuid(), parts);
  const stop = new AbortController();
  const underWay = new Set<Promise<void>>();
  let nudge = new AbortController();
  const work = async (run: Run): Promise<void> => {
    try {
      const next = await workOn(run, { ...parts, leases, signal: stop.signal });
      if (next === "waits") await leases.giveBack(run.id);
    } catch (error) {
      if (stop.signal.aborted) await leases.giveBack(run.id).catch(() => undefined);
      else await stopRun(run, error);
    }
  };
  const stopRun = async (run: Run, fault: unknown): Promise<void> => {
    const error = await parts.db.explain(fault);
    if (isDatabaseUnavailable(error)) {
      log.warn({ err: error, run: run.id }, "A bulk run waits for the database");
      return;
    }
    log.error({ err: error, run: run.id }, "A bulk run is paused by a fault");
    // Going on by itself it would fail over and over.
    await leases.end(run.id, "paused", "fault").catch(() => undefined);
  };
  const look = async (): Promise<void> => {
    while (underWay.size < MAX_RUNS && !stop.signal.aborted) {
      const run = await leases.take();
      if (run === null) return;
      const working: Promise<void> = work(run).finally(() => {
        underWay.delete(working);
        nudge.abort();
      });
      underWay.add(working);
    }
  };
  const failures = createFailureLog(log, "Cannot look for bulk runs; trying again every 2 seconds");
  const looking = (async (): Promise<void> => {
    while (!stop.signal.aborted) {
      await failures(look());
      await clock.sleep(LOOK_EVERY_MS, nudge.signal).catch(() => undefined);
      nudge = new AbortController();
    }
  })();
  return {
    wake: () => nudge.abort(),
    close: async () => {
      stop.abort(new Error("The service is stopping"));
      nudge.abort();
      await Promise.allSettled([looking, ...underWay]);
    },
  };
}

type RunParts = WorkerDeps & { readonly leases: Leases; readonly signal: AbortSignal };

/** Batch after batch until the run has ended, is paused, or is another's; "waits": its slice of time is over. */
async function workOn(run: Run, parts: RunParts): Promise<"waits" | "over"> {
  const { leases, clock, signal } = parts;
  const endMs = clock.monotonicMs() + SLICE_MS;
  for (;;) {
    signal.throwIfAborted();
    const own = await leases.renew(run.id);
    if (own === null) return "over";
    if (clock.monotonicMs() > endMs) return "waits";
    if (parts.missingParts().length > 0) {
      await clock.sleep(PREPARING_MS, signal);
      continue;
    }
    const next = await nextLines(own, parts);
    if (next === null) {
      await leases.end(run.id, "done");
      return "over";
    }
    const end = await workOff(own, { ...next, endMs }, parts);
    if (end !== "goes on") return end;
  }
}

type NextLines = { readonly product: SealedProduct; readonly lines: readonly BatchLine[] };

/** The first lines that wait, of one product; null: none does. */
async function nextLines({ id }: Run, { db: { kysely } }: RunParts): Promise<NextLines | null> {
  const waiting = kysely.selectFrom("bulk_run_items").where("run_id", "=", id).where("state", "=", "waiting");
  const first = await waiting.select("product").orderBy("product").limit(1).executeTakeFirst();
  if (first === undefined) return null;
  const product = productNamed(first.product ?? "");
  const rows = await waiting
    .select(["line", "target"])
    .where("product", "=", product.name)
    .orderBy("line")
    .limit(BATCH)
    .execute();
  return { product, lines: rows.map(({ line, target }) => ({ line, target: target ?? "" })) };
}

/** One batch, from the account's limits to its settlement. Of what the slice of time has no room for, no line is begun. */
async function workOff(
  run: Run,
  { product, lines, endMs }: NextLines & { readonly endMs: number },
  parts: RunParts,
): Promise<"over" | "waits" | "goes on"> {
  const { leases, clock, signal } = parts;
  const pause = (reason: "credits" | "session") =>
    leases.end(run.id, "paused", reason).then(() => "over" as const);
  const caller = run.sessionId === null ? null : await parts.ledger.findSessionCaller(run.sessionId);
  if (caller === null) return pause("session");
  const affordable = lines.slice(0, Math.floor(caller.credits / product.price));
  if (affordable.length === 0) return pause("credits");
  const work = createWork();
  const hold = holdWhile(run, parts);
  let release: (() => void) | null = null;
  try {
    release = await takePlace(caller, product, parts);
    if (release === null) return "waits";
    const startedMs = clock.monotonicMs();
    const batchCall = { caller, work, signal: hold.signal, endMs };
    const outcomes = await lookUpBatch(product, affordable, parts, batchCall);
    const elapsedMs = Math.round(clock.monotonicMs() - startedMs);
    const batch = { run, product, caller, outcomes, elapsedMs };
    const settlement = await settleBatch(batch, { ...parts, self: leases.self });
    if (settlement.state === "insufficient") return await pause("credits");
    if (settlement.state === "revoked") return await pause("session");
    if (settlement.state !== "charged") return "over";
    await deleteBeyond(parts.db.kysely, { accountId: caller.accountId, maxBytes: parts.maxBytes });
    return "goes on";
  } catch (error) {
    // Whose the run is, and who pays, is looked at anew.
    if (hold.isLost() && !signal.aborted) return "goes on";
    throw error;
  } finally {
    hold.end();
    if (release !== null) work.whenOver(release);
  }
}

/**
 * A start and an in-flight slot of the account, as a bulk call takes them. Null: its own calls leave none. Who keeps the limits
 * full must not hold a run's place in this process, of which there are few for all accounts.
 */
async function takePlace(
  { accountId, plan }: Caller,
  product: SealedProduct,
  { limits, clock, signal }: RunParts,
): Promise<(() => void) | null> {
  const perSecond = halfOf(planOf(plan).requestsPerSecond);
  const admit = () => limits.admit(`${accountId} bulk/${product.name}`, perSecond, accountId);
  const first = await admit();
  if (first.state === "admitted") return first.release;
  await clock.sleep(PLACE_WAIT_MS, signal);
  const second = await admit();
  return second.state === "admitted" ? second.release : null;
}

type Hold = {
  /** Ends with the service, and when the batch is lost. */
  readonly signal: AbortSignal;
  readonly isLost: () => boolean;
  readonly end: () => void;
};

/**
 * Keeps the lease while a batch takes longer than it. The batch is lost where the run was cancelled or deleted, is another's, or
 * its session has ended: nothing more is asked on behalf of who may ask no more.
 */
function holdWhile({ id, sessionId }: Run, { leases, ledger, clock, signal }: RunParts): Hold {
  const over = new AbortController();
  const lost = new AbortController();
  const isWanted = async (): Promise<boolean> =>
    (await leases.renew(id)) !== null &&
    sessionId !== null &&
    (await ledger.findSessionCaller(sessionId)) !== null;
  const holding = async (): Promise<void> => {
    while (!lost.signal.aborted) {
      await clock.sleep(RENEW_EVERY_MS, over.signal);
      // A database that is away says nothing: the settlement will ask again.
      if (!(await isWanted().catch(() => true))) lost.abort(new Error("The run does not go on here"));
    }
  };
  holding().catch(() => undefined);
  return {
    signal: AbortSignal.any([signal, lost.signal]),
    isLost: () => lost.signal.aborted,
    end: () => over.abort(),
  };
}
