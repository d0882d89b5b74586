import { pino } from "pino";
import { type Clock, systemClock, systemRandom } from "../base/clock.ts";
import { unavailable } from "../base/failure.ts";
import type { FeedDefinition } from "./feed.ts";
import { createUpdater, type Updater, type UpdaterDeps } from "./retrieval/updater.ts";
import { judge } from "./retrieval/validate-content.ts";
import type { CountTable } from "./table.ts";

type Options = Partial<UpdaterDeps> &
  Pick<UpdaterDeps, "feeds" | "keptDir"> & { readonly countTable?: CountTable };

/** An updater for tests: it judges in this process, and has no network unless it is given one. */
export function createTestUpdater(options: Options): Updater {
  const { feeds, keptDir, clock = systemClock, maxBytes } = options;
  const definitionOf = new Map(feeds.map((feed) => [feed.key, feed]));
  const limits = {
    ...(maxBytes === undefined ? {} : { maxBytes }),
    ...(options.countTable === undefined ? {} : { countTable: options.countTable }),
  };
  return createUpdater({
    http: { download: async () => unavailable("test", "error", "There is no network") },
    judge: async (candidates) => {
      const verdicts = candidates.map((candidate) => {
        const feed = definitionOf.get(candidate.key);
        if (feed === undefined) throw new Error(`No list is "${candidate.key}"`);
        return judge(feed, candidate, { keptDir, now: clock.now(), ...limits });
      });
      return Promise.all(verdicts);
    },
    exchange: null,
    clock,
    random: systemRandom,
    log: pino({ level: "silent" }),
    signal: new AbortController().signal,
    onChange: () => undefined,
    ...options,
  });
}

/** Reads the operator's files among `feeds` into the folder, as of `now`. */
export async function retrieveFiles(
  feeds: readonly FeedDefinition[],
  keptDir: string,
  now: Date,
): Promise<void> {
  const clock: Clock = { ...systemClock, now: () => now };
  await createTestUpdater({ feeds, keptDir, clock }).refreshFiles();
}
