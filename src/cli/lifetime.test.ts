import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import type { Clock } from "../base/clock.ts";
import { createLog } from "../base/log.ts";
import { keepRunning } from "./lifetime.ts";

/** A clock that stands until it is moved; sleepers wake when their time has come. */
function createTestClock() {
  let nowMs = 0;
  let sleepers: { atMs: number; wake: () => void }[] = [];
  const clock: Clock = {
    now: () => new Date(nowMs),
    monotonicMs: () => nowMs,
    sleep: (ms, signal) =>
      new Promise((wake, reject) => {
        sleepers.push({ atMs: nowMs + ms, wake });
        signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
      }),
  };
  const move = (ms: number): void => {
    nowMs += ms;
    for (const { wake } of sleepers.filter(({ atMs }) => atMs <= nowMs)) wake();
    sleepers = sleepers.filter(({ atMs }) => atMs > nowMs);
  };
  return { clock, move };
}

function createWorld() {
  const exits: number[] = [];
  const lines: string[] = [];
  const events = Object.assign(new EventEmitter(), { exit: (status: number) => exits.push(status) });
  const log = createLog({ level: "info", destination: { write: (line) => lines.push(line) } });
  return { ...createTestClock(), events, log, exits, lines };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test.each([
  ["SIGTERM", 0],
  ["SIGINT", 0],
  ["SIGHUP", 129],
])("keepRunning() closes what runs at %s and gives %i", async (signal, wanted) => {
  const world = createWorld();
  let closed = 0;
  const status = keepRunning(async () => ({ close: async () => void closed++ }), world);
  await turn();
  expect(closed).toBe(0);
  world.events.emit(signal, signal);
  expect(await status).toBe(wanted);
  expect(closed).toBe(1);
  // The same signal once more, from the launcher, still finds a listener.
  expect(world.events.emit(signal, signal)).toBe(true);
  expect(world.exits).toEqual([]);
});

test("keepRunning() gives up closing after ten seconds, and still gives 0", async () => {
  const world = createWorld();
  const status = keepRunning(async () => ({ close: () => new Promise(() => undefined) }), world);
  await turn();
  world.events.emit("SIGTERM", "SIGTERM");
  await turn();
  world.move(10_000);
  expect(await status).toBe(0);
  expect(world.lines.join("")).toContain("still running");
});

test("keepRunning() ends at once at a second signal, but not at one that came twice", async () => {
  const world = createWorld();
  const status = keepRunning(async () => ({ close: () => new Promise(() => undefined) }), world);
  await turn();
  world.events.emit("SIGINT", "SIGINT");
  world.move(999);
  world.events.emit("SIGINT", "SIGINT");
  expect(world.exits).toEqual([]);
  world.move(1);
  world.events.emit("SIGINT", "SIGINT");
  expect(world.exits).toEqual([1]);
  await turn();
  world.move(10_000);
  expect(await status).toBe(0);
});

test("keepRunning() closes what a signal met while it was starting", async () => {
  const world = createWorld();
  const { promise: started, resolve: start } = Promise.withResolvers<void>();
  let closed = 0;
  const status = keepRunning(async () => {
    await started;
    return { close: async () => void closed++ };
  }, world);
  world.events.emit("SIGTERM", "SIGTERM");
  await turn();
  start();
  expect(await status).toBe(0);
  expect(closed).toBe(1);
});

test.each(["uncaughtException", "unhandledRejection"])(
  "keepRunning() logs an %s, closes and gives 1",
  async (event) => {
    const world = createWorld();
    let closed = 0;
    const status = keepRunning(async () => ({ close: async () => void closed++ }), world);
    await turn();
    world.events.emit(event, new Error("An unexpected error"));
    expect(await status).toBe(1);
    expect(closed).toBe(1);
    expect(world.lines.join("")).toContain("An unexpected error");
  },
);

test("keepRunning() rejects when the start fails, and listens no more", async () => {
  const world = createWorld();
  const status = keepRunning(() => Promise.reject(new Error("The port is taken")), world);
  await expect(status).rejects.toThrow("The port is taken");
  expect(world.events.eventNames()).toEqual([]);
});
