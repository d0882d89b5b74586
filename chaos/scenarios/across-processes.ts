import { planOf } from "../../src/accounts/plans.ts";
import { systemClock } from "../../src/base/clock.ts";
import { type Ground, openAccounts } from "../ground.ts";
import { expectSoon, isWell } from "../looks.ts";
import { checkMoney, checkStatuses } from "../money.ts";
import type { Findings, Scenario } from "../scenario.ts";
import type { OwnService } from "../services.ts";
import { checkWindows, watchStarts } from "../starts.ts";
import { beginStorm, type Storm } from "../storm.ts";

const PROCESSES = 4;
const ACCOUNTS = 8;
const CONNECTIONS = 64;
/** The short form takes a plan whose limit any machine reaches. */
const SHORT = { plan: "Starter", credits: 120, processes: PROCESSES } as const;
const FULL = { plan: "Enterprise", credits: 10_000, processes: PROCESSES } as const;
/** Two die, one is left. */
const SHORT_KILLED = { ...SHORT, processes: 3 } as const;
const KILL_EVERY_MS = 5000;

/** Many processes are one. */
export const acrossProcesses: Scenario = {
  name: "across-processes",
  what: `${PROCESSES} processes, ${ACCOUNTS} accounts, ${CONNECTIONS} connections: credits and limits are exact`,
  needs: ["linux", "postgres", "valkey"],
  run: async (ground, findings, isShort) => {
    const { members, storm, check } = await begin(ground, findings, isShort ? SHORT : FULL);
    await storm.spent;
    await check(0);
    checkStatuses(storm.calls, [200, 402, 429], findings);
    for (const { checkOutput } of members) checkOutput();
  },
};

/** The same while processes die. */
export const processesKilled: Scenario = {
  name: "processes-killed",
  what: `the same, with a process killed every ${KILL_EVERY_MS / 1000} s and started again: every 200 is charged once`,
  needs: ["linux", "postgres", "valkey"],
  run: async (ground, findings, isShort) => {
    const wish = isShort ? SHORT_KILLED : FULL;
    const { members, storm, check } = await begin(ground, findings, wish);
    const kills = isShort
      ? await killByProgress(members, storm, (ACCOUNTS * wish.credits) / 4)
      : await killRegularly(ground, members, storm);
    await storm.spent;
    findings.figure("kills", kills);
    findings.expect(kills >= 2, "at least two processes are killed under load");
    findings.figure("calls without an answer", storm.count(null));
    await check(kills * CONNECTIONS);
    checkStatuses(storm.calls, [200, 402, 429, null], findings);
    for (const { checkOutput } of members) checkOutput();
  },
};

/** One of the processes. Callers know it from when it shares its limits until it is killed. */
type Member = {
  readonly port: number;
  readonly isKnown: () => boolean;
  /** Starts it, again too. */
  readonly join: () => Promise<void>;
  readonly kill: () => Promise<void>;
  readonly checkOutput: () => void;
};

function createMember(service: OwnService, findings: Findings): Member {
  let isKnown = false;
  // How fast it finds the server at its start is the machine's doing.
  let written = 0;
  const checkOutput = () => {
    const text = service.written().slice(written);
    findings.expect(
      !text.includes("Valkey is unavailable"),
      `the limits are shared all the time: ${text.slice(0, 500)}`,
    );
  };
  return {
    port: service.port,
    isKnown: () => isKnown,
    join: async () => {
      await service.start();
      await expectSoon(findings, "a process that was started shares its limits", () => isWell(service));
      written = service.written().length;
      isKnown = true;
    },
    kill: async () => {
      isKnown = false;
      checkOutput();
      await service.kill();
    },
    checkOutput,
  };
}

async function begin(
  ground: Ground,
  findings: Findings,
  wish: typeof SHORT | typeof SHORT_KILLED | typeof FULL,
) {
  const { credits, plan, processes } = wish;
  const [postgres, valkey] = await Promise.all([ground.postgres(), ground.valkey()]);
  const { db, accounts } = await ground.open(postgres.url);
  const owners = await openAccounts(accounts, ACCOUNTS, wish);
  const env = { DATABASE_URL: postgres.url, VALKEY_URL: valkey.url };
  const members: Member[] = [];
  for (let i = 0; i < processes; i++) members.push(createMember(await ground.service({ env }), findings));
  ground.say(`Starting ${processes} processes`);
  await Promise.all(members.map(({ join }) => join()));
  const admitted = await watchStarts(valkey.url);
  ground.later(admitted.close);
  ground.say(`Spending ${ACCOUNTS} x ${credits} credits`);
  const storm = beginStorm({
    name: "call",
    keys: owners.map(({ key }) => key),
    connections: CONNECTIONS,
    ports: () => members.filter(({ isKnown }) => isKnown()).map(({ port }) => port),
  });
  return {
    members,
    storm,
    check: async (unanswered: number) => {
      await admitted.settled();
      checkWindows(admitted, storm.calls, planOf(plan).requestsPerSecond, findings);
      await checkMoney({ db, accounts, owners, granted: credits }, storm.calls, findings, unanswered);
      const rest = await Promise.all(
        owners.map(async ({ email }) => (await accounts.findAccount(email))?.credits),
      );
      findings.expect(
        rest.every((balance) => balance === 0),
        `all credits are spent: ${rest.join(", ")}`,
      );
    },
  };
}

/** Kills one process after the other, each after so many more answers; starts them again. */
async function killByProgress(members: readonly Member[], storm: Storm, every: number): Promise<number> {
  const restarts: Promise<void>[] = [];
  for (const member of members.slice(0, 2)) {
    await storm.more(200, every);
    await member.kill();
    restarts.push(member.join());
  }
  await Promise.all(restarts);
  return restarts.length;
}

async function killRegularly(ground: Ground, members: readonly Member[], storm: Storm): Promise<number> {
  let kills = 0;
  let isSpent = false;
  void storm.spent.then(() => {
    isSpent = true;
  });
  const restarts: Promise<void>[] = [];
  while (!isSpent) {
    await Promise.race([systemClock.sleep(KILL_EVERY_MS), storm.spent]);
    const victim = members[kills % members.length];
    if (isSpent || victim === undefined || !victim.isKnown()) continue;
    await victim.kill();
    kills++;
    ground.say(`Killed a process; ${storm.count(200)} answers of 200 so far`);
    restarts.push(victim.join());
  }
  await Promise.all(restarts);
  return kills;
}
