import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { postgresPrograms, startOwnPostgres } from "../../chaos/own-servers.ts";
import { type Round, runAnswered, startLoad } from "../load/driver.ts";
import type { LoadOrder } from "../load/words.ts";
import type { Row } from "../row.ts";
import { interleave, median, medianRatio } from "../statistics.ts";
import { createKeys, firstAnswer, type Serving, startService } from "../world.ts";
import { compile } from "./check-ip.ts";

const CONNECTIONS = 64;

/**
 * The same calls charged on SQLite and on PostgreSQL, in turn: processor time of the service per call, and calls a
 * second. The services share one core; PostgreSQL has the other one, with the load.
 */
export const databasesRow: Row = {
  name: "databases",
  measure: async ({ world: makeWorld, dir, cpus, quick, say }) => {
    if (postgresPrograms() === null) {
      say("PostgreSQL is left out: it is not installed");
      return {};
    }
    const world = await makeWorld();
    await compile(world);
    const postgres = await startOwnPostgres(cpus.load);
    const load = startLoad(cpus.load);
    const services: Serving[] = [];
    try {
      const serve = async (env: Readonly<Record<string, string>>, keys: readonly string[]) => {
        const serving = await startService({ ...world.env, ...env }, { cpu: cpus.server });
        services.push(serving);
        await firstAnswer(serving, keys[0] ?? "", world.bodies[0] ?? "");
        return (until: LoadOrder["until"]): Promise<Round> =>
          runAnswered(load, serving.server, {
            ...{ port: serving.port, path: "/api/check-ip", connections: CONNECTIONS },
            ...{ keys, bodies: world.bodies, until },
          });
      };
      const dataDir = join(dir, "databases");
      mkdirSync(dataDir, { recursive: true });
      const sqlite = await serve({}, world.keys);
      const shared = await serve(
        { REPUTE_DATA_DIR: dataDir, DATABASE_URL: postgres.url },
        await createKeys(postgres.url),
      );
      say("Warming up a service on SQLite and one on PostgreSQL");
      for (const run of [sqlite, shared]) await run({ calls: quick ? 30_000 : 150_000 });
      say("Calling them in turn");
      const until = { ms: quick ? 1500 : 4000 };
      const rounds = await interleave<Round>(quick ? 3 : 7, {
        sqlite: () => sqlite(until),
        postgres: () => shared(until),
      });
      const of = (name: string, figure: (round: Round) => number) => (rounds[name] ?? []).map(figure);
      const cpu = (name: string) => of(name, ({ cpuUs }) => cpuUs);
      const rate = (name: string) => of(name, ({ callsPerS }) => callsPerS);
      return {
        postgres_cpu_over_sqlite: medianRatio(cpu("postgres"), cpu("sqlite")),
        postgres_rate_over_sqlite: medianRatio(rate("postgres"), rate("sqlite")),
        sqlite_per_s: median(rate("sqlite")),
        postgres_per_s: median(rate("postgres")),
      };
    } finally {
      await Promise.all([...services.map(({ server }) => server), load].map((each) => each.stop()));
      await postgres.remove();
    }
  },
};
