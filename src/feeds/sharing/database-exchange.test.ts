import { mkdtempSync, rmSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { forEachDatabase } from "../../../test/databases.ts";
import { startChanging } from "../../../test/feed-world.ts";
import { createDialing } from "../../../test/servers/dialing.ts";
import { response, startWebServer, TEST_CA_FILE } from "../../../test/servers/web-server.ts";
import { systemClock } from "../../base/clock.ts";
import type { Database } from "../../db/database.ts";
import { createHttp } from "../../net/http/http.ts";
import type { FeedDefinition } from "../feed.ts";
import { readContent } from "../feed-store.ts";
import type { Updater } from "../retrieval/updater.ts";
import { definitionHashOf, NEVER_TRIED } from "../state.ts";
import { createTestUpdater } from "../test-updater.ts";
import { createDatabaseExchange } from "./database-exchange.ts";
import type { FeedExchange, Shared } from "./exchange.ts";
import { openStates } from "./states.ts";
import { createTakeOver } from "./sync-from-peers.ts";

let dir = "";
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "exchange-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const feed = (url: string): FeedDefinition => ({
  key: "mine",
  name: "Mine",
  role: "engine",
  builtin: false,
  target: "ip",
  source: { kind: "web", url, headers: {} },
  seed: null,
  format: "netset",
  options: {},
  refreshMinutes: 60,
  maxEntries: null,
  allowEmpty: false,
});

/** A process of its own as far as lists go: a data folder and a connection that is not shared. */
async function createMachine(name: string, feeds: readonly FeedDefinition[], db: Database): Promise<Updater> {
  const { dialer } = await createDialing();
  const http = createHttp({ dialer, clock: systemClock, caFile: TEST_CA_FILE, userAgent: "Repute/1" });
  onTestFinished(http.close);
  const exchange = createDatabaseExchange(db, name);
  return createTestUpdater({ feeds, keptDir: join(dir, name), http, exchange });
}

forEachDatabase((dialect, database) => {
  if (dialect === "sqlite") {
    test("SQLite has one data folder and exchanges nothing", async () => {
      expect(createDatabaseExchange(await database.open(), "a")).toBeNull();
    });
    return;
  }

  const open = async (name: string): Promise<FeedExchange> => {
    const exchange = createDatabaseExchange(await database.open(), name);
    if (exchange === null) throw new Error("PostgreSQL exchanges");
    return exchange;
  };
  const changes = async (exchange: FeedExchange, keys: readonly string[]): Promise<Shared[]> => {
    const taken: Shared[] = [];
    await exchange.takeChanges(keys, async (shared) => void taken.push(shared));
    return taken;
  };
  const state = { ...NEVER_TRIED, contentHash: "a".repeat(64), entries: 1 };

  describe("the exchange", () => {
    test("one process at a time holds a claim", async () => {
      const [one, other] = [await open("one"), await open("other")];
      const claims = await Promise.all([one.claim("mine"), other.claim("mine")]);
      expect(claims.toSorted()).toEqual([false, true]);
      const holder = claims[0] ? one : other;
      await (claims[0] ? other : one).release("mine");
      expect(await one.claim("mine")).toBe(false);
      await holder.release("mine");
      expect(await other.claim("mine")).toBe(true);
      expect(await one.claim("another")).toBe(true);
    });

    test("a claim lasts a minute, and as long as it is renewed", async () => {
      const db = await database.open();
      const one = await open("one");
      const left = async () => {
        const rows = await db.kysely.selectFrom("feed_states").select("claimed_until").execute();
        return Number(rows[0]?.claimed_until) - systemClock.now().getTime();
      };
      await one.claim("mine");
      expect(Math.abs((await left()) - 60_000)).toBeLessThan(10_000);
      await db.kysely.updateTable("feed_states").set({ claimed_until: 1 }).execute();
      await (await open("other")).renew(["mine"]);
      expect(await left()).toBeLessThan(0);
      await one.renew(["mine"]);
      expect(Math.abs((await left()) - 60_000)).toBeLessThan(10_000);
    });

    test("a claim whose process died ends by the server's clock", async () => {
      const db = await database.open();
      const [one, other] = [await open("one"), await open("other")];
      await one.claim("mine");
      await db.kysely.updateTable("feed_states").set({ claimed_until: 1 }).execute();
      expect(await other.claim("mine")).toBe(true);
      await one.publish({ key: "mine", state, packed: Buffer.from("late") });
      expect(await changes(other, ["mine"])).toEqual([]);
    });

    test("what one publishes the others learn once, and it does not learn it itself", async () => {
      const [one, other] = [await open("one"), await open("other")];
      await one.claim("mine");
      const packed = Buffer.from([0, 1, 255, 0]);
      await one.publish({ key: "mine", state, packed });
      expect(await changes(one, ["mine"])).toEqual([]);
      expect(await changes(other, ["mine"])).toEqual([{ key: "mine", state }]);
      expect(await changes(other, ["mine"])).toEqual([]);
      expect(Buffer.from((await other.content("mine", state.contentHash)) ?? [])).toEqual(packed);
      expect(await other.content("mine", "b".repeat(64))).toBeNull();
      await one.publish({ key: "mine", state: { ...state, failures: 1 }, packed: null });
      expect(await changes(other, ["mine"])).toMatchObject([{ state: { failures: 1 } }]);
      expect(await other.content("mine", state.contentHash)).not.toBeNull();
      expect(await changes(await open("late"), ["yours"])).toEqual([]);
    });
  });

  test("what could not be taken over is given again", async () => {
    const [one, other] = [await open("one"), await open("other")];
    await one.claim("mine");
    await one.publish({ key: "mine", state, packed: null });
    const full = () => Promise.reject(new Error("The disk is full"));
    await expect(other.takeChanges(["mine"], full)).rejects.toThrow("The disk is full");
    expect(await changes(other, ["mine"])).toEqual([{ key: "mine", state }]);
  });

  test("of two machines one downloads, and the other takes its content over", async () => {
    const server = await startWebServer(() => response("192.0.2.7\n"), { certificate: "good" });
    const feeds = [feed(`${server.url}/list`)];
    const one = await createMachine("one", feeds, await database.open());
    const other = await createMachine("other", feeds, await database.open());
    await Promise.all([one.updateDue(), other.updateDue()]);
    await Promise.all([one.updateDue(), other.updateDue()]);
    expect(one.stateOf("mine")).toMatchObject({ entries: 1, lastError: null });
    expect(server.requests).toHaveLength(1);
    expect(other.stateOf("mine")).toEqual(one.stateOf("mine"));
    const hash = other.stateOf("mine")?.contentHash ?? "";
    for (const name of ["one", "other"]) {
      expect(Buffer.from(readContent(join(dir, name), "mine", hash) ?? []).toString()).toBe("192.0.2.7\n");
    }
  });

  test.each([1, 5])("who is told to asks each of %i lists, whatever others asked before", async (count) => {
    const { server, answer } = await startChanging(() => response("192.0.2.7\n"));
    const keys = Array.from({ length: count }, (_, i) => `list_${i}`);
    const feeds = keys.map((key) => ({ ...feed(`${server.url}/${key}`), key }));
    const one = await createMachine("one", feeds, await database.open());
    const other = await createMachine("other", feeds, await database.open());
    await one.update(keys);
    answer(() => response("<html>sorry</html>"));
    // A process that has just begun learns of the others' outcomes while it is told to ask.
    const outcomes = await other.update(keys);
    expect(outcomes.map(({ key, last }) => [key, last.outcome]).toSorted()).toEqual(
      keys.map((key) => [key, "failed"]),
    );
    expect(server.requests).toHaveLength(2 * count);
    expect(await one.takeOver()).toBe(true);
    for (const key of keys) {
      expect(one.stateOf(key)).toMatchObject({
        entries: 1,
        lastError: "The file is a web page, not a list",
        failures: 1,
      });
    }
  });

  test("who is told to while another process downloads asks after it", async () => {
    const waiting: Socket[] = [];
    const { server, answer } = await startChanging((_request, socket) => void waiting.push(socket));
    const feeds = [feed(`${server.url}/list`)];
    const one = await createMachine("one", feeds, await database.open());
    const other = await createMachine("other", feeds, await database.open());
    const slow = one.updateDue();
    while (server.requests.length === 0) await systemClock.sleep(10);
    const told = other.update(["mine"]);
    answer(() => response("192.0.2.8\n"));
    waiting[0]?.end(response("192.0.2.7\n"));
    await slow;
    expect(await told).toMatchObject([{ key: "mine", last: { outcome: "updated" } }]);
    expect(server.requests).toHaveLength(2);
    const hash = other.stateOf("mine")?.contentHash ?? "";
    expect(Buffer.from(readContent(join(dir, "other"), "mine", hash) ?? []).toString()).toBe("192.0.2.8\n");
  });

  test("a state by another definition is of another list", async () => {
    const server = await startWebServer(() => response("192.0.2.7\n"), { certificate: "good" });
    const mine = feed(`${server.url}/list`);
    const one = await createMachine("one", [mine], await database.open());
    const other = await createMachine("other", [{ ...mine, format: "hosts" }], await database.open());
    await one.update(["mine"]);
    expect(await other.takeOver()).toBe(true);
    expect(other.stateOf("mine")).toBeNull();
    await other.update(["mine"]);
    await one.takeOver();
    expect(one.stateOf("mine")).toMatchObject({ entries: 1, lastError: null });
    expect(other.stateOf("mine")).toMatchObject({
      contentHash: null,
      lastError: expect.stringContaining('"hosts"'),
    });
  });

  test("content that the database does not have is published with the next attempt", async () => {
    const server = await startWebServer(() => response("192.0.2.7\n"), { certificate: "good" });
    const db = await database.open();
    const feeds = [feed(`${server.url}/list`)];
    const one = await createMachine("one", feeds, db);
    const other = await createMachine("other", feeds, await database.open());
    await one.update(["mine"]);
    await db.kysely.deleteFrom("feed_contents").execute();
    await one.update(["mine"]);
    await other.takeOver();
    expect(other.stateOf("mine")).toEqual(one.stateOf("mine"));
  });

  test("who asks while another asks knows at the end what that one was taking over", async () => {
    const [one, other] = [await open("one"), await open("other")];
    const feeds = [feed("https://lists.test/list")];
    const tried = { ...state, triedHash: definitionHashOf(feed("https://lists.test/list")) };
    await one.claim("mine");
    await one.publish({ key: "mine", state: tried, packed: Buffer.from("packed") });
    const slow: FeedExchange = {
      ...other,
      content: async (key, hash) => {
        await systemClock.sleep(300);
        return other.content(key, hash);
      },
    };
    const states = openStates(dir, feeds);
    const deps = {
      feeds,
      keptDir: dir,
      clock: systemClock,
      log: pino({ level: "silent" }),
      onChange: () => undefined,
    };
    const takeOver = createTakeOver({ ...deps, exchange: slow }, states);
    void takeOver.all();
    expect(await takeOver.fromOthers()).toBe(true);
    expect(states.of("mine")).toEqual(tried);
  });

  test("while the database is unavailable no publisher is asked, and nothing is lost", async () => {
    const server = await startWebServer(() => response("192.0.2.7\n"), { certificate: "good" });
    const db = await database.open();
    const one = await createMachine("one", [feed(`${server.url}/list`)], db);
    await db.close();
    await one.updateDue();
    expect(server.requests).toEqual([]);
    expect(one.stateOf("mine")).toBeNull();
  });
});
