import type { Ground } from "../ground.ts";
import { askFree, askPaid, expectSoon, healthOf, isWell } from "../looks.ts";
import { checkStatuses } from "../money.ts";
import type { Findings, Scenario } from "../scenario.ts";
import type { OwnService } from "../services.ts";
import { PAIR_CONNECTIONS, type Pair, startPair } from "./pair.ts";

/** PostgreSQL dies, and later stands still, under load. */
export const postgresAway: Scenario = {
  name: "postgres",
  what: "kill -9 and SIGSTOP of PostgreSQL: 503 meanwhile, free tools go on, no restart, no credit lost",
  needs: ["linux", "postgres", "valkey"],
  run: async (ground, findings) => {
    const pair = await startPair(ground);
    const storm = pair.storm("call");
    await storm.more(200, 100);
    await killed(ground, pair, findings, () => storm.more(503, 20));
    await storm.more(200, 100);
    await expectRecovery(pair, findings);
    await paused(ground, pair, findings, () => storm.more(503, 1));
    await storm.more(200, 100);
    await storm.stop();
    await expectRecovery(pair, findings);
    checkStatuses(storm.calls, [200, 429, 503], findings);
    // A commit whose answer was lost is a 503 for the caller: at most those that were under way each time.
    await pair.checkMoney(storm.calls, findings, 2 * PAIR_CONNECTIONS);
  },
};

async function killed(
  ground: Ground,
  pair: Pair,
  findings: Findings,
  refused: () => Promise<void>,
): Promise<void> {
  ground.say("Killing PostgreSQL");
  await pair.postgres.kill();
  await refused();
  await expectAway(pair, findings);
  ground.say("Starting PostgreSQL again");
  await pair.postgres.start();
}

async function paused(
  ground: Ground,
  pair: Pair,
  findings: Findings,
  refused: () => Promise<void>,
): Promise<void> {
  ground.say("Stopping PostgreSQL where it stands");
  pair.postgres.pause();
  try {
    await refused();
    await expectAway(pair, findings);
  } finally {
    ground.say("PostgreSQL goes on");
    pair.postgres.resume();
  }
}

/** What holds at both services while the database is away. */
async function expectAway({ services, keys }: Pair, findings: Findings): Promise<void> {
  const look = async (service: OwnService): Promise<void> => {
    await expectSoon(findings, "health says that the database is away", async () =>
      (await healthOf(service)).includes('"database":false'),
    );
    const [paid, free] = await Promise.all([askPaid(service, keys[0] ?? ""), askFree(service)]);
    findings.expect(
      paid.status === 503 && Number(paid.headers["retry-after"]) >= 1,
      `a metered call gets 503 with Retry-After: ${paid.status} ${paid.headers["retry-after"]}`,
    );
    findings.expect(free.status === 200, `free tools go on: ${free.status}`);
  };
  await Promise.all(services.map(look));
}

async function expectRecovery({ services }: Pair, findings: Findings): Promise<void> {
  for (const service of services) {
    await expectSoon(findings, "all is well again without a restart", () => isWell(service));
    findings.expect(service.isUp(), "the service lives on");
  }
}
