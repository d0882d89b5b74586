import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createWorld, feed, startHttps } from "../../../test/feed-world.ts";
import { response } from "../../../test/servers/web-server.ts";

// Processes of different configurations, or versions, on one data folder: each defines a list in its own way.

let dir = "";
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "two-definitions-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

async function startPublisher() {
  const server = await startHttps(() => response("192.0.2.7\n"));
  const at = (path: string, format = "netset") => feed(server.url + path, { format });
  return { at, asked: () => server.requests.map(({ path }) => path) };
}

test("two services do not take a list from each other without end", async () => {
  const { at, asked } = await startPublisher();
  const warned: unknown[] = [];
  const log = pino({ level: "warn" }, { write: (line) => void warned.push(JSON.parse(line)) });
  const { clock, updater: first } = await createWorld(dir, [at("/list")], { log });
  const { updater: second } = await createWorld(dir, [at("/list", "plain")], { clock, log });
  const lookFor = async (minutes: number, updaters = [first, second]) => {
    for (let minute = 0; minute < minutes; minute++) {
      for (const updater of updaters) await updater.takeOver().then(updater.updateDue);
      clock.advance(1);
    }
  };
  await lookFor(50);
  expect(asked()).toHaveLength(2);
  const warning = { list: "mine", msg: expect.stringContaining("give each a data folder of its own") };
  expect(warned).toEqual([expect.objectContaining(warning)]);
  await lookFor(550);
  expect(asked().length).toBeLessThanOrEqual(2 * 11);
  await lookFor(61, [first]);
  // The definition of who is left is in force again: the next start finds nothing to do.
  const before = asked().length;
  const { updater: next } = await createWorld(dir, [at("/list")], { clock });
  await next.updateDue();
  expect(asked()).toHaveLength(before);
});

test("what a command of another configuration retrieved is taken back when it is time", async () => {
  const { at, asked } = await startPublisher();
  const { clock, updater } = await createWorld(dir, [at("/ours")]);
  await updater.updateDue();
  clock.advance(59);
  const { updater: command } = await createWorld(dir, [at("/theirs")], { clock });
  await command.update(["mine"]);
  await updater.takeOver().then(updater.updateDue);
  expect(asked()).toEqual(["/ours", "/theirs"]);
  clock.advance(1);
  await updater.updateDue();
  expect(asked()).toEqual(["/ours", "/theirs", "/ours"]);
});
