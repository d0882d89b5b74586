import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import type { FeedStates } from "../sharing/states.ts";
import type { Retrieved } from "../table.ts";

/** How far the first downloads are. */
export type DownloadProgress = { readonly loaded: number; readonly total: number };

const PROGRESS_EVERY_MS = 10_000;

/** Says how far the first downloads are while they go on, and where they ended; nothing once all lists were there. */
export function createProgressLog(
  { clock, log }: { readonly clock: Pick<Clock, "monotonicMs">; readonly log: Log },
  progress: () => DownloadProgress,
): (isIdle: boolean) => void {
  let said = progress().loaded;
  let saidMs = clock.monotonicMs();
  return (isIdle) => {
    const { loaded, total } = progress();
    if (loaded === said || !(isIdle || clock.monotonicMs() - saidMs >= PROGRESS_EVERY_MS)) return;
    said = loaded;
    saidMs = clock.monotonicMs();
    log.info({ loaded, total }, `${loaded} of ${total} lists loaded`);
  };
}

/** How many of the lists and tables that are downloaded have content. */
export function progressOf(feeds: readonly Retrieved[], states: Pick<FeedStates, "of">): DownloadProgress {
  const downloaded = feeds.filter(({ source }) => source.kind === "web");
  const loaded = downloaded.filter(({ key }) => states.of(key)?.contentHash != null).length;
  return { loaded, total: downloaded.length };
}
