import { systemClock } from "../../src/base/clock.ts";
import { type Round, runAnswered, runRound, startLoad } from "../load/driver.ts";
import type { LoadOrder } from "../load/words.ts";
import type { Started } from "../processes.ts";
import type { Row } from "../row.ts";
import { interleave, median, medianRatio } from "../statistics.ts";
import { type Serving, startService } from "../world.ts";
import { startPlain } from "./check-ip.ts";
import { lastBuild, openWorld } from "./exports.ts";
import { createToken } from "./gate.ts";

const CONNECTIONS = 64;
const PATH = "/api/exports/edge.txt";

/** Firewalls that ask for an export which they have already, against the least that node:http can do. */
export const unchangedRow: Row = {
  name: "unchanged",
  measure: async (laboratory) => {
    const { cpus, quick, say } = laboratory;
    const world = await openWorld(laboratory);
    const token = createToken(world.env, "exports:edge");
    const service = await startService(world.env, { cpu: cpus.server });
    const load = startLoad(cpus.load);
    const others: Started[] = [];
    try {
      say("Waiting for the exports");
      while (lastBuild(world) === "") await systemClock.sleep(100);
      const tag = await tagOf(service, token);
      const echo = await startPlain("echo.ts", [], cpus.server, others);
      const common = { connections: CONNECTIONS, keys: [token] };
      const asked = (until: LoadOrder["until"]): LoadOrder => ({
        ...common,
        ...{ port: service.port, path: PATH, query: true, bodies: [""], until },
        headers: { "If-None-Match": tag },
      });
      const echoed = (until: LoadOrder["until"]): LoadOrder => ({
        ...common,
        ...{ port: echo.port, path: "/", bodies: world.bodies, until },
      });
      const warm = { calls: quick ? 20_000 : 250_000 };
      await runAnswered(load, echo.server, echoed(warm));
      await runRound(load, service.server, asked(warm));
      const until = { ms: quick ? 800 : 4000 };
      const { echo: echoes = [], unchanged = [] } = await interleave<Round>(quick ? 3 : 9, {
        echo: () => runAnswered(load, echo.server, echoed(until)),
        unchanged: () => unchangedOnly(runRound(load, service.server, asked(until))),
      });
      return {
        unchanged_cpu_vs_bare: medianRatio(cpu(unchanged), cpu(echoes)),
        unchanged_cpu_us: median(cpu(unchanged)),
        unchanged_bare_cpu_us: median(cpu(echoes)),
      };
    } finally {
      await Promise.all([service.server, load, ...others].map((each) => each.stop()));
    }
  },
};

const cpu = (rounds: readonly Round[]): readonly number[] => rounds.map(({ cpuUs }) => cpuUs);

/** The tag of the file in force; the first that asks for a format waits until it is made. */
async function tagOf({ port }: Serving, token: string): Promise<string> {
  const { status, headers, body } = await fetch(`http://127.0.0.1:${port}${PATH}`, {
    headers: { "X-API-Key": token, "Accept-Encoding": "identity" },
  });
  await body?.cancel();
  const tag = headers.get("etag");
  if (status !== 200 || tag === null) throw new Error(`The export was answered by ${status}`);
  return tag;
}

async function unchangedOnly(running: Promise<Round>): Promise<Round> {
  const round = await running;
  if (round.statuses["304"] !== round.calls)
    throw new Error(`Not all are unchanged: ${JSON.stringify(round.statuses)}`);
  return round;
}
