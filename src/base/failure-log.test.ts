import { expect, test } from "vitest";
import { createFailureLog } from "./failure-log.ts";
import { createLog } from "./log.ts";

test("failures in a row are one line, and the next one after a success is another", async () => {
  const lines: string[] = [];
  const log = createLog({ level: "info", destination: { write: (line) => void lines.push(line) } });
  const failures = createFailureLog(log, "Cannot look");
  const fail = () => failures(Promise.reject(new Error("away")));
  for (let i = 0; i < 100; i++) await fail();
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ msg: "Cannot look", err: { message: "away" } });
  await failures(Promise.resolve());
  await fail();
  await fail();
  expect(lines).toHaveLength(2);
});
