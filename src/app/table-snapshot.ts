import { statSync } from "node:fs";
import type { Clock } from "../base/clock.ts";
import type { Log } from "../base/log.ts";
import {
  readSnapshot,
  readSnapshotAside,
  type Snapshot,
  type SnapshotKind,
} from "../blocklist-index/snapshot.ts";
import { createIndexBuilds } from "../feeds/index-builds.ts";
import { doForAll } from "../feeds/sharing/file-locks.ts";

/** A snapshot of retrieved tables: the one opened last, and what replaces it. */
export type TableSnapshot<T> = {
  /** Null until there is one. */
  readonly current: () => T | null;
  /** Whether it is made of other content than wanted. */
  readonly isBehind: () => boolean;
  /** Makes it soon, in the background. */
  readonly request: () => void;
  /** Makes it now unless it is the one wanted; one that another process made will do. Rejects when that fails. */
  readonly make: () => Promise<void>;
};

export type TableSnapshotDeps<T> = {
  readonly name: string;
  readonly path: string;
  /** Null: none answers, and what is there is not read. */
  readonly kind: SnapshotKind | null;
  /** What is read from a snapshot of that kind. */
  readonly openFrom: (snapshot: Snapshot) => T;
  /** The fingerprint to be had; null: there is nothing to make. */
  readonly wanted: () => string | null;
  readonly compile: (options: { readonly isAside: boolean }) => Promise<unknown>;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
};

/** Opens the snapshot if there is one of this form: of other content it answers until the one wanted is there. */
export function openTableSnapshot<T extends { readonly fingerprint: string }>(
  deps: TableSnapshotDeps<T>,
): TableSnapshot<T> {
  const { name, path, kind, openFrom, wanted, compile, clock, log, signal } = deps;
  const changedMs = () => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  let openedMs = changedMs();
  const openOrNull = (snapshot: Snapshot | null) => (snapshot === null ? null : openFrom(snapshot));
  let current = openOrNull(kind && readSnapshot(path, kind));
  const isBehind = () => {
    const fingerprint = wanted();
    return fingerprint !== null && current?.fingerprint !== fingerprint;
  };
  const reopen = async (): Promise<void> => {
    openedMs = changedMs();
    current = openOrNull(kind && (await readSnapshotAside(path, kind))) ?? current;
  };
  const build = async (): Promise<void> => {
    const startMs = clock.monotonicMs();
    await compile({ isAside: current !== null });
    await reopen();
    if (current === null)
      throw new Error(`The snapshot of ${name} cannot be read right after it was written`);
    log.info({ took_ms: Math.round(clock.monotonicMs() - startMs) }, `Compiled the ${name}`);
  };
  const builds = createIndexBuilds(deps, async () => {
    const isDone = async () => {
      if (isBehind() && changedMs() !== openedMs) await reopen();
      return !isBehind();
    };
    await doForAll({ path, isDone, work: build, clock, signal });
    if (isBehind()) builds.request();
  });
  return {
    current: () => current,
    isBehind,
    request: builds.request,
    make: builds.now,
  };
}
