import { spawn } from "node:child_process";
import { once } from "node:events";
import { constants, getPriority, setPriority } from "node:os";
import { onTestFinished, test } from "vitest";
import { giveWay } from "./give-way.ts";

const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority;

async function startIdle() {
  const child = spawn("sleep", ["600"]);
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child, "spawn");
  return child;
}

test("a process steps back, and never forward", async ({ expect }) => {
  const { pid = 0 } = await startIdle();
  giveWay(pid, "somewhat");
  expect(getPriority(pid)).toBe(Math.max(PRIORITY_BELOW_NORMAL, getPriority()));
  giveWay(pid, "wholly");
  expect(getPriority(pid)).toBe(PRIORITY_LOW);
  giveWay(pid, "somewhat");
  expect(getPriority(pid)).toBe(PRIORITY_LOW);
});

test("a process that began further back stays there", async ({ expect }) => {
  const { pid = 0 } = await startIdle();
  setPriority(pid, 15);
  giveWay(pid, "somewhat");
  expect(getPriority(pid)).toBe(15);
});

test("a process that has ended is left alone", async ({ expect }) => {
  const child = await startIdle();
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
  expect(() => giveWay(child.pid ?? 0, "wholly")).not.toThrow();
});
