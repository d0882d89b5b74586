import fc from "fast-check";
import { openDatabase } from "../../src/db/database.ts";
import { startBilling } from "../../test/billing-setting.ts";
import { createMovableClock } from "../../test/movable-clock.ts";
import { play, type Reached } from "../billing/play.ts";
import { sequences } from "../billing/steps.ts";
import type { Ground } from "../ground.ts";
import type { Findings, Scenario } from "../scenario.ts";

const LONG = 10_000;
const SHORT = 100;
const SEED = 20_260_101;
/** What a trial grants: as much as Free does by default, and more. */
const TRIAL_CREDITS = [100, 5000];

/** Plans and credits against a small model of the rules, whatever the payment provider tells and when. */
export const money: Scenario = {
  name: "money",
  what: "random subscriptions, payments, refunds and late events on SQLite: plans and credits are the model's",
  needs: [],
  // In memory: no disk makes a difference to the rules, and waiting for one takes most of the time.
  run: (ground, findings, isShort) => playAll(":memory:", { ground, findings, isShort }),
};

/** The same on PostgreSQL. */
export const moneyOnPostgres: Scenario = {
  name: "money-postgres",
  what: "the same on PostgreSQL",
  needs: ["postgres"],
  run: async (ground, findings, isShort) => {
    const server = await ground.postgres();
    const url = `${server.url}?options=-c%20synchronous_commit%3Doff`;
    await playAll(url, { ground, findings, isShort });
  },
};

type Play = { readonly ground: Ground; readonly findings: Findings; readonly isShort: boolean };

async function playAll(url: string, { ground, findings, isShort }: Play): Promise<void> {
  const clock = createMovableClock(new Date(0));
  const db = await openDatabase({ url, clock });
  ground.later(db.close);
  const count = isShort ? SHORT : LONG;
  const reached: Reached = {
    steps: 0,
    "events delivered": 0,
    charges: 0,
    "charges while a due refill waits for a payment": 0,
    "looks at an account in its grace": 0,
    "looks at an account in a trial": 0,
  };
  let played = 0;
  for (const trialCredits of TRIAL_CREDITS) {
    const setting = await startBilling({ db, clock, trialCredits });
    ground.later(setting.stripe.close);
    const one = fc.asyncProperty(sequences, async (steps) => {
      await play(steps, setting, { trialCredits, reached });
      played += 1;
      if (played % 1000 === 0) ground.say(`${played} sequences`);
    });
    const numRuns = count / TRIAL_CREDITS.length;
    const result = await fc.check(one, { seed: SEED + trialCredits, numRuns });
    const difference = result.failed
      ? `${String(result.errorInstance)}\n${fc.defaultReportMessage(result)}`
      : "";
    findings.expect(!result.failed, `the account is the model's after every step: ${difference}`);
  }
  findings.figure("sequences", played);
  for (const [name, value] of Object.entries(reached)) findings.figure(name, value);
  findings.figure("seed", SEED);
}
