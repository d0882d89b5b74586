import { messageOf } from "../../base/caught.ts";
import type { Candidate, ContentVerdict } from "./validate-content.ts";

/** Judges candidates elsewhere, all of them or none: a child process. Rejects when it fails or dies. */
export type JudgeBatch = (candidates: readonly Candidate[]) => Promise<readonly ContentVerdict[]>;

type Waiting = { readonly candidate: Candidate; readonly resolve: (verdict: ContentVerdict) => void };

/**
 * Hands candidates to `judgeBatch`, one batch at a time: what comes while one runs goes together in the next. A batch that
 * fails is judged again one by one, so that a file which kills the child rejects itself and no other.
 */
export function createJudging(judgeBatch: JudgeBatch): (candidate: Candidate) => Promise<ContentVerdict> {
  let waiting: Waiting[] = [];
  let isRunning = false;
  const run = async (): Promise<void> => {
    isRunning = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      const verdicts = await judgeAll(batch.map(({ candidate }) => candidate));
      for (const { candidate, resolve } of batch) resolve(verdicts.get(candidate) ?? unjudged(candidate));
    }
    isRunning = false;
  };
  const judgeAll = async (batch: readonly Candidate[]): Promise<ReadonlyMap<Candidate, ContentVerdict>> => {
    try {
      const verdicts = new Map((await judgeBatch(batch)).map((verdict) => [verdict.key, verdict]));
      return new Map(
        batch.map((candidate) => [candidate, verdicts.get(candidate.key) ?? unjudged(candidate)]),
      );
    } catch (error) {
      const [first, ...others] = batch;
      if (first === undefined || others.length === 0) {
        return new Map(batch.map((candidate) => [candidate, failed(candidate, error)]));
      }
      const singles: ReadonlyMap<Candidate, ContentVerdict>[] = [];
      for (const candidate of batch) singles.push(await judgeAll([candidate]));
      return new Map(singles.flatMap((single) => [...single]));
    }
  };
  return (candidate) =>
    new Promise((resolve) => {
      waiting.push({ candidate, resolve });
      if (!isRunning) void run();
    });
}

const unjudged = ({ key }: Candidate): ContentVerdict => ({
  key,
  state: "rejected",
  reason: "The list was not judged",
});

const failed = ({ key }: Candidate, error: unknown): ContentVerdict => {
  const cause = messageOf(error);
  return { key, state: "rejected", reason: `The list cannot be read: ${cause}` };
};
