import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { forEachDatabase } from "../../test/databases.ts";
import { createDialing } from "../../test/servers/dialing.ts";
import { response, startWebServer, TEST_CA_FILE } from "../../test/servers/web-server.ts";
import { systemClock } from "../clock.ts";
import type { Database } from "../db/database.ts";
import { createHttp } from "../net/http.ts";
import { createDatabaseExchange } from "./database-exchange.ts";
import type { FeedExchange, Shared } from "./exchange.ts";
import type { FeedDefinition } from "./feed.ts";
import { readContent } from "./kept.ts";
import { NEVER_TRIED } from "./state.ts";
import { openStates } from "./states.ts";
import { createTakeOver } from "./take-over.ts";
import { createTestUpdater } from "./test-updater.ts";
import type { Updater } from "./updater.ts";

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

/** A process of its own as far as lists go: a data folder and a connection that nobody shares. */
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
    const [done] = await Promise.all([one.update(["mine"]), other.update(["mine"])]);
    await one.updateDue();
    await other.updateDue();
    expect(done[0]?.last.outcome).toBe("updated");
    expect(server.requests).toHaveLength(1);
    expect(other.stateOf("mine")).toEqual(one.stateOf("mine"));
    const hash = other.stateOf("mine")?.contentHash ?? "";
    for (const name of ["one", "other"]) {
      expect(Buffer.from(readContent(join(dir, name), "mine", hash) ?? []).toString()).toBe("192.0.2.7\n");
    }
  });

  test("who asks while another asks knows at the end what that one was taking over", async () => {
    const [one, other] = [await open("one"), await open("other")];
    await one.claim("mine");
    await one.publish({ key: "mine", state, packed: Buffer.from("packed") });
    const slow: FeedExchange = {
      ...other,
      content: async (key, hash) => {
        await systemClock.sleep(300);
        return other.content(key, hash);
      },
    };
    const feeds = [feed("https://lists.test/list")];
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
    expect(states.of("mine")).toEqual(state);
  });

  test("while the database is away nobody asks a publisher, and nothing is lost", async () => {
    const server = await startWebServer(() => response("192.0.2.7\n"), { certificate: "good" });
    const db = await database.open();
    const one = await createMachine("one", [feed(`${server.url}/list`)], db);
    await db.close();
    await one.updateDue();
    expect(server.requests).toEqual([]);
    expect(one.stateOf("mine")).toBeNull();
  });
});
