import { messageOf } from "../base/caught.ts";
import { hideInTexts } from "../base/clean-text.ts";
import { systemClock } from "../base/clock.ts";
import { mapContents } from "../enrichment/ip/asn/route-contents.ts";
import { readKept } from "../feeds/feed-store.ts";
import type { ContentVerdict } from "../feeds/retrieval/validate-content.ts";
import type { PrepareJob, PrepareOutcome, ToldJob } from "./snapshots.ts";

/** Does one job in this process; only the child calls it, since what it allocates is never given back. */
async function prepare({ hidden, ...job }: ToldJob): Promise<readonly ContentVerdict[]> {
  hideInTexts(hidden);
  switch (job.part) {
    case "asn": {
      const { buildAsnSnapshot } = await import("../enrichment/ip/asn/build-asn.ts");
      await buildAsnSnapshot(job.outFile);
      return [];
    }
    case "geography": {
      const { buildGeoSnapshot, geoFingerprint } = await import("../enrichment/ip/geo/build-geo.ts");
      const city = job.city === null ? null : readKeptTable(job.keptDir, job.city);
      await buildGeoSnapshot(job.outFile, city?.bytes ?? null, geoFingerprint(city?.hash ?? null));
      return [];
    }
    case "routes":
      return prepareRoutes(job);
    case "lists":
      return prepareLists(job);
    case "exports": {
      const { buildExports } = await import("../exports/build.ts");
      await buildExports(job);
      return [];
    }
    case "export body": {
      const { buildBody } = await import("../exports/build.ts");
      await buildBody(job.dir, job.name, job.variant);
      return [];
    }
    case "downloads": {
      const { judge } = await import("../feeds/retrieval/validate-content.ts");
      const { countTable } = await import("../enrichment/ip/count-table.ts");
      const verdicts: ContentVerdict[] = [];
      const options = { keptDir: job.keptDir, now: systemClock.now(), countTable };
      // One after the other: the memory of one list at a time.
      for (const { feed, candidate } of job.downloads) verdicts.push(await judge(feed, candidate, options));
      return verdicts;
    }
    default:
      return job satisfies never;
  }
}

type JobOf<P extends PrepareJob["part"]> = Extract<PrepareJob, { readonly part: P }>;

async function prepareRoutes(job: JobOf<"routes">): Promise<readonly ContentVerdict[]> {
  const { buildRoutesSnapshot, routesFingerprint } = await import("../enrichment/ip/asn/build-routes.ts");
  const { v4, v6, names } = mapContents(job.keys, (key) => readKeptTable(job.keptDir, key));
  const fingerprint = routesFingerprint(mapContents({ v4, v6, names }, ({ hash }) => hash));
  if (fingerprint === null) throw new Error("There is no table of routes");
  const contents = mapContents({ v4, v6, names }, ({ bytes }) => bytes);
  await buildRoutesSnapshot(job.outFile, contents, fingerprint);
  return [];
}

async function prepareLists(job: JobOf<"lists">): Promise<readonly ContentVerdict[]> {
  const { compileFeeds } = await import("../feeds/compile.ts");
  const { createListingsBuilder } = await import("../blocklist-index/compile-index.ts");
  const { part: _part, textsFile, ...paths } = job;
  const builder = createListingsBuilder();
  if (textsFile === null) await compileFeeds({ ...paths, builder });
  else {
    const { collectTexts } = await import("../exports/texts.ts");
    await compileFeeds({ ...paths, builder: collectTexts(builder, job.feeds, textsFile) });
  }
  return [];
}

/** Content of a table as it is kept; null when there is none. */
function readKeptTable(keptDir: string, key: string): { hash: string; bytes: Uint8Array } | null {
  const kept = readKept(keptDir, key);
  const hash = kept?.state.contentHash ?? null;
  return hash === null || kept?.bytes == null ? null : { hash, bytes: kept.bytes };
}

const isJob = (message: unknown): message is ToldJob =>
  typeof message === "object" && message !== null && "part" in message && "hidden" in message;

// Only a forked child has a parent to listen to.
if (process.send !== undefined && process.argv[2] === "prepare") {
  // A terminal's Ctrl-C, or its end, reaches the whole group: the parent decides when this work ends, and ends it.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);
  process.once("disconnect", () => process.exit());
  process.once("message", async (message) => {
    const outcome: PrepareOutcome = await (isJob(message) ? prepare(message) : Promise.reject(message)).then(
      (verdicts) => ({ state: "done", verdicts }) as const,
      (error: unknown) => ({
        state: "failed",
        message: messageOf(error),
      }),
    );
    // The parent may have gone meanwhile.
    process.send?.(outcome, () => (process.connected ? process.disconnect?.() : undefined));
  });
}
