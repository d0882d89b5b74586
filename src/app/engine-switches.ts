import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Clock } from "../base/clock.ts";
import type { Log } from "../base/log.ts";
import { replaceFile } from "../blocklist-index/replace-file.ts";
import type { Switches } from "../engines/definitions.ts";

/** Where owners' switches are kept for all processes: the database. Rejects while that is away. */
export type SwitchSource = () => Promise<Switches>;

const fileOf = (dataDir: string): string => join(dataDir, "engine-switches.json");
const fileSchema = z.record(z.string(), z.boolean());

/**
 * Owners' switches as a service last read them from the database. The data folder has a copy for commands, which so ask
 * the same engines without a database, and for a start while that is away. Empty without one.
 */
export function readSwitchesCopy(dataDir: string): Switches {
  try {
    const found = fileSchema.safeParse(JSON.parse(readFileSync(fileOf(dataDir), "utf8")));
    return new Map(found.success ? Object.entries(found.data) : []);
  } catch (error) {
    // Absent, unreadable or damaged: the next service writes it anew.
    if (error instanceof Error) return new Map();
    throw error;
  }
}

const writeSwitchesCopy = (dataDir: string, switches: Switches): Promise<void> =>
  replaceFile(fileOf(dataDir), [Buffer.from(JSON.stringify(Object.fromEntries(switches)))]);

const LOOK_EVERY_MS = 5_000;

export type SwitchWatch = {
  /** Reads them now; resolves when what changed is in force. Rejects while the database is away. */
  readonly look: () => Promise<void>;
  /** Looks every few seconds until the signal aborts: another process may have been told. Never rejects. */
  readonly run: () => Promise<void>;
};

export type SwitchWatchDeps = {
  readonly source: SwitchSource;
  readonly dataDir: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** What is in force at the start. */
  readonly known: Switches;
  /** Puts others into force. */
  readonly apply: (switches: Switches) => Promise<void>;
};

/** Keeps owners' switches of the database in force. */
export function watchSwitches(deps: SwitchWatchDeps): SwitchWatch {
  const { source, dataDir, clock, log, signal, apply } = deps;
  let inForce = textOf(deps.known);
  const update = async (): Promise<void> => {
    const switches = await source();
    if (textOf(switches) === inForce) return;
    await apply(switches);
    inForce = textOf(switches);
    await writeSwitchesCopy(dataDir, switches);
    log.info({ switches: Object.fromEntries(switches) }, "Owners' switches of engines are in force");
  };
  // One after another: the last one that asks sees what was written before it.
  let last: Promise<void> = Promise.resolve();
  const look = (): Promise<void> => {
    last = last.then(update, update);
    return last;
  };
  return {
    look,
    run: async () => {
      let wasRead = true;
      while (!signal.aborted) {
        const isRead = await look().then(
          () => true,
          (error: unknown) => {
            if (wasRead && !signal.aborted)
              log.warn({ err: error }, "Cannot read owners' switches of engines");
            return false;
          },
        );
        wasRead = isRead;
        await clock.sleep(LOOK_EVERY_MS, signal).catch(() => undefined);
      }
    },
  };
}

const textOf = (switches: Switches): string =>
  JSON.stringify([...switches].sort(([a], [b]) => (a < b ? -1 : 1)));
