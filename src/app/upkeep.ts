import type { LedgerWithUpkeep } from "../accounts/ledger/ledger.ts";
import type { TokenReader } from "../accounts/token-reader.ts";
import { systemClock, systemRandom } from "../base/clock.ts";
import { HOUR_MS } from "../base/durations.ts";
import type { Log } from "../base/log.ts";
import type { Config } from "../config/config.ts";
import type { Database } from "../db/database.ts";
import { type SourceDays, type SourceNow, watchSources } from "../feeds/retrieval/source-days.ts";
import type { Results } from "../results/results.ts";
import type { Runs } from "../runs/runs.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { createOtherProcesses, type OtherProcesses } from "./other-processes.ts";
import { watchClock } from "./watch-clock.ts";

/** How often what is old is taken away. */
const PRUNE_EVERY_MS = HOUR_MS;

export type UpkeepParts = {
  readonly db: Database;
  readonly config: Config;
  readonly ledger: Pick<LedgerWithUpkeep, "pruneHistory" | "forgetDeleted">;
  readonly sessions: Pick<Sessions, "prune">;
  readonly results: Pick<Results, "prune">;
  readonly runs: Pick<Runs, "prune">;
  readonly tokens: Pick<TokenReader, "watch">;
  readonly days: SourceDays;
  readonly sources: () => readonly SourceNow[];
  readonly log: Log;
};

/** Drops what is old, watches the sources, this machine's clock and the other processes, until it is closed. */
export function startUpkeep(parts: UpkeepParts): () => Promise<unknown> {
  const { db, config, days, sources, log } = parts;
  const { clock } = db;
  const stop = new AbortController();
  const others = createOtherProcesses({ db, config, self: systemRandom.uuid(), log });
  const all = [
    pruneRegularly({ ...parts, others }, stop.signal),
    parts.tokens.watch(stop.signal),
    watchClock({ database: clock, own: systemClock, log }, stop.signal),
    watchSources({ days, sources, clock, log }, stop.signal),
  ];
  const noting = others.watch(stop.signal);
  return () => {
    stop.abort();
    return Promise.all([...all, noting]);
  };
}

async function pruneRegularly(
  parts: UpkeepParts & { readonly others: OtherProcesses },
  signal: AbortSignal,
): Promise<void> {
  const { db, log } = parts;
  while (!signal.aborted) {
    try {
      await prune(parts, signal);
    } catch (error) {
      if (signal.aborted) return;
      log.warn({ err: error }, "Cannot prune the call history and what ended; trying again later");
    }
    await db.clock.sleep(PRUNE_EVERY_MS, signal).catch(() => undefined);
  }
}

async function prune(
  parts: UpkeepParts & { readonly others: OtherProcesses },
  signal: AbortSignal,
): Promise<void> {
  const { db, ledger, sessions, results, runs, others, log } = parts;
  const { historyDays, resultDays } = await others.keptByAny(signal);
  const pruned = await ledger.pruneHistory(db.clock.now(), historyDays);
  if (pruned > 0) log.info({ pruned }, "Pruned the call history");
  await ledger.forgetDeleted();
  await sessions.prune();
  await results.prune(resultDays);
  await runs.prune(resultDays);
}
