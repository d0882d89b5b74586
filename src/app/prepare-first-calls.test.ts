import { pino } from "pino";
import { expect, test } from "vitest";
import { prepareFirstCalls } from "./prepare-first-calls.ts";

test("what cannot be prepared is logged, and ends neither the start nor the process", async () => {
  const lines: string[] = [];
  const log = pino({ level: "warn" }, { write: (line: string) => void lines.push(line) });
  const broken = { prepare: () => Promise.reject(new Error("the seed is damaged")) };
  const domainFacts = {
    judge: () => expect.fail(),
    flagsOf: () => new Set<never>(),
    knows: () => true,
    ...broken,
  };
  const pageAnalysis = { read: () => expect.fail(), close: () => Promise.resolve(), ...broken };
  await prepareFirstCalls({ domainFacts, pageAnalysis, log });
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { msg: "Cannot prepare for the first calls", err: { message: "the seed is damaged" } },
  ]);
});
