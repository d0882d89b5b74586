import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createClock, createWorld, feed, startHttps } from "../../../test/feed-world.ts";
import { response } from "../../../test/servers/web-server.ts";
import { type Clock, systemClock } from "../../base/clock.ts";
import { startOf } from "../../base/temporary-files.ts";
import { createClaims, doForAll } from "./file-locks.ts";

let dir = "";
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "claims-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

describe("claims", () => {
  const clock = { now: () => new Date("2026-11-21T09:00:00Z") };
  const unused = 2 ** 22 + 1;

  test("one holder at a time", () => {
    const [one, other] = [createClaims(dir, clock), createClaims(dir, clock)];
    expect([one.take("mine"), other.take("mine"), one.take("mine")]).toEqual([true, false, false]);
    expect(other.take("yours")).toBe(true);
    one.release("mine");
    expect(other.take("mine")).toBe(true);
  });

  test.each([
    ["a living process's", `${process.ppid} ${clock.now().getTime()}`, false],
    [
      "a living process's that tells when it began",
      `${process.ppid} ${clock.now().getTime()} ${startOf(process.ppid)}`,
      false,
    ],
    ["a dead process's", `${unused} ${clock.now().getTime()}`, true],
    ["a living process's of 16 minutes ago", `${process.ppid} ${clock.now().getTime() - 960_000}`, true],
    ["one from the future: the clock went back", `${process.ppid} ${clock.now().getTime() + 960_000}`, true],
    ["one of our number before us", `${process.pid} ${clock.now().getTime()}`, true],
  ])("%s claim can be taken over or not", (_whose, text, isTaken) => {
    writeFileSync(join(dir, "mine.claim"), text);
    expect(createClaims(dir, clock).take("mine")).toBe(isTaken);
  });

  test("names its process by when that began: after a restart of the machine its number may be another's", () => {
    const claims = createClaims(dir, clock);
    expect(claims.take("mine")).toBe(true);
    const [, ms, start, namespace] = readFileSync(join(dir, "mine.claim"), "utf8").split(" ");
    claims.release("mine");
    expect(Number(start)).toBe(startOf(process.pid) ?? 0);
    if (startOf(process.ppid) === null) return; // this system does not tell
    writeFileSync(join(dir, "mine.claim"), `${process.ppid} ${ms} ${start} ${namespace}`);
    expect(claims.take("mine")).toBe(true);
    claims.release("mine");
  });

  test("of another container holds while its process touches it, whatever has its number here", () => {
    const claims = createClaims(dir, clock);
    const path = join(dir, "mine.claim");
    expect(claims.take("mine")).toBe(true);
    const [, ms, start, namespace] = readFileSync(path, "utf8").split(" ");
    claims.release("mine");
    if (namespace === "0") return; // this system does not tell
    const touched = (agoMs: number) => {
      const at = new Date(systemClock.now().getTime() - agoMs);
      utimesSync(path, at, at);
    };
    for (const pid of [process.ppid, unused]) {
      writeFileSync(path, `${pid} ${ms} ${start} ${Number(namespace) + 1}`);
      touched(5_000);
      expect(claims.take("mine")).toBe(false);
      // Its clock may be ahead of ours, or ours was set back.
      touched(-5_000);
      expect(claims.take("mine")).toBe(false);
      touched(11_000);
      expect(claims.take("mine")).toBe(true);
      claims.release("mine");
    }
  });

  test("is touched as long as it is held, and given back by who has it alone", async () => {
    const claims = createClaims(dir, clock);
    const path = join(dir, "mine.claim");
    const long = new Date(systemClock.now().getTime() - 60_000);
    const age = () => systemClock.now().getTime() - statSync(path).mtimeMs;
    expect(claims.take("mine")).toBe(true);
    for (let i = 0; i < 2; i++) {
      utimesSync(path, long, long);
      await vi.waitUntil(() => age() < 50_000, { timeout: 60_000 });
    }
    // Another process took it over while this one stood still.
    const other = `${process.ppid} ${clock.now().getTime()}`;
    writeFileSync(path, other);
    utimesSync(path, long, long);
    await systemClock.sleep(2_500);
    expect(age()).toBeGreaterThan(50_000);
    claims.release("mine");
    expect(readFileSync(path, "utf8")).toBe(other);
  });

  test("an empty one holds as long as its writer may still be at it", () => {
    const path = join(dir, "mine.claim");
    writeFileSync(path, "");
    utimesSync(path, clock.now(), clock.now());
    expect(createClaims(dir, clock).take("mine")).toBe(false);
    expect(createClaims(dir, { now: () => new Date("2026-11-21T09:16:00Z") }).take("mine")).toBe(true);
  });
});

describe("work that one process does for all on a folder", () => {
  const path = () => join(dir, "lists.bin");
  const claim = () => `${path()}.claim`;
  const ofOther = (nowMs: number) => `${process.ppid} ${nowMs} ${startOf(process.ppid) ?? 0}`;

  /** A clock whose sleeps are over at once; `meanwhile` is told how often it slept. */
  function passing(meanwhile: (times: number) => void): Clock {
    let ms = 0;
    let times = 0;
    return {
      now: () => new Date(Date.UTC(2026, 10, 21) + ms),
      monotonicMs: () => ms,
      sleep: async (forMs) => {
        ms += forMs;
        meanwhile(++times);
      },
    };
  }

  async function run(clock: Clock, isDone: () => boolean = () => false): Promise<number> {
    let worked = 0;
    const { signal } = new AbortController();
    const work = async () => void worked++;
    await doForAll({ path: path(), isDone, work, clock, signal });
    return worked;
  }

  test("is awaited where a living process is at it, and not done again", async () => {
    let isDone = false;
    const clock = passing((times) => {
      if (times === 5) isDone = true;
    });
    writeFileSync(claim(), ofOther(clock.now().getTime()));
    expect(await run(clock, () => isDone)).toBe(0);
    expect(readFileSync(claim(), "utf8")).toContain(String(process.ppid));
  });

  test.each([
    ["gives up", () => rmSync(claim())],
    ["has died", () => writeFileSync(claim(), `${2 ** 22 + 1} ${Date.UTC(2026, 10, 21)}`)],
  ])("is done once the process that was at it %s", async (_how, end) => {
    const clock = passing((times) => (times === 3 ? end() : undefined));
    writeFileSync(claim(), ofOther(clock.now().getTime()));
    expect(await run(clock)).toBe(1);
    expect(readdirSync(dir)).toEqual([]);
  });

  test("is done beside a process that has stopped, whose claim stays", async () => {
    const clock = passing(() => undefined);
    writeFileSync(claim(), ofOther(clock.now().getTime()));
    expect(await run(clock)).toBe(1);
    expect(clock.monotonicMs()).toBe(120_000);
    expect(readdirSync(dir)).toEqual(["lists.bin.claim"]);
  });

  test("is not asked for where it is done, though no claim can be written", async () => {
    writeFileSync(join(dir, "file"), "");
    const shared = { clock: passing(() => undefined), signal: new AbortController().signal };
    const work = () => Promise.reject(new Error("done twice"));
    await doForAll({ ...shared, path: join(dir, "file", "lists.bin"), isDone: () => true, work });
    await expect(
      doForAll({ ...shared, path: join(dir, "file", "lists.bin"), isDone: () => false, work }),
    ).rejects.toMatchObject({ code: expect.stringMatching(/^E(?:EXIST|NOTDIR)$/) });
  });

  test("leaves no claim when it fails, and ends its waiting with the signal", async () => {
    const clock = passing(() => undefined);
    const work = () => Promise.reject(new Error("no room"));
    const shared = { path: path(), isDone: () => false, clock, signal: new AbortController().signal };
    await expect(doForAll({ ...shared, work })).rejects.toThrow("no room");
    expect(readdirSync(dir)).toEqual([]);
    writeFileSync(claim(), ofOther(clock.now().getTime()));
    const stopped = { ...clock, sleep: () => Promise.reject(new Error("stopping")) };
    await expect(doForAll({ ...shared, clock: stopped, work })).rejects.toThrow("stopping");
  });
});

describe("two processes on one data folder", () => {
  test("make one attempt between them, and both know its outcome", async () => {
    const server = await startHttps(() => response("192.0.2.7\n"));
    const feeds = [feed(`${server.url}/list`)];
    const clock = createClock();
    const one = await createWorld(dir, feeds, { clock });
    const other = await createWorld(dir, feeds, { clock });
    const [outcomes] = await Promise.all([one.updater.update(["mine"]), other.updater.updateDue()]);
    await other.updater.updateDue();
    expect(outcomes[0]?.last.outcome).toBe("updated");
    expect(server.requests).toHaveLength(1);
    expect(other.updater.stateOf("mine")).toEqual(one.updater.stateOf("mine"));
  });

  test("a claim of a dead process, or of one before us with our number, holds nothing up", async () => {
    const server = await startHttps(() => response("192.0.2.7\n"));
    for (const pid of [2 ** 22 + 1, process.pid]) {
      writeFileSync(join(dir, "mine.claim"), `${pid} ${Date.parse("2026-11-21T09:00:00Z")}`);
      const { updater } = await createWorld(dir, [feed(`${server.url}/list`)]);
      await updater.update(["mine"]);
      expect(updater.stateOf("mine")?.entries).toBe(1);
    }
  });

  test("files are the owner's alone", async () => {
    const server = await startHttps(() => response("192.0.2.7\n"));
    const { updater } = await createWorld(join(dir, "feeds"), [feed(`${server.url}/list`)]);
    await updater.update(["mine"]);
    const folder = join(dir, "feeds");
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o077).toBe(0);
    expect(statSync(folder).mode & 0o077).toBe(0);
    expect(JSON.parse(readFileSync(join(folder, "mine.json"), "utf8"))).toMatchObject({ entries: 1 });
  });
});
