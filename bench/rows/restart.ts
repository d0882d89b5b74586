import { runAnswered, startLoad } from "../load/driver.ts";
import type { LoadOrder } from "../load/words.ts";
import type { Row } from "../row.ts";
import { median, medianRatio } from "../statistics.ts";
import { firstAnswer, startService } from "../world.ts";
import { compile } from "./check-ip.ts";

const CONNECTIONS = 64;
/** What callers feel of a restart. */
const FIRST_MS = 10_000;

/** Restarts while 64 callers wait: calls a second in the first ten seconds by those of the same process later on. */
export const restartRow: Row = {
  name: "restart",
  measure: async ({ world: makeWorld, cpus, quick, say }) => {
    const world = await makeWorld();
    await compile(world);
    const load = startLoad(cpus.load);
    const first: number[] = [];
    const steady: number[] = [];
    try {
      for (let round = 0; round < (quick ? 2 : 5); round++) {
        say("Restarting under full load");
        const { server, port } = await startService(world.env, { cpu: cpus.server });
        const order = { port, path: "/api/check-ip", connections: CONNECTIONS, keys: world.keys };
        const run = async (until: LoadOrder["until"]): Promise<number> =>
          (await runAnswered(load, server, { ...order, bodies: world.bodies, until })).callsPerS;
        try {
          await firstAnswer({ server, port }, world.keys[0] ?? "", world.bodies[0] ?? "");
          first.push(await run({ ms: FIRST_MS }));
          await run({ calls: quick ? 60_000 : 250_000 });
          steady.push(await run({ ms: FIRST_MS }));
        } finally {
          await server.stop();
        }
      }
    } finally {
      await load.stop();
    }
    return {
      restart_over_steady: medianRatio(first, steady),
      restart_per_s: median(first),
      steady_per_s: median(steady),
    };
  },
};
