import { expect, test } from "vitest";
import { forEachDatabase } from "../../test/databases.ts";
import { createCaller, startLedger } from "../../test/ledger-setting.ts";
import { outcomeOf } from "../../test/sign-in-setting.ts";
import { systemClock, systemRandom } from "../base/clock.ts";
import { DAY_MS } from "../base/durations.ts";
import { createLeases, LEASE_MS, timeOf } from "./leases.ts";
import { createRuns } from "./runs.ts";

const CLIENT = "198.51.100.7";
/** Lets every change through. */
const guard = async () => undefined;

forEachDatabase((dialect, database) => {
  const start = async () => {
    const world = await startLedger(database);
    const { db, clock } = world;
    const runs = createRuns({ db, clock, random: systemRandom });
    const draftOf = async (accountId: string, targets = ["192.0.2.1"], cells: readonly string[] = []) => {
      const { id } = await runs.create({
        accountId,
        name: "run",
        columns: ["ip"],
        clientAddress: CLIENT,
        guard,
      });
      const lines = targets.map((target, at) => ({
        line: at + 1,
        cells: [target, ...cells],
        judged: { product: "check-ip", target },
      }));
      await runs.addLines({ accountId, id, lines, guard });
      return id;
    };
    const startRun = (accountId: string, id: string) =>
      runs.start({ accountId, id, sessionId: "session", clientAddress: CLIENT, guard });
    const startedOf = async (accountId: string) => {
      const id = await draftOf(accountId);
      await startRun(accountId, id);
      clock.advance(1000);
      return id;
    };
    const accountOf = async () => (await createCaller(world)).account.id;
    const leasesOf = (self: string) => createLeases(self, { db, clock, time: () => timeOf(clock) });
    return { ...world, runs, draftOf, startRun, startedOf, accountOf, leasesOf };
  };

  test("of a thousand runs an account keeps fifty, of which five run at once", {
    timeout: 60_000,
  }, async () => {
    const { runs, accountOf, startRun, draftOf, db, clock } = await start();
    const accountId = await accountOf();
    const wish = { accountId, name: "run", columns: ["ip"], clientAddress: CLIENT, guard };
    for (let times = 0; times < 20; times++) {
      await Promise.all(Array.from({ length: 50 }, () => runs.create(wish)));
      clock.advance(1000);
    }
    const kept = await db.kysely.selectFrom("bulk_runs").select("id").execute();
    expect(kept).toHaveLength(50);
    const ids: string[] = [];
    for (let times = 0; times < 8; times++) ids.push(await draftOf(accountId));
    const outcomes = await Promise.all(ids.map((id) => outcomeOf(startRun(accountId, id))));
    expect(outcomes.filter((outcome) => outcome === "CONFLICT")).toHaveLength(3);
    expect(await runs.list(accountId)).toHaveLength(5);
    // The next account is not concerned.
    const other = await accountOf();
    await startRun(other, await draftOf(other));
    expect(await runs.list(other)).toMatchObject([{ state: "running" }]);
  });

  test("runs that go on make no room, and all runs hold at most 40 MB", async () => {
    const { runs, accountOf, startRun, draftOf, db } = await start();
    const accountId = await accountOf();
    const large = Array.from({ length: 49 }, () => "a".repeat(4000));
    const targets = Array.from({ length: 40 }, (_, at) => `192.0.2.${at}`);
    for (let times = 0; times < 5; times++) await draftOf(accountId, targets, large);
    expect(await outcomeOf(draftOf(accountId, targets, large))).toBe("CONFLICT");
    await db.kysely.deleteFrom("bulk_runs").execute();
    for (let times = 0; times < 50; times++) {
      await startRun(accountId, await draftOf(accountId));
      await db.kysely.updateTable("bulk_runs").set({ state: "paused" }).execute();
    }
    expect(await outcomeOf(draftOf(accountId))).toBe("CONFLICT");
    expect(await runs.list(accountId)).toHaveLength(50);
  });

  test("lines that are sent again hold no more than once, however often and however many they are", async () => {
    const { runs, accountOf, db } = await start();
    const accountId = await accountOf();
    const wish = { accountId, name: "run", columns: ["ip"], clientAddress: CLIENT, guard };
    const { id } = await runs.create(wish);
    const cells = Array.from({ length: 50 }, () => "a".repeat(4000));
    const linesFrom = (first: number) =>
      Array.from({ length: 25 }, (_, at) => ({
        line: first + at,
        cells,
        judged: { product: "check-ip", target: `192.0.2.${first + at}` },
      }));
    const add = (first: number) => runs.addLines({ accountId, id, guard, lines: linesFrom(first) });
    for (let times = 0; times < 4; times++) await add(1);
    await add(11); // ten lines that are new
    const held = await db.kysely.selectFrom("bulk_runs").select("bytes").executeTakeFirstOrThrow();
    expect(Number(held.bytes)).toBe(35 * JSON.stringify(cells).length);
    expect(await outcomeOf(add(40))).toBe("VALIDATION");
    const after = await db.kysely.selectFrom("bulk_runs").select("bytes").executeTakeFirstOrThrow();
    expect(after).toEqual(held);
  });

  test("a long target is one, and lines in any order repeat the earliest", async () => {
    const { runs, accountOf } = await start();
    const accountId = await accountOf();
    const { id } = await runs.create({
      accountId,
      name: "run",
      columns: ["url"],
      clientAddress: CLIENT,
      guard,
    });
    const random = Buffer.from(systemRandom.bytes(3000)).toString("base64url");
    const add = (line: number, target: string, product: string) =>
      runs.addLines({
        accountId,
        id,
        guard,
        lines: [{ line, cells: [target], judged: { product, target } }],
      });
    await add(9, random, "url-reputation");
    await add(5, random, "url-reputation");
    await add(7, random, "url-reputation");
    await add(6, random, "whois-lookup");
    await add(2, "other", "url-reputation");
    const wish = { state: null, verdict: null, after: 0, offset: 0, limit: 10 };
    const items = await runs.items({ accountId, id }, wish);
    expect(items.map(({ line, state, sameAs }) => [line, state, sameAs])).toEqual([
      [2, "waiting", null],
      [5, "waiting", null],
      [6, "waiting", null],
      [7, "repeated", 5],
      [9, "repeated", 5],
    ]);
  });

  test("one process works on a run, and another takes it over when its lease has ended", async () => {
    const { accountOf, startedOf, leasesOf, clock } = await start();
    const id = await startedOf(await accountOf());
    const [one, two] = [leasesOf("one"), leasesOf("two")];
    const taken = await Promise.all([one.take(), two.take()]);
    expect(taken.filter((run) => run !== null)).toMatchObject([{ id }]);
    const [holder, other] = taken[0] === null ? [two, one] : [one, two];
    expect(await other.renew(id)).toBeNull();
    clock.advance(LEASE_MS - 1);
    expect([await other.take(), (await holder.renew(id))?.id]).toEqual([null, id]);
    clock.advance(LEASE_MS + 1);
    expect((await other.take())?.id).toBe(id);
    expect(await holder.renew(id)).toBeNull();
    await holder.end(id, "done");
    expect((await other.renew(id))?.state).toBe("running");
  });

  test("a lease that ends later than any could, as before the clock was set back, keeps no run", async () => {
    const { accountOf, startedOf, leasesOf, clock } = await start();
    const id = await startedOf(await accountOf());
    const [one, two] = [leasesOf("one"), leasesOf("two")];
    expect((await one.take())?.id).toBe(id);
    clock.advance(-LEASE_MS);
    expect(await two.take()).toBeNull();
    clock.advance(-1);
    expect((await two.take())?.id).toBe(id);
    clock.advance(-86_400_000);
    expect((await one.take())?.id).toBe(id);
    expect([await two.take(), await two.renew(id)]).toEqual([null, null]);
  });

  if (dialect === "postgres")
    test.each([
      ["ahead", 3_600_000],
      ["behind", -3_600_000],
    ])(
      "a process whose clock is %s takes no run of a living one, and keeps none when it dies",
      async (_, byMs) => {
        const { accountOf, startedOf, db } = await start();
        const id = await startedOf(await accountOf());
        const skewed = { now: () => new Date(Date.now() + byMs) };
        const [other, right] = [
          createLeases("other", { db, clock: skewed }),
          createLeases("right", { db, clock: systemClock }),
        ];
        expect((await right.take())?.id).toBe(id);
        expect(await other.take()).toBeNull();
        await right.giveBack(id);
        expect((await other.take())?.id).toBe(id);
        const { lease_until } = await db.kysely
          .selectFrom("bulk_runs")
          .select("lease_until")
          .executeTakeFirstOrThrow();
        expect(Math.abs(lease_until - Date.now() - LEASE_MS)).toBeLessThan(10_000);
        expect(await right.take()).toBeNull();
      },
    );

  test("accounts take turns: one run of each, and the one that waited longest first", async () => {
    const { accountOf, startedOf, leasesOf, clock } = await start();
    const [many, few] = [await accountOf(), await accountOf()];
    const own: string[] = [];
    for (let times = 0; times < 3; times++) own.push(await startedOf(many));
    const theirs = await startedOf(few);
    const leases = leasesOf("one");
    expect([(await leases.take())?.id, (await leases.take())?.id]).toEqual([own[0], theirs]);
    expect(await leases.take()).toBeNull();
    for (const next of [own[1], own[2], own[0], own[1]]) {
      const held = own.find((id) => id === own[own.indexOf(next ?? "") - 1]) ?? own[2];
      clock.advance(1);
      await leases.giveBack(held ?? "");
      expect((await leases.take())?.id).toBe(next);
    }
  });

  test("while the lines of many runs are counted, others have their turns", async () => {
    const { runs, accountOf, draftOf, db } = await start();
    const accountId = await accountOf();
    const targets = Array.from({ length: 1000 }, (_, at) => `192.88.${at >> 8}.${at & 255}`);
    for (let times = 0; times < 40; times++) await draftOf(accountId, targets);
    await db.kysely.updateTable("bulk_runs").set({ state: "paused" }).execute();
    let turns = 0;
    const counting = setInterval(() => turns++);
    const listed = await runs.list(accountId);
    clearInterval(counting);
    expect(listed).toHaveLength(40);
    expect(listed[0]?.progress.lines.waiting).toBe(1000);
    expect(turns).toBeGreaterThan(0);
  });

  test("runs go after their days, drafts after one, and all of them where no results are kept", async () => {
    const { runs, accountOf, startedOf, draftOf, clock, db } = await start();
    const accountId = await accountOf();
    const running = await startedOf(accountId);
    const paused = await startedOf(accountId);
    await db.kysely.updateTable("bulk_runs").set({ state: "paused" }).where("id", "=", paused).execute();
    await draftOf(accountId);
    const left = async () =>
      (await db.kysely.selectFrom("bulk_runs").select("id").orderBy("created_at").execute()).map(
        ({ id }) => id,
      );
    clock.advance(DAY_MS);
    expect([await runs.prune(30), await left()]).toEqual([1, [running, paused]]);
    clock.advance(29 * DAY_MS);
    expect([await runs.prune(30), await left()]).toEqual([1, [running]]);
    expect([await runs.prune(0), await left()]).toEqual([1, []]);
    expect(await db.kysely.selectFrom("bulk_run_items").select("line").execute()).toEqual([]);
  });
});
