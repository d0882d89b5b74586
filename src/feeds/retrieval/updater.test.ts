import { mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { zipSync } from "fflate";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { addresses, createWorld, feed, startChanging, startHttps } from "../../../test/feed-world.ts";
import { response } from "../../../test/servers/web-server.ts";
import type { FeedDefinition } from "../feed.ts";
import { readContent } from "../feed-store.ts";
import type { FeedState } from "../state.ts";
import type { UpdaterDeps } from "./updater.ts";

let dir = "";
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "updater-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const contentOf = (state: FeedState | null): string =>
  Buffer.from(readContent(dir, "mine", state?.contentHash ?? "") ?? []).toString();

describe("a retrieval", () => {
  test("brings content, and says when the next one is planned", async () => {
    const server = await startHttps(() => response("# Last update: 2026-11-20\n192.0.2.7\nwhat\n"));
    const { updater } = await createWorld(dir, [feed(`${server.url}/list`)]);
    const [outcome] = await updater.update(["mine"]);
    expect(outcome?.last).toMatchObject({ outcome: "updated", detail: null, at: "2026-11-21T09:00:00Z" });
    expect(updater.stateOf("mine")).toMatchObject({
      entries: 1,
      dropped: 1,
      publishedAt: "2026-11-20T00:00:00Z",
      retrievedAt: "2026-11-21T09:00:00Z",
      changedAt: "2026-11-21T09:00:00Z",
      lastAttempt: "2026-11-21T09:00:00Z",
      nextAttempt: "2026-11-21T10:00:00Z",
      lastError: null,
    });
    expect(contentOf(updater.stateOf("mine"))).toContain("192.0.2.7");
  });

  test("is conditional from then on: a 304 is a success that changes nothing", async () => {
    const { server, answer } = await startChanging(() =>
      response("192.0.2.7\n", { headers: { ETag: '"1"', "Last-Modified": "Sat, 21 Nov 2026 08:00:00 GMT" } }),
    );
    const { updater, clock } = await createWorld(dir, [feed(`${server.url}/list`)]);
    await updater.update(["mine"]);
    answer(() => response("", { status: 304 }));
    clock.advance(60);
    await updater.updateDue();
    expect(server.requests[0]?.headers.has("if-none-match")).toBe(false);
    expect(Object.fromEntries(server.requests[1]?.headers ?? [])).toMatchObject({
      "if-none-match": '"1"',
      "if-modified-since": "Sat, 21 Nov 2026 08:00:00 GMT",
    });
    expect(updater.stateOf("mine")).toMatchObject({
      retrievedAt: "2026-11-21T10:00:00Z",
      changedAt: "2026-11-21T09:00:00Z",
      etag: '"1"',
      entries: 1,
    });
    expect(contentOf(updater.stateOf("mine"))).toBe("192.0.2.7\n");
  });

  test("goes on where a process before it left off", async () => {
    const server = await startHttps(() => response("192.0.2.7\n", { headers: { ETag: '"1"' } }));
    const feeds = [feed(`${server.url}/list`)];
    const { clock } = await createWorld(dir, feeds).then(async (first) => {
      await first.updater.update(["mine"]);
      return first;
    });
    const { updater } = await createWorld(dir, feeds, { clock });
    await updater.updateDue();
    expect(server.requests).toHaveLength(1);
    clock.advance(61);
    await updater.updateDue();
    expect(server.requests[1]?.headers.get("if-none-match")).toBe('"1"');
  });

  test("is unconditional when the content is gone, and a 304 then is no success", async () => {
    const { server, answer } = await startChanging(() =>
      response("192.0.2.7\n", { headers: { ETag: '"1"' } }),
    );
    const feeds = [feed(`${server.url}/list`)];
    const { clock, updater: first } = await createWorld(dir, feeds);
    await first.update(["mine"]);
    for (const name of readdirSync(dir)) if (name.endsWith(".zst")) rmSync(join(dir, name));
    const { updater } = await createWorld(dir, feeds, { clock });
    answer(() => response("", { status: 304 }));
    await updater.updateDue();
    expect(server.requests[1]?.headers.has("if-none-match")).toBe(false);
    expect(updater.stateOf("mine")).toMatchObject({
      contentHash: null,
      lastError: "The server answered 304",
    });
  });

  test("is unconditional and at once when the definition changed", async () => {
    const server = await startHttps(() => response("192.0.2.7\n", { headers: { ETag: '"1"' } }));
    const { clock, updater: first } = await createWorld(dir, [feed(`${server.url}/list`)]);
    await first.update(["mine"]);
    const { updater } = await createWorld(dir, [feed(`${server.url}/list`, { format: "plain" })], { clock });
    await updater.updateDue();
    await updater.updateDue();
    expect(server.requests).toHaveLength(2);
    expect(server.requests[1]?.headers.has("if-none-match")).toBe(false);
  });

  test("of the same bytes again is no change, without anything being read", async () => {
    const server = await startHttps(() => response("192.0.2.7\n"));
    let judged = 0;
    const judge: UpdaterDeps["judge"] = async ([candidate]) => {
      judged++;
      const { judge: judgeOne } = await import("./validate-content.ts");
      if (candidate === undefined) return [];
      return [await judgeOne(feed(""), candidate, { keptDir: dir, now: new Date(0) })];
    };
    const { updater, clock } = await createWorld(dir, [feed(`${server.url}/list`)], { judge });
    await updater.update(["mine"]);
    clock.advance(60);
    await updater.updateDue();
    expect(judged).toBe(1);
    expect(updater.stateOf("mine")).toMatchObject({
      retrievedAt: "2026-11-21T10:00:00Z",
      changedAt: "2026-11-21T09:00:00Z",
    });
  });

  test("of one URL serves all lists that are made of it", async () => {
    const server = await startHttps(() => response("192.0.2.7\t9\n192.0.2.8\t3\n"));
    const shared = { format: "ipsum" } as const;
    const { updater } = await createWorld(dir, [
      feed(`${server.url}/x`, { ...shared, key: "five", options: { min_count: 5 } }),
      feed(`${server.url}/x`, { ...shared, key: "three", options: { min_count: 3, max_count: 4 } }),
      feed(`${server.url}/x`, { ...shared, key: "all" }),
    ]);
    await updater.updateDue();
    expect(server.requests).toHaveLength(1);
    expect(["five", "three", "all"].map((key) => updater.stateOf(key)?.entries)).toEqual([1, 1, 2]);
  });

  test("sends the operator's headers, and never more than four run at once", async () => {
    let open = 0;
    let most = 0;
    const server = await startHttps((_request, socket) => {
      most = Math.max(most, ++open);
      setImmediate(() => {
        open--;
        socket.end(response("192.0.2.7\n"));
      });
      return undefined;
    });
    const headers = { "X-Key": "k" };
    const feeds = Array.from({ length: 12 }, (_, i) =>
      feed("", { key: `f${i}`, source: { kind: "web", url: `${server.url}/${i}`, headers } }),
    );
    const { updater } = await createWorld(dir, feeds);
    await updater.updateDue();
    expect(server.requests).toHaveLength(12);
    expect(server.requests.every((request) => request.headers.get("x-key") === "k")).toBe(true);
    expect(most).toBeLessThanOrEqual(4);
  });

  test.each([
    ["gzip", () => gzipSync("192.0.2.7\n")],
    ["zip", () => Buffer.from(zipSync({ "list.txt": Buffer.from("192.0.2.7\n") }))],
  ])("opens %s", async (_kind, pack) => {
    const server = await startHttps(() =>
      response(pack(), { headers: { "Content-Type": "application/x-thing" } }),
    );
    const { updater } = await createWorld(dir, [feed(`${server.url}/list`)]);
    await updater.update(["mine"]);
    expect(contentOf(updater.stateOf("mine"))).toBe("192.0.2.7\n");
  });
});

test("an empty answer is content where allow_empty says so", async () => {
  const { server, answer } = await startChanging(() => response(addresses(200)));
  const { updater } = await createWorld(dir, [feed(`${server.url}/list`, { allowEmpty: true })]);
  await updater.update(["mine"]);
  answer(() => response("# nothing today\n"));
  await updater.update(["mine"]);
  expect(updater.stateOf("mine")).toMatchObject({ entries: 0, lastError: null });
});

describe("the plan after failures", () => {
  test("an outage is retried after 5, 10, 20, 40, 60, 60 minutes of an hourly list", async () => {
    const server = await startHttps(() => response("", { status: 502 }));
    const { updater, clock } = await createWorld(dir, [feed(`${server.url}/list`)]);
    const waits: number[] = [];
    for (let i = 0; i < 6; i++) {
      await updater.updateDue();
      const state = updater.stateOf("mine");
      waits.push((Date.parse(state?.nextAttempt ?? "") - clock.now().getTime()) / 60_000);
      clock.advance(waits.at(-1) ?? 0);
    }
    expect(waits).toEqual([5, 10, 20, 40, 60, 60]);
    expect(server.requests).toHaveLength(6);
    expect(updater.stateOf("mine")?.tries).toHaveLength(6);
  });

  test("Retry-After is honoured", async () => {
    const server = await startHttps(() => response("", { status: 429, headers: { "Retry-After": "7200" } }));
    const { updater, clock } = await createWorld(dir, [feed(`${server.url}/list`)]);
    await updater.updateDue();
    clock.advance(119);
    await updater.updateDue();
    expect(server.requests).toHaveLength(1);
    clock.advance(1);
    await updater.updateDue();
    expect(server.requests).toHaveLength(2);
  });

  test("a clock that goes back does not stop retrievals", async () => {
    const server = await startHttps(() => response("192.0.2.7\n"));
    const { updater, clock } = await createWorld(dir, [feed(`${server.url}/list`)]);
    clock.advance(60 * 24 * 365);
    await updater.updateDue();
    clock.advance(-60 * 24 * 365);
    await updater.updateDue();
    expect(server.requests).toHaveLength(2);
  });

  test("the try log is bounded", async () => {
    const server = await startHttps(() => response("", { status: 502 }));
    const { updater } = await createWorld(dir, [feed(`${server.url}/list`)]);
    for (let i = 0; i < 25; i++) await updater.update(["mine"]);
    expect(updater.stateOf("mine")?.tries).toHaveLength(20);
    expect(updater.stateOf("mine")?.failures).toBe(25);
  });
});

describe("an operator's file", () => {
  const fileFeed = (more: Partial<FeedDefinition> = {}) =>
    feed("", { source: { kind: "file", path: join(dir, "list.txt") }, ...more });

  test("is read when its time stamp changed, and a look at an unchanged one counts as a retrieval", async () => {
    writeFileSync(join(dir, "list.txt"), "192.0.2.7\n");
    const { updater, clock } = await createWorld(dir, [fileFeed()]);
    expect(updater.hasChangedFiles()).toBe(true);
    await updater.refreshFiles();
    expect(updater.hasChangedFiles()).toBe(false);
    clock.advance(60);
    await updater.updateDue();
    expect(updater.stateOf("mine")).toMatchObject({
      retrievedAt: "2026-11-21T10:00:00Z",
      changedAt: "2026-11-21T09:00:00Z",
    });
    writeFileSync(join(dir, "list.txt"), "192.0.2.7\n192.0.2.8\n");
    expect(updater.hasChangedFiles()).toBe(true);
    await updater.refreshFiles();
    expect(updater.stateOf("mine")).toMatchObject({ entries: 2, changedAt: "2026-11-21T10:00:00Z" });
    expect(statSync(join(dir, "list.txt")).isFile()).toBe(true);
  });

  test("that is a device or a pipe is not read: it may never end", async () => {
    const { updater } = await createWorld(dir, [fileFeed()]);
    symlinkSync("/dev/zero", join(dir, "list.txt"));
    await updater.refreshFiles();
    expect(updater.stateOf("mine")?.lastError).toBe("It is not a file");
  });

  test("that is missing fails once a look, and its arrival is seen at the next", async () => {
    const { updater, clock } = await createWorld(dir, [fileFeed()]);
    await updater.refreshFiles();
    expect(updater.stateOf("mine")?.lastError).toBe("Cannot read the file: it does not exist");
    expect(updater.hasChangedFiles()).toBe(false);
    writeFileSync(join(dir, "list.txt"), "192.0.2.7\n");
    clock.advance(1);
    await updater.updateDue();
    expect(updater.stateOf("mine")).toMatchObject({ entries: 1, lastError: null });
  });
});
