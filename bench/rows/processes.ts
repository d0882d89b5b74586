import {
  postgresPrograms,
  startOwnPostgres,
  startOwnValkey,
  valkeyProgram,
} from "../../chaos/own-servers.ts";
import {
  allWaits,
  linesOf,
  percentForOthers,
  percentWaitingFor,
  urlOfService,
  type Waits,
  watchWaits,
} from "../database-waits.ts";
import { type Load, startLoad } from "../load/driver.ts";
import type { LoadOrder } from "../load/words.ts";
import type { Measurements, Row } from "../row.ts";
import { interleave, median, medianRatio } from "../statistics.ts";
import { createKeys, firstAnswer, type Serving, startService } from "../world.ts";

/** At each service: a process is added for callers that are added. */
const CONNECTIONS = 64;

/**
 * One service and two on one PostgreSQL and one Valkey, each with as many callers: processor time of the services per
 * charged call, and what they wait for in PostgreSQL. The servers and the load are counted apart. One processor for all
 * services, so that only what several processes cost each other is seen. Both are called with the same keys in the same
 * order: the accounts of their groups overlap as much as they can.
 */
export const processesRow: Row = {
  name: "processes",
  measure: async ({ world: makeWorld, cpus, quick, say }) => {
    if (postgresPrograms() === null || valkeyProgram() === null) {
      say("Several processes are left out: PostgreSQL, or Valkey and Redis, are not installed");
      return {};
    }
    const world = await makeWorld();
    const [postgres, valkey] = await Promise.all([startOwnPostgres(), startOwnValkey()]);
    const keys = await createKeys(postgres.url);
    const services: Serving[] = [];
    const loads = [startLoad(cpus.load), startLoad(cpus.load)];
    try {
      for (let i = 0; i < 2; i++) {
        const env = { ...world.env, DATABASE_URL: urlOfService(postgres.url, i), VALKEY_URL: valkey.url };
        const service = await startService(env, { cpu: cpus.server });
        services.push(service);
        await firstAnswer(service, keys[0] ?? "", world.bodies[0] ?? "");
      }
      const run = (which: readonly Serving[], until: LoadOrder["until"]) =>
        runAgainst(which, loads, { keys, bodies: world.bodies, until });
      say("Warming up two services on PostgreSQL and Valkey");
      await run(services, { calls: quick ? 20_000 : 40_000 });
      say("Calling one and two in turn");
      const until = { ms: quick ? 1500 : 5000 };
      let turn = 0;
      const rounds = {
        // Each in turn: code gets faster with the calls, and both have to have had as many.
        one: () => run(services.slice(turn++ % 2).slice(0, 1), until),
        two: () => run(services, until),
      };
      const { one = [], two = [] } = await interleave(quick ? 4 : 8, rounds);
      // In rounds of their own: to look costs the database something.
      say("Looking at what they wait for");
      const waits = await interleave(4, {
        one: () => watchWaits(postgres.url, rounds.one),
        two: () => watchWaits(postgres.url, rounds.two),
      });
      return { ...costOf(one, two), ...waitsOf(waits, say) };
    } finally {
      await Promise.all([...services.map(({ server }) => server), ...loads].map((each) => each.stop()));
      await Promise.all([postgres.remove(), valkey.remove()]);
    }
  },
};

type Together = { readonly cpuUs: number; readonly callsPerS: number };

function costOf(one: readonly Together[], two: readonly Together[]): Measurements {
  const cpuOf = (rounds: readonly Together[]) => rounds.map(({ cpuUs }) => cpuUs);
  return {
    two_over_one: medianRatio(cpuOf(two), cpuOf(one)),
    one_process_cpu_us: median(cpuOf(one)),
    two_processes_cpu_us: median(cpuOf(two)),
    one_process_per_s: median(one.map(({ callsPerS }) => callsPerS)),
    two_processes_per_s: median(two.map(({ callsPerS }) => callsPerS)),
  };
}

/** The figures, and on the way the profile in lines. */
function waitsOf(
  rounds: Readonly<Record<string, readonly Waits[]>>,
  say: (text: string) => void,
): Measurements {
  const one = allWaits(rounds["one"] ?? []);
  const two = allWaits(rounds["two"] ?? []);
  say(["What one process did in PostgreSQL", ...linesOf(one)].join("\n"));
  say(["What two processes did in PostgreSQL", ...linesOf(two)].join("\n"));
  return {
    two_wait_for_each_other: percentForOthers(two, 2),
    one_waits_for_locks: percentWaitingFor("Lock", one),
    two_wait_for_locks: percentWaitingFor("Lock", two),
    one_waits_for_latches: percentWaitingFor("LWLock", one),
    two_wait_for_latches: percentWaitingFor("LWLock", two),
    one_waits_for_disk: percentWaitingFor("IO", one),
    two_wait_for_disk: percentWaitingFor("IO", two),
  };
}

/** Every call counts, also one that another process answers. */
async function runAgainst(
  services: readonly Serving[],
  loads: readonly Load[],
  order: Pick<LoadOrder, "keys" | "bodies" | "until">,
): Promise<Together> {
  const cpuS = async () =>
    (await Promise.all(services.map(({ server }) => server.cpuS()))).reduce((a, b) => a + b, 0);
  const beforeS = await cpuS();
  const results = await Promise.all(
    services.map(({ port }, i) => {
      const load = loads[i];
      if (load === undefined) throw new Error("There are fewer load generators than services");
      const shared = { path: "/api/check-ip", connections: CONNECTIONS };
      return load.run({ ...order, ...shared, port });
    }),
  );
  const usedS = (await cpuS()) - beforeS;
  const calls = results.reduce((sum, result) => sum + result.calls, 0);
  const ok = results.reduce((sum, { statuses }) => sum + (statuses["200"] ?? 0), 0);
  if (ok !== calls)
    throw new Error(`Not all answers are 200: ${JSON.stringify(results.map((one) => one.statuses))}`);
  return {
    cpuUs: (usedS * 1e6) / calls,
    callsPerS: calls / Math.max(...results.map(({ seconds }) => seconds)),
  };
}
