import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../base/clock.ts";
import { createPatience } from "./valkey-timeout.ts";

test("an answer in time is handed on, also a rejection", async () => {
  const patiently = createPatience({ clock: systemClock, timeoutMs: 60_000, onSilence: () => undefined });
  expect(await patiently(Promise.resolve(1))).toBe(1);
  await expect(patiently(Promise.reject(new Error("no")))).rejects.toThrow("no");
});

test("silence rejects all that waited too long, and is told once", async () => {
  let told = 0;
  const patiently = createPatience({ clock: systemClock, timeoutMs: 10, onSilence: () => told++ });
  const never = new Promise<never>(() => undefined);
  const waits = [patiently(never), patiently(never)].map((wait) => wait.catch(({ message }) => message));
  expect(await Promise.all(waits)).toEqual(["No answer within 10 ms", "No answer within 10 ms"]);
  expect(told).toBe(1);
});

test("a process that was held up itself reads what has come before it gives up", async () => {
  const echo = spawn(process.execPath, ["-e", "process.stdin.pipe(process.stdout)"]);
  onTestFinished(() => void echo.kill());
  echo.stdin.write("ready");
  await once(echo.stdout, "data");
  let told = 0;
  const patiently = createPatience({ clock: systemClock, timeoutMs: 300, onSilence: () => told++ });
  const answer = patiently(once(echo.stdout, "data"));
  echo.stdin.write("hello");
  // Held up after the question is out, for longer than it waits.
  await new Promise(setImmediate);
  const untilMs = systemClock.monotonicMs() + 1000;
  while (systemClock.monotonicMs() < untilMs);
  expect(String((await answer)[0])).toBe("hello");
  expect(told).toBe(0);
});
