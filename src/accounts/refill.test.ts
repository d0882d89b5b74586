import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PLANS, planOf } from "./plans.ts";
import { CYCLE_MS, grantPerCycle, refill, refillSql } from "./refill.ts";

const terms = fc.record({
  plan: fc.constantFrom(...PLANS.map(({ name }) => name)),
  trialGrant: fc.option(fc.integer({ min: 0, max: 1_500_000 })),
  isOnHold: fc.boolean(),
});
const FREE = { plan: "Free", trialGrant: null, isOnHold: false } as const;
const instantMs = fc.integer({ min: 0, max: Date.UTC(2200, 0) });
const credits = fc.integer({ min: 0, max: 1e12 });

describe("refill()", () => {
  test("does nothing before the cycle's end", () => {
    const balance = { credits: 3, creditsResetAtMs: 1000 };
    expect(refill(balance, FREE, 999)).toBe(balance);
  });

  test("at the end gives the grant and a cycle of 30 × 86,400 s", () => {
    const refilled = refill({ credits: 3, creditsResetAtMs: 1000 }, FREE, 1000);
    expect(refilled).toEqual({ credits: 100, creditsResetAtMs: 1000 + 2_592_000_000 });
  });

  test("in a trial gives the trial's grant", () => {
    const trial = { plan: "Pro", trialGrant: 100, isOnHold: false } as const;
    expect(refill({ credits: 3, creditsResetAtMs: 1000 }, trial, 1000).credits).toBe(100);
  });

  test("while a payment is late gives nothing, and what is due when it is made", () => {
    const late = { plan: "Pro", trialGrant: null, isOnHold: true } as const;
    const balance = { credits: 3, creditsResetAtMs: 1000 };
    expect(refill(balance, late, 1000 + 2 * CYCLE_MS)).toBe(balance);
    const paid = { ...late, isOnHold: false };
    const due = { credits: 300_000, creditsResetAtMs: 1000 + 3 * CYCLE_MS };
    expect(refill(balance, paid, 1000 + 2 * CYCLE_MS)).toEqual(due);
  });

  test("moves the end in whole cycles to the first one after now, for any instant", () => {
    fc.assert(
      fc.property(credits, instantMs, terms, instantMs, (left, resetAtMs, on, nowMs) => {
        const after = refill({ credits: left, creditsResetAtMs: resetAtMs }, on, nowMs);
        if (on.isOnHold) {
          expect(after).toEqual({ credits: left, creditsResetAtMs: resetAtMs });
          return;
        }
        expect((after.creditsResetAtMs - resetAtMs) % CYCLE_MS).toBe(0);
        expect(after.creditsResetAtMs).toBeGreaterThan(nowMs);
        const grant = on.trialGrant ?? planOf(on.plan).creditsPerMonth;
        expect(after.credits).toBe(nowMs >= resetAtMs ? grant : left);
        expect(refill(after, on, nowMs)).toBe(after);
      }),
    );
  });

  test("and its SQL agree for any account and instant", () => {
    const db = new DatabaseSync(":memory:");
    db.exec(`create table accounts (plan text, credits bigint, credits_reset_at bigint, credits_granted bigint,
      trial_grant bigint, grace_ends_at bigint)`);
    const insert = db.prepare("insert into accounts values (?, ?, ?, 7, ?, ?)");
    const parts = refillSql("cast(:now as integer)");
    const read = db.prepare(
      `select ${parts.credits} as credits, ${parts.resetAt} as creditsResetAtMs, ${parts.granted} as granted from accounts`,
    );
    fc.assert(
      fc.property(credits, instantMs, terms, instantMs, (left, resetAtMs, on, nowMs) => {
        db.exec("delete from accounts");
        insert.run(on.plan, left, resetAtMs, on.trialGrant, on.isOnHold ? nowMs : null);
        const wanted = refill({ credits: left, creditsResetAtMs: resetAtMs }, on, nowMs);
        const granted = wanted.creditsResetAtMs === resetAtMs ? 7 : grantPerCycle(on);
        expect(read.get({ now: nowMs })).toEqual({ ...wanted, granted });
      }),
    );
  });
});
