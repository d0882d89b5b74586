import type { Clock } from "./clock.ts";
import { openAsn } from "./enrichment/asn/open-asn.ts";
import { openGeo } from "./enrichment/geo/open-geo.ts";
import type { Lists } from "./lists.ts";
import type { Log } from "./log.ts";
import { PARTS, type Part, prepareInChild, snapshotFile } from "./snapshots.ts";

/** The data that lookups ask, as far as it is there. */
export type Tables = {
  readonly lists: Lists;
  geo: ReturnType<typeof openGeo>;
  asn: ReturnType<typeof openAsn>;
  /** Parts still being prepared. */
  readonly missing: Set<Part>;
};

export type PreparingSettings = {
  readonly dataDir: string;
  readonly tables: Tables;
  readonly log: Log;
  readonly clock: Clock;
  readonly signal: AbortSignal;
};

const RETRY_PREPARING_MS = 15_000;

/** Opens the snapshots that fit; the others are missing. */
export function openTables(dataDir: string, lists: Lists): Tables {
  const geo = openGeo(snapshotFile(dataDir, "geography"));
  const asn = openAsn(snapshotFile(dataDir, "asn"));
  const has: Record<Part, boolean> = {
    lists: !lists.isMissing(),
    asn: asn !== null,
    geography: geo !== null,
  };
  return { lists, geo, asn, missing: new Set(PARTS.filter((part) => !has[part])) };
}

/** Prepares what is missing. Two children at most: the geography alone takes as long as lists and AS numbers. */
export async function prepareMissing(settings: PreparingSettings): Promise<void> {
  const { missing, lists } = settings.tables;
  const queues: Part[][] = [["lists", "asn"], ["geography"]];
  const run = async (queue: readonly Part[]) => {
    for (const part of queue) if (missing.has(part)) await preparePart(settings, part);
  };
  await Promise.all([...queues.map(run), missing.has("lists") ? undefined : lists.prepare()]);
}

/** Prepares one part, again and again until it is there: a full disk may be emptied. */
async function preparePart(settings: PreparingSettings, part: Part): Promise<void> {
  const { log, clock, signal } = settings;
  for (;;) {
    log.info({ part }, `Preparing ${part}`);
    try {
      await makePart(settings, part);
      log.info({ part }, `Prepared ${part}`);
      return;
    } catch (error) {
      signal.throwIfAborted();
      log.error({ err: error, part }, `Cannot prepare ${part}; trying again`);
      await clock.sleep(RETRY_PREPARING_MS, signal);
    }
  }
}

async function makePart({ dataDir, tables, signal }: PreparingSettings, part: Part): Promise<void> {
  if (part === "lists") await tables.lists.prepare();
  else {
    const outFile = snapshotFile(dataDir, part);
    await prepareInChild({ part, outFile }, { signal, isAside: false });
    if (part === "asn") tables.asn = present(openAsn(outFile), part);
    else tables.geo = present(openGeo(outFile), part);
  }
  tables.missing.delete(part);
}

function present<T>(table: T | null, part: Part): T {
  if (table === null) throw new Error(`The snapshot of ${part} cannot be read right after it was written`);
  return table;
}
