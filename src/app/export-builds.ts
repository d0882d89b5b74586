import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { nullIfAbsent } from "../base/caught.ts";
import type { Clock } from "../base/clock.ts";
import { HOUR_MS } from "../base/durations.ts";
import type { Log } from "../base/log.ts";
import { sweepLeftovers } from "../base/temporary-files.ts";
import { replaceFile } from "../blocklist-index/replace-file.ts";
import type { Config } from "../config/config.ts";
import type { Switches } from "../engines/definitions.ts";
import type { ExportBuild } from "../exports/build.ts";
import { GENERATION_SNAPSHOT } from "../exports/generation.ts";
import { createExportShelf, type ExportShelf } from "../exports/shelf.ts";
import { EXPORTS_CLAIM, exportsDirOf } from "../exports/state.ts";
import { createIndexBuilds } from "../feeds/index-builds.ts";
import { createClaims } from "../feeds/sharing/file-locks.ts";
import { prepareInChild, snapshotFile, textsFile } from "./snapshots.ts";

/** The exports of the data folder, and what keeps them fresh. */
export type ExportBuilds = {
  readonly shelf: ExportShelf;
  /** Builds soon: the index is another. */
  readonly request: () => void;
  /** Builds soon if other lists answer than at the last call: one expired, or is retrieved again after it had. */
  readonly look: () => void;
  /** Builds now. Rejects, naming what failed. */
  readonly now: () => Promise<void>;
  /** Builds what is due, and every hour: scores fade. Ends with the signal; never rejects. */
  readonly run: () => Promise<void>;
};

export type ExportBuildsDeps = {
  readonly config: Config;
  /** What owners switched, as it is now. */
  readonly switches: () => Switches;
  /** What the index in force is made of. */
  readonly fingerprint: () => string;
  /** Keys of the lists that are young enough to answer. */
  readonly answering: () => readonly string[];
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
};

const LOOK_EVERY_MS = 600_000;
/** A child that makes one body and takes longer is ended: others wait behind it. */
const MAX_BODY_MS = 300_000;

/** Whether an export needs the names of the index. */
export const needTexts = ({ exports }: Config["file"]): boolean =>
  exports.some(({ target }) => target !== "ip");

/** What a build is told, but for the time and the bodies. */
export const exportBuildOf = (
  { dataDir, file }: Config,
  switches: Switches,
): Omit<ExportBuild, "nowMs" | "wanted"> => ({
  dir: exportsDirOf(dataDir),
  listsFile: snapshotFile(dataDir, "lists"),
  keptDir: join(dataDir, "feeds"),
  asnFile: snapshotFile(dataDir, "asn"),
  textsFile: textsFile(dataDir),
  exports: file.exports,
  policies: file.policies,
  engines: file.engines,
  allowlists: file.allowlists,
  switches: Object.fromEntries(switches),
});

/** Opens the exports of the configuration; begins nothing. Children do the work, beside the calls. */
export function openExportBuilds(deps: ExportBuildsDeps): ExportBuilds {
  const { config, clock, log, signal } = deps;
  const { exports } = config.file;
  const dir = exportsDirOf(config.dataDir);
  const shelf = createExportShelf({
    dir,
    exports,
    clock,
    makeBody: async (name, variant) => {
      // A consumer waits for it: it does not stand behind everything else that this machine has to do.
      const ended = AbortSignal.any([signal, AbortSignal.timeout(MAX_BODY_MS)]);
      await prepareInChild({ part: "export body", dir, name, variant }, { signal: ended, isAside: false });
    },
  });
  const claims = createClaims(dir, clock);
  const build = async (): Promise<void> => {
    if (exports.length === 0 || deps.fingerprint() === "") return;
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    if (!claims.take(EXPORTS_CLAIM)) return;
    try {
      sweepFolders(dir, exports);
      // As it is before: what changes meanwhile may not be in it, and is built next.
      const mark = markOf(deps);
      if (isBuilt(dir, mark, clock)) return;
      const startMs = clock.monotonicMs();
      await buildInChild(deps, shelf);
      await replaceFile(join(dir, "built.json"), [
        Buffer.from(JSON.stringify({ of: mark, at: clock.now().getTime() })),
      ]);
      log.info({ took_ms: Math.round(clock.monotonicMs() - startMs) }, "Built the exports");
    } finally {
      claims.release(EXPORTS_CLAIM);
    }
  };
  const builds = createIndexBuilds({ clock, log, signal, name: "exports" }, build);
  let answering = "";
  return {
    shelf,
    request: builds.request,
    look: () => {
      const before = answering;
      answering = deps.answering().join();
      if (answering !== before) builds.request();
    },
    now: builds.now,
    run: async () => {
      while (exports.length > 0 && !signal.aborted) {
        builds.request();
        await clock.sleep(LOOK_EVERY_MS, signal).catch(() => undefined);
      }
    },
  };
}

/** What killed builds left half written would fill the disk one day. */
function sweepFolders(dir: string, exports: Config["file"]["exports"]): void {
  for (const folder of [
    dir,
    ...exports.flatMap(({ name }) => [join(dir, name), join(dir, name, "fetches")]),
  ]) {
    if (existsSync(folder)) sweepLeftovers(folder);
  }
}

async function buildInChild(
  { config, switches, clock, signal }: ExportBuildsDeps,
  shelf: ExportShelf,
): Promise<void> {
  const nowMs = clock.now().getTime();
  const build = { ...exportBuildOf(config, switches()), nowMs, wanted: shelf.wanted() };
  await prepareInChild({ part: "exports", ...build }, { signal, isAside: true });
}

/** What a build depends on beside the time. */
function markOf({ config, switches: switched, fingerprint, answering }: ExportBuildsDeps): string {
  const { exports, engines, allowlists, policies, switches } = exportBuildOf(config, switched());
  const rules = JSON.stringify({ exports, engines, allowlists, policies, switches, ...GENERATION_SNAPSHOT });
  return createHash("sha256").update(`${fingerprint()}\n${answering().join()}\n${rules}`).digest("hex");
}

/** Whether the exports were built of just this within the hour, be it by another process. */
function isBuilt(dir: string, mark: string, clock: Clock): boolean {
  let text: string;
  try {
    text = readFileSync(join(dir, "built.json"), "utf8");
  } catch (error) {
    return nullIfAbsent(error) ?? false;
  }
  const [, of, at] = /^{"of":"([0-9a-f]{64})","at":(\d{1,15})}$/.exec(text) ?? [];
  return of === mark && Math.abs(clock.now().getTime() - Number(at)) < HOUR_MS;
}
