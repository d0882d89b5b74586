import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PLANS, planOf } from "./plans.ts";
import { CYCLE_MS, refill, refillSql } from "./refill.ts";

const plan = fc.constantFrom(...PLANS.map(({ name }) => name));
const instantMs = fc.integer({ min: 0, max: Date.UTC(2200, 0) });
const credits = fc.integer({ min: 0, max: 1e12 });

describe("refill()", () => {
  test("does nothing before the cycle's end", () => {
    const balance = { credits: 3, creditsResetAtMs: 1000 };
    expect(refill(balance, "Free", 999)).toBe(balance);
  });

  test("at the end gives the grant and a cycle of 30 × 86,400 s", () => {
    const refilled = refill({ credits: 3, creditsResetAtMs: 1000 }, "Free", 1000);
    expect(refilled).toEqual({ credits: 100, creditsResetAtMs: 1000 + 2_592_000_000 });
  });

  test("moves the end in whole cycles to the first one after now, for any instant", () => {
    fc.assert(
      fc.property(credits, instantMs, plan, instantMs, (left, resetAtMs, name, nowMs) => {
        const after = refill({ credits: left, creditsResetAtMs: resetAtMs }, name, nowMs);
        expect((after.creditsResetAtMs - resetAtMs) % CYCLE_MS).toBe(0);
        expect(after.creditsResetAtMs).toBeGreaterThan(nowMs);
        expect(after.credits).toBe(nowMs >= resetAtMs ? planOf(name).creditsPerMonth : left);
        expect(refill(after, name, nowMs)).toBe(after);
      }),
    );
  });

  test("and its SQL agree for any account and instant", () => {
    const db = new DatabaseSync(":memory:");
    db.exec("create table accounts (plan text, credits bigint, credits_reset_at bigint)");
    const insert = db.prepare("insert into accounts values (?, ?, ?)");
    const { credits: creditsSql, resetAt } = refillSql("cast(:now as integer)");
    const read = db.prepare(`select ${creditsSql} as credits, ${resetAt} as creditsResetAtMs from accounts`);
    fc.assert(
      fc.property(credits, instantMs, plan, instantMs, (left, resetAtMs, name, nowMs) => {
        db.exec("delete from accounts");
        insert.run(name, left, resetAtMs);
        const wanted = refill({ credits: left, creditsResetAtMs: resetAtMs }, name, nowMs);
        expect(read.get({ now: nowMs })).toEqual(wanted);
      }),
    );
  });
});
