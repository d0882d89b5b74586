import { type Address, openAddress } from "../address.ts";
import { checkRun, doneOf, type OwnRun, startRun, stateOf } from "../bulk-run.ts";
import { type Ground, openAccounts } from "../ground.ts";
import { expectSoon, isWell } from "../looks.ts";
import { startOwnStandby } from "../own-servers.ts";
import type { Findings, Scenario } from "../scenario.ts";
import { startPair } from "./pair.ts";

const GRANTED = 100_000;
/** What the second account has at first: its run stops for want of credits. */
const FEW = 700;
const LINES = 10_000;
const SHORT_LINES = 4_000;

type Setting = Awaited<ReturnType<typeof begin>>;

/** Bulk runs while everything they need fails in turn. */
export const bulkRuns: Scenario = {
  name: "bulk-runs",
  what: "bulk runs while Valkey and PostgreSQL stand still, die and fail over, and processes are killed: each line once",
  needs: ["linux", "postgres", "valkey"],
  run: async (ground, findings, isShort) => {
    const setting = await begin(ground, isShort ? SHORT_LINES : LINES);
    const [long, poor, ended] = setting.runs;
    if (long === undefined || poor === undefined || ended === undefined) throw new Error("A run is missing");
    await loseValkey(ground, setting, findings);
    await losePostgres(ground, setting, findings);
    await expectSoon(
      findings,
      "a run without credits stands still",
      async () => (await stateOf(setting.books, poor)) === "paused: credits",
    );
    await setting.books.accounts.setCredits({ email: poor.owner.email, credits: GRANTED - FEW });
    findings.expect((await poor.press("start")) === 200, "it goes on with more");
    await killProcesses(ground, setting, findings);
    const statuses = await Promise.all([ended.press("cancel"), ended.press("cancel")]);
    findings.expect(statuses.toSorted().join() === "200,409", `a run ends once: ${statuses}`);
    const atEnd = await doneOf(setting.books, ended);
    await failOver(ground, setting, findings);
    const { books } = setting;
    for (const run of [long, poor]) {
      await expectSoon(findings, "the run is done", async () => (await stateOf(books, run)) === "done");
    }
    findings.expect((await stateOf(books, ended)) === "cancelled", "a run that was ended goes on nowhere");
    findings.expect((await doneOf(books, ended)) === atEnd, "and nothing of it was looked up after that");
    for (const run of setting.runs) await checkRun(run, { books, granted: GRANTED, findings });
    findings.figure(
      "lines done",
      (await Promise.all(setting.runs.map((run) => doneOf(books, run)))).join(", "),
    );
  },
};

async function begin(ground: Ground, lines: number) {
  const address = await openAddress(ground);
  const pair = await startPair(ground, {
    databaseUrl: async ({ port, url }) => {
      address.leadTo(port);
      return url.replace(`:${port}/`, `:${address.port}/`);
    },
  });
  const { db, accounts } = await ground.open(pair.postgres.url.replace(/:\d+\//, `:${address.port}/`));
  const books = { db, accounts };
  const owners = await openAccounts(accounts, 3, { credits: GRANTED });
  await accounts.setCredits({ email: owners[1]?.email ?? "", credits: FEW });
  const runs: OwnRun[] = [];
  // The last one is still under way when it is ended, however slow the others make the machine.
  const counts = [lines, lines / 2, LINES];
  for (const [i, owner] of owners.entries()) {
    runs.push(await startRun(pair.services[0], { owner, lines: counts[i] ?? lines, db }));
  }
  return { ...pair, address, books, runs };
}

/** Waits until the first run has more lines done than now. */
async function goOn({ books, runs: [run] }: Setting, findings: Findings, after: string): Promise<void> {
  if (run === undefined) return;
  let before: number | null = null;
  await expectSoon(findings, `runs go on after: ${after}`, async () => {
    const state = await stateOf(books, run).catch(() => "away");
    if (state === "away") return false;
    if (state.startsWith("paused")) findings.expect(false, `the run stands still after: ${after}: ${state}`);
    if (state !== "running") return true;
    const done = await doneOf(books, run);
    before ??= done;
    return done > before + 50;
  });
}

async function loseValkey(ground: Ground, setting: Setting, findings: Findings): Promise<void> {
  const { valkey, services } = setting;
  ground.say("Valkey stands still");
  valkey.pause();
  await goOn(setting, findings, "Valkey stands still");
  valkey.resume();
  ground.say("Valkey is killed");
  await valkey.kill();
  await goOn(setting, findings, "Valkey is killed");
  await valkey.start();
  for (const service of services) await expectSoon(findings, "limits are shared", () => isWell(service));
  await goOn(setting, findings, "Valkey is back");
}

async function losePostgres(ground: Ground, setting: Setting, findings: Findings): Promise<void> {
  const { postgres, services } = setting;
  ground.say("PostgreSQL stands still");
  postgres.pause();
  for (const service of services)
    await expectSoon(findings, "it is noticed", async () => !(await isWell(service)));
  postgres.resume();
  await goOn(setting, findings, "PostgreSQL stood still");
  ground.say("PostgreSQL is killed");
  await postgres.kill();
  for (const service of services)
    await expectSoon(findings, "it is noticed", async () => !(await isWell(service)));
  await postgres.start();
  await goOn(setting, findings, "PostgreSQL was killed");
}

async function killProcesses(ground: Ground, setting: Setting, findings: Findings): Promise<void> {
  for (const service of setting.services) {
    ground.say("A process is killed");
    await service.kill();
    await goOn(setting, findings, "a process was killed");
    await service.start();
  }
}

async function failOver(ground: Ground, setting: Setting, findings: Findings): Promise<void> {
  const { postgres, address, services }: Setting & { address: Address } = setting;
  ground.say("PostgreSQL fails over");
  const standby = await startOwnStandby(postgres);
  ground.later(standby.remove);
  await goOn(setting, findings, "a standby follows");
  await postgres.kill();
  address.leadTo(standby.port);
  for (const service of services)
    await expectSoon(findings, "it is noticed", async () => !(await isWell(service)));
  standby.promote();
  for (const service of services) await expectSoon(findings, "all is well", () => isWell(service));
  await goOn(setting, findings, "the standby took its place");
}
