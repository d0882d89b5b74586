import type { Lookups } from "../app/open-lookups.ts";
import type { Clock } from "../base/clock.ts";
import { makePrivateFolder } from "../base/folders.ts";
import type { FeedExchange } from "../feeds/sharing/exchange.ts";
import type { CliContext } from "./command.ts";

/** A first start takes seconds; one that takes this long does not succeed. */
const MAX_PREPARING_MS = 120_000;

/**
 * Opens the lookups for one piece of work, and closes them. While a first start prepares its data, a
 * terminal shows it. `exchange` is for work that retrieves lists. Rejects when the data does not get ready.
 */
export async function withLookups<T>(
  context: CliContext,
  work: (lookups: Lookups) => Promise<T>,
  exchange: FeedExchange | null = null,
  { isOffline = false }: { readonly isOffline?: boolean } = {},
): Promise<T> {
  const config = await context.config();
  makePrivateFolder(config.dataDir);
  const { openLookups } = await import("../app/open-lookups.ts");
  const { createLog } = await import("../base/log.ts");
  const isVerbose = config.logLevel === "debug" || config.logLevel === "trace";
  const log = createLog({
    level: isVerbose ? config.logLevel : "error",
    // Standard output is the answer's.
    destination: { write: (line) => context.warn(line.trimEnd()) },
  });
  const lookups = await openLookups(config, { log, clock: context.clock, exchange, isOffline });
  try {
    const missing = lookups.missingParts();
    if (missing.length > 0) context.progress(`Preparing ${missing.join(", ")} …`);
    await waitUntilReady(lookups, context.clock).finally(() => context.progress(null));
    return await work(lookups);
  } finally {
    await lookups.close();
  }
}

async function waitUntilReady(lookups: Lookups, clock: Clock): Promise<void> {
  const stop = new AbortController();
  const ready = lookups.whenReady().finally(() => stop.abort());
  const tooLong = clock.sleep(MAX_PREPARING_MS, stop.signal).then(
    () => {
      throw new Error(`Cannot prepare the data: ${lookups.missingParts().join(", ")} took too long`);
    },
    () => ready,
  );
  await Promise.race([ready, tooLong]);
}
