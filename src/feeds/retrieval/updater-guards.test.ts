import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { zipSync } from "fflate";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { addresses, createWorld, feed, startChanging, startHttps } from "../../../test/feed-world.ts";
import { startCanary } from "../../../test/servers/dialing.ts";
import { redirect, response, type WebAnswer, writeEndlessly } from "../../../test/servers/web-server.ts";
import { readContent } from "../feed-store.ts";
import type { FeedState } from "../state.ts";
import { judge } from "./validate-content.ts";
import type { JudgeBatch } from "./validation-queue.ts";

let dir = "";
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "updater-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const contentOf = (state: FeedState | null): string =>
  Buffer.from(readContent(dir, "mine", state?.contentHash ?? "") ?? []).toString();

describe("a fault of our own", () => {
  test("is tried again as soon as an outage, however often it came, and names no folder", async () => {
    const server = await startHttps(() => response(addresses(200)));
    const list = feed(`${server.url}/list`, { refreshMinutes: 1440, builtin: true });
    writeFileSync(join(dir, "file"), "");
    const elsewhere = { keptDir: join(dir, "file", "no-folder"), now: new Date() };
    const judgeElsewhere: JudgeBatch = (all) => Promise.all(all.map((one) => judge(list, one, elsewhere)));
    const { updater } = await createWorld(join(dir, "kept"), [list], { judge: judgeElsewhere });
    await updater.update(["mine"]);
    expect(updater.stateOf("mine")).toMatchObject({
      lastError: "Cannot keep the list: a file stands where a folder is needed",
      nextAttempt: "2026-11-21T09:05:00Z",
    });
  });

  test("a clock that was ahead leaves no content that stays fresh until then", async () => {
    const { server, answer } = await startChanging(() => response(addresses(200)));
    const { updater, clock } = await createWorld(dir, [feed(`${server.url}/list`)]);
    clock.advance(365 * 1440);
    await updater.update(["mine"]);
    clock.advance(-365 * 1440);
    answer(() => response("busy", { status: 503 }));
    await updater.updateDue();
    expect(updater.stateOf("mine")).toMatchObject({
      entries: 200,
      retrievedAt: "2026-11-21T09:00:00Z",
      changedAt: "2026-11-21T09:00:00Z",
      lastError: "The server answered 503",
    });
  });
});

describe("what does not replace the content before it:", () => {
  const bomb = () => gzipSync(Buffer.alloc(3_000_000, "1.2.3.4\n"));
  const cases: Record<string, { answer: WebAnswer; says: RegExp; builtin?: boolean }> = {
    "a web page": {
      answer: () => response("\n <!DOCTYPE html><p>192.0.2.1"),
      says: /^The file is a web page, not a list$/,
    },
    "a web page that begins with text": {
      answer: () => response("Wait … <html>", { headers: { "Content-Type": "text/html; charset=utf-8" } }),
      says: /web page/,
    },
    "an empty answer": { answer: () => response(""), says: /^The list is empty$/ },
    "nothing but comments": { answer: () => response("# one\n; two\n"), says: /^The list is empty$/ },
    "a list of under half the entries": {
      answer: () => response(addresses(90)),
      says: /^The list shrank from 200 to 90 entries$/,
    },
    "more entries than max_entries": {
      answer: () => response(addresses(2000)),
      says: /^The list has more than 1000 entries$/,
    },
    "binary junk": {
      answer: () => response(Buffer.from(Array.from({ length: 50_000 }, (_, i) => (i * 7919) & 255))),
      says: /^No row of the list was understood/,
    },
    "every address there is": { answer: () => response("0.0.0.0/0\n::/0\n"), says: /No row/ },
    "nearly every address there is, as a range": {
      answer: () => response("0.0.0.1-255.255.255.255\n::1-ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff\n"),
      says: /No row/,
    },
    "every address there is, in halves": {
      answer: () => response(`${addresses(200)}\n0.0.0.0/1\n128.0.0.0/1\n`),
      says: /^The list names 100 % of all addresses$/,
    },
    "most addresses, in ranges": {
      answer: () => response(`${addresses(200)}\n1.0.0.0-100.255.255.255\n200.0.0.0-240.0.0.0\n`),
      says: /^The list names 55 % of all addresses$/,
    },
    "most addresses, in small networks": {
      answer: () =>
        response(Array.from({ length: 600 }, (_, i) => `${i % 150}.${i & 192}.0.0/10`).join("\n")),
      says: /^The list names 5\d % of all addresses$/,
    },
    "every address there is, in pieces, in a built-in list": {
      answer: () => response(Array.from({ length: 222 }, (_, i) => `${i + 1}.0.0.0/8`).join("\n")),
      says: /^The list names 84 % of all addresses$/,
      builtin: true,
    },
    "one line of many megabytes": {
      answer: () => response(Buffer.alloc(1_500_000, "a")),
      says: /^No row of the list was understood: it is not of the format "netset"$/,
    },
    "a bad fifth of a built-in list": {
      answer: () => response(`${addresses(150)}\n${"what\n".repeat(50)}`),
      says: /^50 of 200 rows were not understood$/,
      builtin: true,
    },
    "nothing but private ranges in a built-in list": {
      answer: () => response("10.0.0.0/8\n192.168.1.0/24\n127.0.0.1\n16.0.0.0/6\n"),
      says: /No row/,
      builtin: true,
    },
    "an endless answer": {
      answer: (_request, socket) => {
        socket.write("HTTP/1.1 200 OK\r\n\r\n");
        writeEndlessly(socket, Buffer.alloc(65_536, "1.2.3.4\n"));
        return undefined;
      },
      says: /larger than 2000000 bytes/,
    },
    "a gzip bomb": { answer: () => response(bomb()), says: /^The file is too large when unpacked$/ },
    "a compressed answer that is a bomb": {
      answer: () => response(bomb(), { headers: { "Content-Encoding": "gzip" } }),
      says: /larger than 2000000 bytes/,
    },
    "a zip bomb": {
      answer: () => response(Buffer.from(zipSync({ a: Buffer.alloc(3_000_000, "1.2.3.4\n") }))),
      says: /^The file is too large when unpacked$/,
    },
    "an answer that is cut short": {
      answer: () => Buffer.from(`HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n${addresses(300)}`),
      says: /broken/,
    },
    "a gzip that is cut short": {
      answer: () => response(gzipSync(addresses(300)).subarray(0, 200)),
      says: /^The file cannot be unpacked/,
    },
    "a 503": { answer: () => response("busy", { status: 503 }), says: /^The server answered 503$/ },
    "a 404": { answer: () => response(addresses(300), { status: 404 }), says: /^The server answered 404$/ },
    "a part": { answer: () => response(addresses(300), { status: 206 }), says: /^The server answered 206$/ },
    "a redirect to plain http": {
      answer: () => redirect("http://127.0.0.1:1/x"),
      says: /from https to http/,
    },
    "no HTTP at all": { answer: () => "220 mail.example ESMTP\r\n", says: /No HTTP response/ },
  };

  test.each(Object.entries(cases))("%s", async (_what, { answer: bad, says, builtin = false }) => {
    const { server, answer } = await startChanging(() => response(addresses(200)));
    const { updater, clock } = await createWorld(
      dir,
      [feed(`${server.url}/list`, { maxEntries: 1000, builtin })],
      { maxBytes: 2_000_000, feeds: [feed(`${server.url}/list`, { maxEntries: 1000, builtin })] },
    );
    await updater.update(["mine"]);
    answer(bad);
    clock.advance(60);
    const [outcome] = await updater.update(["mine"]);
    expect(outcome?.last.outcome).toBe("failed");
    const state = updater.stateOf("mine");
    expect(state?.lastError).toMatch(says);
    expect(state).toMatchObject({
      entries: 200,
      retrievedAt: "2026-11-21T09:00:00Z",
      lastAttempt: "2026-11-21T10:00:00Z",
    });
    expect(contentOf(state)).toBe(addresses(200));
    expect(readdirSync(dir).filter((name) => /\.(tmp|claim)$/.test(name))).toEqual([]);

    answer(() => response(addresses(199)));
    clock.advance(60);
    await updater.update(["mine"]);
    expect(updater.stateOf("mine")).toMatchObject({ entries: 199, lastError: null, failures: 0 });
  });

  test.each(["expired", "self", "other", "early"] as const)(
    "a certificate that is wrong: %s",
    async (certificate) => {
      const server = await startHttps(() => response(addresses(200)), certificate);
      const { updater } = await createWorld(dir, [feed(`${server.url}/list`)]);
      await updater.update(["mine"]);
      expect(updater.stateOf("mine")).toMatchObject({ contentHash: null });
      expect(updater.stateOf("mine")?.lastError).toMatch(/^No secure connection/);
      expect(server.requests).toEqual([]);
    },
  );

  test("a redirect inward: no server there is even connected to", async () => {
    const canary = await startCanary();
    const server = await startHttps(() => redirect(`https://127.200.0.1:${canary.port}/list`));
    const { updater } = await createWorld(dir, [feed(`${server.url}/list`)]);
    await updater.update(["mine"]);
    expect(updater.stateOf("mine")?.lastError).toBe("The host leads to a private address");
    expect(canary.connections).toEqual([]);
  });

  test("no server listening", async () => {
    const { updater } = await createWorld(dir, [feed("https://127.0.0.1:1/list")]);
    const [outcome] = await updater.update(["mine"]);
    expect(outcome).toMatchObject({ last: { outcome: "failed" }, state: { contentHash: null } });
  });

  test("an answer that never ends within the time", async () => {
    const server = await startHttps((_request, socket) => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n1.2.3.4\n");
      return undefined;
    });
    const { updater } = await createWorld(dir, [feed(`${server.url}/list`)], { timeoutMs: 300 });
    await updater.update(["mine"]);
    expect(updater.stateOf("mine")?.lastError).toBe("No complete answer within 300 ms");
  });
});
