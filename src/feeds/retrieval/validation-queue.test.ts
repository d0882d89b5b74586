import { expect, test } from "vitest";
import { NO_PREVIOUS } from "../state.ts";
import type { Candidate, ContentVerdict } from "./validate-content.ts";
import { createJudging } from "./validation-queue.ts";

const candidate = (key: string): Candidate => ({ key, path: key, isHtmlType: false, previous: NO_PREVIOUS });
const accepted = ({ key }: Candidate): ContentVerdict => ({
  key,
  state: "accepted",
  contentHash: key,
  entries: 1,
  dropped: 0,
  publishedAt: null,
});

test("candidates that come while a batch is judged go together in the next", async () => {
  const batches: string[][] = [];
  const judgeOne = createJudging(async (batch) => {
    batches.push(batch.map(({ key }) => key));
    return batch.map(accepted);
  });
  const verdicts = await Promise.all(["a", "b", "c"].map((key) => judgeOne(candidate(key))));
  expect(batches).toEqual([["a"], ["b", "c"]]);
  expect(verdicts.map(({ key, state }) => [key, state])).toEqual([
    ["a", "accepted"],
    ["b", "accepted"],
    ["c", "accepted"],
  ]);
});

test("a file that kills the child is rejected, and those of its batch are not", async () => {
  const judgeOne = createJudging(async (batch) => {
    if (batch.some(({ key }) => key === "killer")) throw new Error("the child process ended with SIGABRT");
    return batch.map(accepted);
  });
  const verdicts = await Promise.all(["a", "b", "killer", "c"].map((key) => judgeOne(candidate(key))));
  expect(verdicts.map(({ state }) => state)).toEqual(["accepted", "accepted", "rejected", "accepted"]);
  expect(verdicts[2]).toMatchObject({
    reason: "The list cannot be read: the child process ended with SIGABRT",
  });
  expect((await judgeOne(candidate("later"))).state).toBe("accepted");
});

test("a candidate of which the child says nothing is rejected", async () => {
  const judgeOne = createJudging(async () => []);
  expect(await judgeOne(candidate("a"))).toMatchObject({
    state: "rejected",
    reason: "The list was not judged",
  });
});
