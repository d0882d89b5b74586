import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { printableLine, withoutHidden } from "../../base/clean-text.ts";
import type { Clock } from "../../base/clock.ts";
import type { Http } from "../../net/http/http-types.ts";
import { dateFault } from "../date-fault.ts";
import type { FeedDefinition } from "../feed.ts";
import { readContent } from "../feed-store.ts";
import { feedTextOf } from "../feed-text.ts";
import { allFormats } from "../formats/all.ts";
import { NO_PREVIOUS } from "../state.ts";
import type { PublisherKeys } from "./publisher-key.ts";
import { retrieve } from "./retrieve.ts";
import type { JudgeBatch } from "./validation-queue.ts";

/** What one look at a list brought. */
export type SourceTrial =
  | {
      readonly outcome: "ok";
      readonly entries: number;
      readonly dropped: number;
      readonly samples: readonly string[];
      /** What is wrong with it all the same; null: nothing. */
      readonly detail: string | null;
    }
  | { readonly outcome: "failed"; readonly reason: string };

export type TrialDeps = {
  /** A folder of this program's own: a folder for the download is made in it and removed. */
  readonly dir: string;
  readonly http: Pick<Http, "download">;
  readonly keys: PublisherKeys;
  /** Judges in a process of its own, and keeps what passes in the folder given. */
  readonly judge: (keptDir: string) => JudgeBatch;
  readonly clock: Pick<Clock, "now">;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
};

const MAX_BYTES = 64 * 1024 * 1024;
/** Larger content is judged and not read again for samples. */
const MAX_SAMPLED_BYTES = 16 * 1024 * 1024;
const SAMPLES = 5;
const MAX_SAMPLE_CHARS = 200;

/** Retrieves a list once and judges it as the updater would, without keeping anything. Rejects when the disk fails. */
export async function trySource(feed: FeedDefinition, deps: TrialDeps): Promise<SourceTrial> {
  const { source } = feed;
  if (source.kind === "seed") return failed("It is shipped with the program and not retrieved");
  const keptDir = await mkdtemp(join(deps.dir, "try-"));
  try {
    const found = await retrieve({
      ...deps,
      source,
      known: null,
      path: join(keptDir, "download"),
      isOperatorsWord: !feed.builtin,
      now: deps.clock.now(),
      maxBytes: MAX_BYTES,
    });
    if (found.state === "failed") return failed(found.reason);
    if (found.state === "unchanged") return failed("The server answered 304 to an unconditional request");
    const { path, isHtmlType } = found;
    const [verdict] = await deps.judge(keptDir)([{ key: feed.key, path, isHtmlType, previous: NO_PREVIOUS }]);
    if (verdict === undefined) return failed("It could not be judged");
    if (verdict.state === "rejected") return failed(verdict.reason);
    const bytes = readContent(keptDir, feed.key, verdict.contentHash);
    const { entries, dropped, publishedAt } = verdict;
    const samples = bytes === null ? [] : samplesOf(feed, bytes);
    return { outcome: "ok", entries, dropped, samples, detail: dateFault(feed, publishedAt) };
  } finally {
    await rm(keptDir, { recursive: true, force: true });
  }
}

const failed = (reason: string): SourceTrial => ({ outcome: "failed", reason });

/** The first entries, as the publisher writes them. */
function samplesOf({ format, options }: FeedDefinition, bytes: Uint8Array): readonly string[] {
  const found = allFormats.find(({ name }) => name === format);
  if (found === undefined || bytes.byteLength > MAX_SAMPLED_BYTES) return [];
  const samples: string[] = [];
  for (const row of found.parse(feedTextOf(bytes), options)) {
    if (!("value" in row)) continue;
    samples.push(withoutHidden(printableLine(row.value.slice(0, MAX_SAMPLE_CHARS))));
    if (samples.length === SAMPLES) break;
  }
  return samples;
}
