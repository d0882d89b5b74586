import { type Address, openAddress } from "../address.ts";
import type { Ground } from "../ground.ts";
import { askFree, askPaid, countOf, expectSoon, isWell } from "../looks.ts";
import { checkMoney, checkStatuses } from "../money.ts";
import { askPostgres, type OwnStandby, startOwnStandby } from "../own-servers.ts";
import type { Findings, Scenario } from "../scenario.ts";
import { ask } from "../services.ts";
import { PAIR_CONNECTIONS, type Pair, startPair } from "./pair.ts";

/** PostgreSQL dies under load, and what followed it takes its place at its address. */
export const failover: Scenario = {
  name: "failover",
  what: "kill -9 of a PostgreSQL that a standby follows: 503 until that is promoted, no credit lost, no revoked key taken",
  needs: ["linux", "postgres", "valkey"],
  run: async (ground, findings) => {
    const address = await openAddress(ground);
    const pair = await startPair(ground, {
      databaseUrl: async ({ port, url }) => {
        address.leadTo(port);
        return url.replace(`:${port}/`, `:${address.port}/`);
      },
    });
    ground.say("Starting a standby");
    const standby = await startOwnStandby(pair.postgres);
    ground.later(standby.remove);
    const storm = pair.storm("call");
    await storm.more(200, 100);
    await refuseStandby(ground, pair, { standby, address, findings });
    ground.say("Killing the primary");
    address.leadTo(pair.postgres.port);
    await storm.more(200, 100);
    await pair.postgres.kill();
    await storm.more(503, 20);
    ground.say("Promoting the standby");
    address.leadTo(standby.port);
    standby.promote();
    await storm.more(200, 100);
    await storm.stop();
    for (const service of pair.services)
      await expectSoon(findings, "all is well again without a restart", () => isWell(service));
    checkStatuses(storm.calls, [200, 429, 503], findings);
    // Twice the database went away under calls that may have been charged without an answer.
    const { db, accounts } = await ground.open(standby.url);
    await checkMoney({ ...pair.books, db, accounts }, storm.calls, findings, 2 * PAIR_CONNECTIONS);
  },
};

type Standing = { readonly standby: OwnStandby; readonly address: Address; readonly findings: Findings };

/** The address leads to a standby that is behind: a key that was revoked at the primary still works there. */
async function refuseStandby(
  ground: Ground,
  { services, postgres, books }: Pair,
  { standby, address, findings }: Standing,
): Promise<void> {
  ground.say("Leading the address to the standby");
  const [owner] = books.owners;
  const { key: made, text: key } = await books.accounts.createKey({ email: owner?.email ?? "" });
  const path = "/api/account/subscription";
  const before = await ask(services[0].port, { path, key });
  findings.expect(before.status === 200, `the key works: ${before.status}`);
  await askPostgres(standby.url, "select pg_wal_replay_pause()");
  // What only the standby's disk has is enough for a commit of the primary.
  await books.accounts.revokeKey(made.id);
  address.leadTo(standby.port);
  for (const service of services) {
    const [told, paid, free] = await Promise.all([
      ask(service.port, { path, key }),
      askPaid(service, key),
      askFree(service),
    ]);
    const statuses = [told.status, paid.status, free.status];
    findings.expect(statuses.join() === "503,503,200", `a standby is not asked: ${statuses}`);
    await expectSoon(findings, "the log says why", () => countOf(service.written(), "is a standby") > 0);
  }
  await askPostgres(standby.url, "select pg_wal_replay_resume()");
  address.leadTo(postgres.port);
  for (const service of services) {
    await expectSoon(findings, "the primary is asked again", () => isWell(service));
    const { status } = await ask(service.port, { path, key });
    findings.expect(status === 401, `the revoked key is refused: ${status}`);
  }
}
