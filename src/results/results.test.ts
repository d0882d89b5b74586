import { expect, test } from "vitest";
import { forEachDatabase } from "../../test/databases.ts";
import { createCaller, startLedger } from "../../test/ledger-setting.ts";
import { outcomeOf } from "../../test/sign-in-setting.ts";
import { systemRandom } from "../base/clock.ts";
import { DAY_MS } from "../base/durations.ts";
import { answerFacts } from "../metering/answer-facts.ts";
import type { NewResult } from "./result.ts";
import { createResults, type ResultFilter, type ResultsOptions } from "./results.ts";

const ANY: ResultFilter = { q: "", verdict: null, product: null, runId: null };
const FIRST = { limit: 50, offset: 0 };
/** Lets every change through. */
const guard = async () => undefined;

const answerOf = (target: string, score: number, verdict: string) =>
  JSON.stringify({
    ip: target,
    risk_score: { result: score, band: verdict, verdict },
    blacklists: { detections: 2, engines_count: 40 },
  });

forEachDatabase((_dialect, database) => {
  const start = async (options: Partial<ResultsOptions> = {}) => {
    const world = await startLedger(database);
    const { db, clock } = world;
    const warnings: unknown[] = [];
    const log = { warn: (entry: unknown) => void warnings.push(entry) };
    const results = createResults(
      { keptDays: 30, maxBytes: 1_000_000, ...options },
      { db, clock, random: systemRandom, log, factsOf: answerFacts },
    );
    const { account } = await createCaller(world);
    const keep = (target: string, more: Partial<NewResult> = {}) => {
      const id = systemRandom.uuid();
      results.keep({
        ...{
          id,
          accountId: account.id,
          at: clock.now(),
          requestId: `r-${target}`,
          product: "check-ip",
          target,
        },
        question: { ip: target },
        data: answerOf(target, 78, "high"),
        ...more,
      });
      return id;
    };
    const targets = async (filter: Partial<ResultFilter> = {}, page = FIRST) =>
      (await results.list(account.id, { ...ANY, ...filter }, page)).results.map(({ target }) => target);
    return { ...world, results, account, keep, targets, warnings };
  };

  test("an answer is kept whole with its facts, and opened by its account alone", async () => {
    const world = await start();
    const { results, account, keep, clock } = world;
    const id = keep("198.51.100.7");
    const other = await createCaller(world);
    expect(await results.open(account.id, id)).toEqual({
      id,
      at: clock.now(),
      requestId: "r-198.51.100.7",
      product: "check-ip",
      target: "198.51.100.7",
      verdict: "high",
      score: 78,
      detections: 2,
      engines: 40,
      runId: null,
      question: { ip: "198.51.100.7" },
      data: answerOf("198.51.100.7", 78, "high"),
      shares: [],
    });
    expect(await outcomeOf(results.open(other.account.id, id))).toBe("NOT_FOUND");
    expect(await outcomeOf(results.remove({ accountId: other.account.id, id, guard }))).toBe("NOT_FOUND");
    expect(await results.idsOf(account.id, ["r-198.51.100.7", "other"])).toEqual(
      new Map([["r-198.51.100.7", id]]),
    );
    expect((await results.list(other.account.id, ANY, FIRST)).total).toBe(0);
    await results.remove({ accountId: account.id, id, guard });
    expect(await outcomeOf(results.open(account.id, id))).toBe("NOT_FOUND");
  });

  test("a list is narrowed by text, verdict and product, in pages, newest first", async () => {
    const { clock, keep, targets, results, account } = await start();
    keep("one.example", { product: "domain-reputation" });
    clock.advance(1000);
    keep("TWO_2.example", { product: "domain-reputation", data: answerOf("x", 0, "clean") });
    clock.advance(1000);
    keep("192.0.2.1");
    clock.advance(1000);
    keep("records.example", { product: "dns-lookup", data: '{"records":[]}' });
    expect(await targets()).toEqual(["records.example", "192.0.2.1", "TWO_2.example", "one.example"]);
    expect(await targets({ q: " Example " })).toEqual(["records.example", "TWO_2.example", "one.example"]);
    // What LIKE takes for a wildcard is a character here.
    expect(await targets({ q: "_" })).toEqual(["TWO_2.example"]);
    expect(await targets({ q: "%" })).toEqual([]);
    expect(await targets({ q: "one\0\ud800" })).toEqual([]);
    expect(await targets({ verdict: "clean" })).toEqual(["TWO_2.example"]);
    expect(await targets({ product: "domain-reputation", verdict: "high" })).toEqual(["one.example"]);
    expect(await targets({}, { limit: 2, offset: 1 })).toEqual(["192.0.2.1", "TWO_2.example"]);
    expect((await results.list(account.id, ANY, { limit: 1, offset: 3 })).total).toBe(4);
  });

  test("an answer is deleted after its days, and the oldest when an account holds too much", async () => {
    const { clock, keep, targets, results } = await start({ maxBytes: 4000 });
    keep("old.example");
    await results.flush();
    clock.advance(20 * DAY_MS);
    keep("young.example");
    await results.flush();
    clock.advance(10 * DAY_MS - 1);
    expect([await results.prune(), await targets()]).toEqual([0, ["young.example", "old.example"]]);
    clock.advance(1);
    expect([await results.prune(), await targets()]).toEqual([1, ["young.example"]]);
    for (const number of [1, 2, 3, 4, 5]) {
      const random = Buffer.from(systemRandom.bytes(900)).toString("base64");
      clock.advance(1000);
      keep(`large-${number}.example`, { data: JSON.stringify({ random }) });
      await results.flush();
    }
    // 900 random bytes need a little more than as many.
    expect(await targets()).toEqual([
      "large-5.example",
      "large-4.example",
      "large-3.example",
      "large-2.example",
    ]);
  });

  test("a link opens without an account until it ends, is revoked, or its result goes", async () => {
    const world = await start();
    const { clock, keep, results, account, accounts, db } = world;
    const id = keep("192.0.2.1");
    await results.flush();
    const other = await createCaller(world);
    expect(
      await outcomeOf(results.share({ accountId: other.account.id, resultId: id, days: 1, guard })),
    ).toBe("NOT_FOUND");
    const share = async (days: number) => results.share({ accountId: account.id, resultId: id, days, guard });
    const day = await share(1);
    const week = await share(7);
    const open = async ({ token }: { token: string }) =>
      (await results.readShared(token))?.result.target ?? null;
    expect([await open(day), await open(week)]).toEqual(["192.0.2.1", "192.0.2.1"]);
    expect((await results.open(account.id, id)).shares.map((one) => one.id).toSorted()).toEqual(
      [day.share.id, week.share.id].toSorted(),
    );
    const stored = JSON.stringify(await db.kysely.selectFrom("result_shares").selectAll().execute());
    expect(stored).not.toContain(day.token);
    for (const token of ["", day.token.slice(1), "A".repeat(43), `${day.token}=`, day.share.id]) {
      expect(await open({ token })).toBeNull();
    }
    clock.advance(DAY_MS);
    expect([await open(day), await open(week)]).toEqual([null, "192.0.2.1"]);
    const foreign = { accountId: other.account.id, id: week.share.id, guard };
    expect(await outcomeOf(results.revokeShare(foreign))).toBe("NOT_FOUND");
    await accounts.setDisabled({ email: account.email, isDisabled: true });
    expect(await open(week)).toBeNull();
    await accounts.setDisabled({ email: account.email, isDisabled: false });
    await results.revokeShare({ accountId: account.id, id: week.share.id, guard });
    expect(await open(week)).toBeNull();
    const last = await share(1);
    await results.remove({ accountId: account.id, id, guard });
    expect(await open(last)).toBeNull();
    expect(await db.kysely.selectFrom("result_shares").selectAll().execute()).toEqual(
      [expect.anything()].slice(1),
    );
  });

  test("a result has at most twenty links", async () => {
    const { keep, results, account } = await start();
    const id = keep("192.0.2.1");
    await results.flush();
    const share = () => results.share({ accountId: account.id, resultId: id, days: 1, guard });
    for (let links = 0; links < 20; links++) await share();
    expect(await outcomeOf(share())).toBe("CONFLICT");
  });

  test("answers of an account that was deleted meanwhile are dropped, those beside them kept", async () => {
    const world = await start();
    const { keep, targets, db, warnings, results } = world;
    keep("before.example", { accountId: "gone" });
    keep("mine.example");
    await results.flush();
    expect(await targets()).toEqual(["mine.example"]);
    expect(await db.kysely.selectFrom("results").select("id").execute()).toHaveLength(1);
    expect(warnings).toEqual([]);
  });

  test("nothing is kept for 0 days, and what was is deleted", async () => {
    const { keep, targets, results, db, clock, account } = await start();
    keep("mine.example");
    expect(await targets()).toEqual(["mine.example"]);
    const off = createResults(
      { keptDays: 0, maxBytes: 1000 },
      { db, clock, random: systemRandom, log: { warn: () => undefined }, factsOf: answerFacts },
    );
    off.keep({
      ...{
        id: "x",
        accountId: account.id,
        at: clock.now(),
        requestId: "r",
        product: "check-ip",
        target: "t",
      },
      ...{ question: {}, data: "{}" },
    });
    expect((await off.list(account.id, ANY, FIRST)).total).toBe(1);
    expect(await off.prune()).toBe(1);
    expect((await results.list(account.id, ANY, FIRST)).total).toBe(0);
  });
});
