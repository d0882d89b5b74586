import type { NewResult, ResultFacts } from "./result.ts";
import { deleteBeyond, insertResults, toResultRow } from "./result-rows.ts";
import type { ResultsDeps } from "./results.ts";

/** Writes answers behind the calls that brought them. */
export type Keeper = {
  readonly keep: (result: NewResult) => void;
  readonly flush: () => Promise<void>;
};

/** Answers that wait to be written, at most: a database that is away must not fill the memory. */
const MAX_WAITING = 500;
const MAX_BATCH = 50;
const GATHER_MS = 250;
const LOG_EVERY_MS = 60_000;

/**
 * Gathers answers for a quarter of a second and writes them in one transaction. Answers that cannot be written are lost,
 * which the log says once a minute: they were answered and charged, and are not worth a wait.
 */
export function createKeeper({ maxBytes }: { readonly maxBytes: number }, deps: ResultsDeps): Keeper {
  const waiting: NewResult[] = [];
  const losses = createLossLog(deps);
  let writing: Promise<void> = Promise.resolve();
  const writeAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, MAX_BATCH);
      await write(batch, maxBytes, deps).catch((error: unknown) => losses(batch.length, error));
    }
  };
  // One after the other: each call waits for what was queued before it.
  const start = (): Promise<void> => {
    writing = writing.then(writeAll);
    return writing;
  };
  let isPlanned = false;
  const plan = async (): Promise<void> => {
    if (isPlanned) return;
    isPlanned = true;
    await deps.clock.sleep(GATHER_MS);
    isPlanned = false;
    await start();
  };
  return {
    keep: (result) => {
      if (waiting.length >= MAX_WAITING) losses(1, null);
      else waiting.push(result);
      void plan();
    },
    flush: start,
  };
}

async function write(
  batch: readonly NewResult[],
  maxBytes: number,
  { db, factsOf }: Pick<ResultsDeps, "db"> & { readonly factsOf: (data: unknown) => ResultFacts },
): Promise<void> {
  const rows = await Promise.all(batch.map((result) => toResultRow(result, factsOf)));
  await db.kysely.transaction().execute((trx) => insertResults(trx, rows, db.dialect));
  for (const accountId of new Set(batch.map((result) => result.accountId))) {
    await deleteBeyond(db.kysely, { accountId, maxBytes });
  }
}

function createLossLog({ clock, log }: Pick<ResultsDeps, "clock" | "log">) {
  let lost = 0;
  let toldAtMs = Number.NEGATIVE_INFINITY;
  return (count: number, error: unknown): void => {
    lost += count;
    if (clock.monotonicMs() - toldAtMs < LOG_EVERY_MS) return;
    toldAtMs = clock.monotonicMs();
    log.warn({ err: error, lost }, "Cannot keep results");
    lost = 0;
  };
}
