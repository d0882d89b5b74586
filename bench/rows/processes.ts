import {
  postgresPrograms,
  startOwnPostgres,
  startOwnValkey,
  valkeyProgram,
} from "../../chaos/own-servers.ts";
import { type Load, startLoad } from "../load/driver.ts";
import type { LoadOrder } from "../load/words.ts";
import type { Row } from "../row.ts";
import { interleave, median, medianRatio } from "../statistics.ts";
import { createKeys, firstAnswer, type Serving, startService } from "../world.ts";

/** At each service: a process is added for callers that are added. */
const CONNECTIONS = 64;

/**
 * One service and two on one PostgreSQL and one Valkey, each with as many callers: processor time of the services per
 * charged call. The servers and the load are counted apart. One processor for all services, so that only what several
 * processes cost each other is seen.
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
    const env = { ...world.env, DATABASE_URL: postgres.url, VALKEY_URL: valkey.url };
    const services: Serving[] = [];
    const loads = [startLoad(cpus.load), startLoad(cpus.load)];
    try {
      for (let i = 0; i < 2; i++) {
        const service = await startService(env, { cpu: cpus.server });
        services.push(service);
        await firstAnswer(service, keys[0] ?? "", world.bodies[0] ?? "");
      }
      const run = (count: number, until: LoadOrder["until"]) =>
        runAgainst(services.slice(0, count), loads, { keys, bodies: world.bodies, until });
      say("Warming up two services on PostgreSQL and Valkey");
      await run(2, { calls: quick ? 10_000 : 40_000 });
      say("Calling one and two in turn");
      const until = { ms: quick ? 1500 : 5000 };
      const { one = [], two = [] } = await interleave(quick ? 3 : 7, {
        one: () => run(1, until),
        two: () => run(2, until),
      });
      return {
        two_over_one: medianRatio(cpuOf(two), cpuOf(one)),
        one_process_cpu_us: median(cpuOf(one)),
        two_processes_cpu_us: median(cpuOf(two)),
        one_process_per_s: median(one.map(({ callsPerS }) => callsPerS)),
        two_processes_per_s: median(two.map(({ callsPerS }) => callsPerS)),
      };
    } finally {
      await Promise.all([...services.map(({ server }) => server), ...loads].map((each) => each.stop()));
      await Promise.all([postgres.remove(), valkey.remove()]);
    }
  },
};

type Together = { readonly cpuUs: number; readonly callsPerS: number };

const cpuOf = (rounds: readonly Together[]): readonly number[] => rounds.map(({ cpuUs }) => cpuUs);

/** Every call counts, whoever answers it. */
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
