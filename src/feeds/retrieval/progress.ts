import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import type { FeedStates } from "../sharing/states.ts";
import type { Retrieved } from "../table.ts";

/** How far the first downloads are: of all, those that were retrieved, and those that answer from their shipped copy meanwhile. */
export type DownloadProgress = { readonly loaded: number; readonly shipped: number; readonly total: number };

const PROGRESS_EVERY_MS = 10_000;

/** Says how far the first downloads are while they go on, and where they ended; nothing once all lists were there. */
export function createProgressLog(
  { clock, log }: { readonly clock: Pick<Clock, "monotonicMs">; readonly log: Log },
  progress: () => DownloadProgress,
): (isIdle: boolean) => void {
  let said = progress().loaded;
  let saidMs = clock.monotonicMs();
  return (isIdle) => {
    const { loaded, shipped, total } = progress();
    if (loaded === said || !(isIdle || clock.monotonicMs() - saidMs >= PROGRESS_EVERY_MS)) return;
    said = loaded;
    saidMs = clock.monotonicMs();
    const beside = shipped === 0 ? "" : `, ${shipped} others answer from their shipped copy`;
    log.info({ loaded, shipped, total }, `${loaded} of ${total} lists loaded${beside}`);
  };
}

/** Of the lists and tables that are downloaded; `shipped` are keys of lists that answer from their shipped copy. */
export function progressOf(
  feeds: readonly Retrieved[],
  states: Pick<FeedStates, "of">,
  shipped: ReadonlySet<string>,
): DownloadProgress {
  const downloaded = feeds.filter(({ source }) => source.kind === "web");
  const missing = downloaded.filter(({ key }) => states.of(key)?.contentHash == null);
  return {
    loaded: downloaded.length - missing.length,
    shipped: missing.filter(({ key }) => shipped.has(key)).length,
    total: downloaded.length,
  };
}
