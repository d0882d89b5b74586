import { z } from "zod";
import { keptResultDays } from "../accounts/usage-options.ts";
import type { Log } from "../base/log.ts";
import { parseOrNull } from "../base/parse-json.ts";
import { VERSION } from "../base/version.ts";
import type { Config } from "../config/config.ts";
import type { Database } from "../db/database.ts";
import { type Settings, settingsOf } from "./process-settings.ts";

/** A note of each process in the database, under a name of its own. */
const NOTE = "process:";
const RENEW_EVERY_MS = 30_000;
/** A process that has not renewed its note for so long does not run any more. */
const LIVES_MS = 3 * RENEW_EVERY_MS;

/** What is read of a note; those of other versions may have more. */
const noteSchema = z.object({
  at: z.number(),
  version: z.string(),
  settings: z.record(z.string(), z.string()),
  keeps: z.object({ historyDays: z.number(), resultDays: z.number() }),
});

/** What a process tells the others. */
export type ProcessNote = Readonly<z.infer<typeof noteSchema>>;

/** For how many days what is deleted by its age is kept. */
type KeptDays = ProcessNote["keeps"];

export type OtherProcesses = {
  /**
   * Notes that this process runs and reads what others noted: of each kind the longest that one of them keeps. So what two
   * processes keep for different times is deleted once the last of them has the shorter one. Rejects when `signal` aborts.
   */
  readonly keptByAny: (signal: AbortSignal) => Promise<KeptDays>;
  /** Renews the note, and tells the log of processes that differ, until `signal`. Then takes the note away. */
  readonly watch: (signal: AbortSignal) => Promise<void>;
};

export type OtherProcessesDeps = {
  readonly db: Database;
  readonly config: Config;
  /** Names this process in the database. */
  readonly self: string;
  readonly log: Pick<Log, "info" | "warn">;
  readonly renewEveryMs?: number;
};

/** The processes of one service, which share a PostgreSQL; with SQLite there is nothing to tell. */
export function createOtherProcesses(deps: OtherProcessesDeps): OtherProcesses {
  const { db, config, self, renewEveryMs = RENEW_EVERY_MS } = deps;
  const { usage } = config.file;
  const keeps = { historyDays: usage.keep_days, resultDays: keptResultDays(usage) };
  if (db.dialect !== "postgres") return { keptByAny: async () => keeps, watch: async () => undefined };
  const own = { version: VERSION, settings: settingsOf(config), keeps };
  const note = (): Promise<void> => writeNote(db, self, { ...own, at: db.clock.now().getTime() });
  const tell = createTelling(deps.log);
  return {
    keptByAny: async (signal) => {
      await note();
      // By then each that runs has renewed its note, also where they started together or the database was away.
      await db.clock.sleep((4 / 3) * renewEveryMs, signal);
      return longest(await readProcesses(db), keeps);
    },
    watch: async (signal) => {
      while (!signal.aborted) {
        // A database that is away is told of by the calls that it refuses.
        const isRenewed = await note()
          .then(() => forgetEnded(db))
          .then(() => readProcesses(db))
          .then(tell)
          .then(
            () => true,
            () => false,
          );
        await db.clock.sleep(isRenewed ? renewEveryMs : renewEveryMs / 6, signal).catch(() => undefined);
      }
      await db.kysely
        .deleteFrom("meta")
        .where("key", "=", NOTE + self)
        .execute()
        .catch(() => undefined);
    },
  };
}

/** Tells the log of processes that differ, each difference once, and when there is none any more. */
function createTelling(log: OtherProcessesDeps["log"]): (notes: readonly ProcessNote[]) => void {
  let told: string | null = null;
  return (notes) => {
    const found = differences(notes);
    if (found !== null && found !== told) log.warn(`Processes on this database differ: ${found}`);
    if (found === null && told !== null) log.info("All processes on this database are alike again");
    told = found;
  };
}

const longest = (notes: readonly ProcessNote[], own: KeptDays): KeptDays => ({
  historyDays: Math.max(own.historyDays, ...notes.map(({ keeps }) => keeps.historyDays)),
  resultDays: Math.max(own.resultDays, ...notes.map(({ keeps }) => keeps.resultDays)),
});

async function writeNote({ kysely }: Database, self: string, note: ProcessNote): Promise<void> {
  const value = JSON.stringify(note);
  await kysely
    .insertInto("meta")
    .values({ key: NOTE + self, value })
    .onConflict((conflict) => conflict.column("key").doUpdateSet({ value }))
    .execute();
}

type Read = Pick<Database, "kysely" | "clock">;

/** What the processes that run now have noted. */
export const readProcesses = async (db: Read): Promise<readonly ProcessNote[]> =>
  (await readNotes(db)).flatMap(({ note, isAlive }) => (isAlive ? [note] : []));

async function readNotes({ kysely, clock }: Read) {
  const rows = await kysely.selectFrom("meta").selectAll().where("key", "like", `${NOTE}%`).execute();
  const nowMs = clock.now().getTime();
  return rows.flatMap(({ key, value }) => {
    const read = noteSchema.safeParse(parseOrNull(value));
    return read.success ? [{ key, note: read.data, isAlive: Math.abs(nowMs - read.data.at) < LIVES_MS }] : [];
  });
}

/** Of processes that ended without taking their note away. */
async function forgetEnded(db: Read): Promise<void> {
  const ended = (await readNotes(db)).flatMap(({ key, isAlive }) => (isAlive ? [] : [key]));
  if (ended.length > 0) await db.kysely.deleteFrom("meta").where("key", "in", ended).execute();
}

const MAX_NAMED = 8;

/** In what processes differ, in words; null: in nothing. Settings that one of their versions does not know are passed over. */
export function differences(
  notes: readonly { readonly version: string; readonly settings: Settings }[],
): string | null {
  const [first] = notes;
  const names = Object.keys(first?.settings ?? {}).filter(
    (name) =>
      notes.every(({ settings }) => name in settings) &&
      new Set(notes.map(({ settings }) => settings[name])).size > 1,
  );
  const versions = [...new Set(notes.map(({ version }) => version))].toSorted();
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : "";
  const parts = [
    ...(versions.length > 1 ? [`versions ${versions.join(", ")}`] : []),
    ...(names.length > 0 ? [`settings ${names.toSorted().slice(0, MAX_NAMED).join(", ")}${more}`] : []),
  ];
  return parts.length === 0 ? null : parts.join("; ");
}
