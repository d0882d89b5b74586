import { type Clock, isoSeconds } from "../clock.ts";
import type { FeedDefinition } from "./feed.ts";
import { fileSignature } from "./read-source.ts";

/** Looks after the operator's `file:` lists while the service runs. */
export type FileWatch = {
  /** Keys of lists whose file changed since they were compiled; due lists only. Never throws. */
  readonly look: () => readonly string[];
  /** ISO 8601: last look that found the file as it was compiled; null before the first. */
  readonly confirmedAt: (key: string) => string | null;
};

type Watched = { readonly key: string; readonly path: string; readonly everyMs: number };

/**
 * A watch over the `file:` lists among `feeds`, which have just been compiled or found unchanged. Looking at an
 * unchanged file counts as a retrieval (design 15).
 */
export function createFileWatch(feeds: readonly FeedDefinition[], clock: Pick<Clock, "now">): FileWatch {
  const watched = feeds.flatMap(({ key, source, refreshMinutes }): Watched[] =>
    source.kind === "file" ? [{ key, path: source.path, everyMs: refreshMinutes * 60_000 }] : [],
  );
  const signatures = new Map(watched.map(({ key, path }) => [key, fileSignature(path)]));
  const lookedAtMs = new Map<string, number>();
  const confirmed = new Map<string, string>();
  const confirm = (key: string, now: Date): void => {
    lookedAtMs.set(key, now.getTime());
    if (signatures.get(key) !== "missing") confirmed.set(key, isoSeconds(now));
  };
  const look = (): readonly string[] => {
    const now = clock.now();
    const due = watched.filter(({ key, everyMs }) => now.getTime() - (lookedAtMs.get(key) ?? 0) >= everyMs);
    const changed = due.filter(({ key, path }) => fileSignature(path) !== signatures.get(key));
    for (const { key } of due) if (!changed.some((other) => other.key === key)) confirm(key, now);
    return changed.map(({ key }) => key);
  };
  for (const { key } of watched) confirm(key, clock.now());
  return { look, confirmedAt: (key) => confirmed.get(key) ?? null };
}
