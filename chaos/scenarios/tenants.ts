import { median, medianRatio } from "../../bench/statistics.ts";
import { systemClock } from "../../src/base/clock.ts";
import type { Ground } from "../ground.ts";
import { mostResidentMb, residentMb } from "../linux.ts";
import type { Findings, Scenario } from "../scenario.ts";
import { PAID, type Seen } from "../tenants/payer.ts";
import { databaseBytes, openSetting, type Setting } from "../tenants/setting.ts";
import { HOSTILITIES, type Hostility } from "../tenants/words.ts";

const MOST_RATIO = 2;
const MOST_MORE_MB = 500;
const MOST_MB_A_DAY = 100;
/** Of three accounts, eight each; a connection may be closed a little later at its other end. */
const MOST_CONNECTIONS = 32;
/** The short form asks for what does not depend on time. */
const MOST_SHORT_GROWTH_MB = 0.15;

const LONG = { rounds: 7, roundMs: 6000, warmMs: 2000, diskMs: 90_000 } as const;
const SHORT = { rounds: 1, roundMs: 600, warmMs: 600, diskMs: 4000 } as const;

/** Whether a paying account notices hostile ones. */
export const tenants: Scenario = {
  name: "tenants",
  what: "hostile Free accounts beside a paying one, on SQLite: it gets its answers as soon as alone",
  needs: ["linux"],
  run: (ground, findings, isShort) => play({ ground, findings, isShort, env: {} }),
};

/** The same on PostgreSQL and Valkey. */
export const tenantsOnPostgres: Scenario = {
  name: "tenants-postgres",
  what: "the same on PostgreSQL with Valkey",
  needs: ["linux", "postgres", "valkey"],
  run: async (ground, findings, isShort) => {
    const [postgres, valkey] = await Promise.all([ground.postgres(), ground.valkey()]);
    const env = { DATABASE_URL: postgres.url, VALKEY_URL: valkey.url };
    await play({ ground, findings, isShort, env });
  },
};

type Play = {
  readonly ground: Ground;
  readonly findings: Findings;
  readonly isShort: boolean;
  readonly env: Readonly<Record<string, string>>;
};

async function play({ ground, findings, isShort, env }: Play): Promise<void> {
  const setting = await openSetting(ground, env, isShort ? 4000 : 40_000);
  const form = isShort ? SHORT : LONG;
  // What is loaded and compiled with the first calls is no account's doing.
  for (let i = 0; i < form.rounds; i++) await setting.payer.round(form.roundMs);
  const beforeMb = residentMb(setting.service.pid());
  for (const hostility of HOSTILITIES) await playOne(hostility, { setting, findings, isShort });
  const moreMb = mostResidentMb(setting.service.pid()) - beforeMb;
  findings.figure("memory of the service before, MB", Math.round(beforeMb));
  findings.row({
    ...{ step: "all", figure: "memory more", value: `${Math.round(moreMb)} MB` },
    ...{ must: `< ${MOST_MORE_MB} MB`, isMet: moreMb < MOST_MORE_MB },
  });
  await playDisk({ setting, findings, isShort });
}

type Step = { readonly setting: Setting; readonly findings: Findings; readonly isShort: boolean };
type Round = Awaited<ReturnType<Setting["payer"]["round"]>>;

/** One hostility: rounds of the paying account alone and beside it, in turn. */
async function playOne(hostility: Hostility, { setting, findings, isShort }: Step): Promise<void> {
  const { ground, payer, world, beginHostility } = setting;
  const { rounds, roundMs, warmMs } = isShort ? SHORT : LONG;
  const [alone, beside]: [Round[], Round[]] = [[], []];
  const statuses = new Map<string, number>();
  let mostOpen = 0;
  let isAlwaysCalm = true;
  for (let i = 0; i < rounds; i++) {
    if (!isShort) alone.push(await payer.round(roundMs));
    await world.look();
    const end = await beginHostility(hostility);
    await systemClock.sleep(warmMs);
    beside.push(await payer.round(roundMs));
    const { tally, isCalm } = await end();
    isAlwaysCalm &&= isCalm;
    for (const [status, count] of Object.entries(tally)) {
      statuses.set(status, (statuses.get(status) ?? 0) + count);
    }
    mostOpen = Math.max(mostOpen, (await world.look()).mostOpen);
    ground.say(
      `${hostility}, round ${i + 1}: ${saying(alone.at(-1))} alone, ${saying(beside.at(-1))} beside`,
    );
  }
  findings.figure(
    `${hostility}: hostile answers`,
    [...statuses].map(([status, count]) => `${count} x ${status}`).join(", "),
  );
  const row = rowsOf(hostility, findings);
  for (const endpoint of PAID) {
    const seen = [...alone, ...beside].map((round) => round[endpoint]);
    const lost = seen.reduce((sum, { calls, ok }) => sum + calls - ok, 0);
    row(`${endpoint}: paid calls not answered 200`, `${lost}`, "0", lost === 0);
    if (!isShort) row(...ratioOf(endpoint, p99s(alone, endpoint), p99s(beside, endpoint)));
  }
  row("questions, connections, pages, calls left", isAlwaysCalm ? "none" : "some", "none", isAlwaysCalm);
  if (hostility === "abandoned calls") {
    row("connections to a stranger", `${mostOpen}`, `<= ${MOST_CONNECTIONS}`, mostOpen <= MOST_CONNECTIONS);
  }
}

const saying = (round: Round | undefined): string =>
  PAID.map((endpoint) => ms(round?.[endpoint].p99Ms ?? Number.NaN)).join(" and ");
const ms = (value: number): string => `${value.toFixed(1)} ms`;

const p99s = (rounds: readonly Round[], endpoint: keyof Round): number[] =>
  rounds.map((round): Seen => round[endpoint]).map(({ p99Ms }) => p99Ms);

type Cells = readonly [figure: string, value: string, must: string, isMet: boolean];

const rowsOf =
  (step: string, findings: Findings) =>
  (...[figure, value, must, isMet]: Cells): void =>
    findings.row({ step, figure, value, must, isMet });

function ratioOf(endpoint: string, alone: readonly number[], beside: readonly number[]): Cells {
  const ratio = medianRatio(beside, alone);
  const value = `${ratio.toFixed(2)} (${ms(median(alone))}, ${ms(median(beside))})`;
  return [`${endpoint}: p99 beside / alone`, value, `< ${MOST_RATIO}`, ratio < MOST_RATIO];
}

/** What the database grows by refused calls: more than by the same account's admitted calls alone. */
async function playDisk({ setting, findings, isShort }: Step): Promise<void> {
  const { diskMs, warmMs } = isShort ? SHORT : LONG;
  const row = rowsOf("refused calls", findings);
  const grow = async (perSecond: number) => {
    const end = await setting.beginHostility("refused calls", { accounts: 1, perSecond });
    await systemClock.sleep(warmMs);
    const before = await databaseBytes(setting.db);
    await systemClock.sleep(diskMs);
    const { tally } = await end();
    // Rows of calls that cost nothing are written a moment after their answers.
    await systemClock.sleep(warmMs);
    return { bytes: (await databaseBytes(setting.db)) - before, refused: tally["429"] ?? 0 };
  };
  const admitted = await grow(2);
  const all = await grow(1000);
  const perSecond = (all.refused * 1000) / (diskMs + warmMs);
  findings.figure("refused calls a second", Math.round(perSecond));
  const moreMb = (all.bytes - admitted.bytes) / 1e6;
  if (isShort) {
    const isMet = moreMb < MOST_SHORT_GROWTH_MB;
    row("growth of the database", `${moreMb.toFixed(2)} MB`, `< ${MOST_SHORT_GROWTH_MB} MB`, isMet);
    return;
  }
  const perDayMb = (moreMb * 86_400_000 * 1000) / diskMs / Math.min(1000, perSecond);
  row(
    "growth of the database at 1,000 a second",
    `${perDayMb.toFixed(0)} MB a day`,
    `< ${MOST_MB_A_DAY} MB a day`,
    perDayMb < MOST_MB_A_DAY,
  );
}
