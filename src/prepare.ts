import { systemClock } from "./clock.ts";
import type { PrepareJob, PrepareOutcome } from "./snapshots.ts";

/** Does one job in this process; only the child calls it, since what it allocates is never given back. */
async function prepare(job: PrepareJob): Promise<void> {
  switch (job.part) {
    case "asn": {
      const { buildAsnSnapshot } = await import("./enrichment/asn/build-asn.ts");
      return buildAsnSnapshot(job.outFile);
    }
    case "geography": {
      const { buildGeoSnapshot } = await import("./enrichment/geo/build-geo.ts");
      return buildGeoSnapshot(job.outFile);
    }
    case "lists": {
      const { compileFeeds } = await import("./feeds/compile.ts");
      const { createListingsBuilder } = await import("./listings/builder.ts");
      const { part: _part, ...paths } = job;
      await compileFeeds({ ...paths, builder: createListingsBuilder(), now: systemClock.now() });
      return;
    }
    default:
      return job satisfies never;
  }
}

const isJob = (message: unknown): message is PrepareJob =>
  typeof message === "object" && message !== null && "part" in message && "outFile" in message;

// Only a child that was forked has somebody to listen to.
if (process.send !== undefined && process.argv[2] === "prepare") {
  process.once("message", async (message) => {
    const outcome: PrepareOutcome = await (isJob(message) ? prepare(message) : Promise.reject(message)).then(
      () => ({ state: "done" }) as const,
      (error: unknown) => ({
        state: "failed",
        message: error instanceof Error ? error.message : String(error),
      }),
    );
    process.send?.(outcome, () => process.disconnect?.());
  });
}
