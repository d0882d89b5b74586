import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Laboratory } from "../laboratory.ts";
import { type Load, type Round, runAnswered, startLoad } from "../load/driver.ts";
import type { LoadOrder } from "../load/words.ts";
import { projectFile, type Started, startNode } from "../processes.ts";
import type { Measurements, Row } from "../row.ts";
import { interleave, median, medianRatio } from "../statistics.ts";
import { firstAnswer, type Serving, startService, type World } from "../world.ts";

const CONNECTIONS = 64;
const PATH = "/api/check-ip";
const VIEW_PATHS = { compact: `${PATH}?view=compact`, verdict: `${PATH}?view=verdict` };

/**
 * A whole call (key check, both limits, 60 engines, enrichment, durable charge, history row) against the least that
 * node:http can do, and against node:http that only stringifies the same report. One core for the server, another
 * for the load.
 */
export const checkIpRow: Row = {
  name: "check-ip",
  measure: async (laboratory) => {
    const world = await laboratory.world();
    const { cpus, say } = laboratory;
    say("Compiling them");
    await compile(world);
    const service = await startService(world.env, { cpu: cpus.server });
    const load = startLoad(cpus.load);
    const others: Started[] = [];
    try {
      const reportFile = join(laboratory.dir, "report.json");
      writeFileSync(reportFile, await firstAnswer(service, world.keys[0] ?? "", world.bodies[0] ?? ""));
      const echo = await startPlain("echo.ts", [], cpus.server, others);
      const full = await startPlain("stringify.ts", [reportFile], cpus.server, others);
      const servers = { echo, service, full, compact: service, verdict: service };
      const rounds = await measureRounds(laboratory, world, load, servers);
      await service.server.stop();
      return figuresOf(rounds, creditsIn(world.dataDir));
    } finally {
      await Promise.all([service.server, load, ...others].map((each) => each.stop()));
    }
  },
};

/** Makes the index; not on the one processor that the service is measured on. */
export async function compile(world: Pick<World, "env" | "keys" | "bodies">): Promise<void> {
  const service = await startService(world.env, { cpu: null });
  await firstAnswer(service, world.keys[0] ?? "", world.bodies[0] ?? "");
  await service.server.stop();
}

/** Starts a server of `bench/servers/` that says its port, and adds it to those to be stopped. */
export async function startPlain(
  name: string,
  args: readonly string[],
  cpu: number | null,
  started: Started[],
): Promise<Serving> {
  const server = startNode({ args: [projectFile(`bench/servers/${name}`), ...args], cpu });
  started.push(server);
  const port = await new Promise<number>((resolve) =>
    server.process.once("message", (message) => {
      if (typeof message === "object" && message !== null && "port" in message) resolve(Number(message.port));
    }),
  );
  return { server, port };
}

/** `service` answers the default view; the other views are asked of it too. */
type Subject = "echo" | "service" | "full" | keyof typeof VIEW_PATHS;
type Rounds = Readonly<Record<Subject, readonly Round[]>> & { readonly answered: number };

async function measureRounds(
  { quick, say }: Laboratory,
  { keys, bodies }: World,
  load: Load,
  servers: Readonly<Record<Subject, Serving>>,
): Promise<Rounds> {
  let answered = 2;
  const order = (subject: Subject, until: LoadOrder["until"]): LoadOrder => ({
    port: servers[subject].port,
    path: subject === "compact" || subject === "verdict" ? VIEW_PATHS[subject] : PATH,
    connections: CONNECTIONS,
    keys,
    bodies,
    until,
  });
  const run = async (subject: Subject, until: LoadOrder["until"]): Promise<Round> => {
    const round = await runAnswered(load, servers[subject].server, order(subject, until));
    if (servers[subject] === servers.service) answered += round.calls;
    return round;
  };
  say("Warming up");
  // `--trace-opt` still shows parts of the HTTP server being compiled after 200,000 calls.
  for (const subject of ["echo", "service", "full", "compact", "verdict"] as const) {
    await run(subject, { calls: quick ? 20_000 : 250_000 });
  }
  say("Calling check-ip, its views, echo and stringified report in turn");
  const until = { ms: quick ? 800 : 4000 };
  const rounds = await interleave<Round>(quick ? 3 : 9, {
    echo: () => run("echo", until),
    service: () => run("service", until),
    full: () => run("full", until),
    compact: () => run("compact", until),
    verdict: () => run("verdict", until),
  });
  const { echo = [], service = [], full = [], compact = [], verdict = [] } = rounds;
  return { echo, service, full, compact, verdict, answered };
}

function figuresOf(
  { echo, service, full, compact, verdict, answered }: Rounds,
  credits: number,
): Measurements {
  const cpuUs = (rounds: readonly Round[]) => rounds.map((round) => round.cpuUs);
  const callsPerS = (rounds: readonly Round[]) => rounds.map((round) => round.callsPerS);
  const p99Ms = (rounds: readonly Round[]) => rounds.map((round) => round.p99Ms);
  return {
    cpu_vs_bare: medianRatio(cpuUs(service), cpuUs(echo)),
    vs_bare: medianRatio(callsPerS(service), callsPerS(echo)),
    vs_full: medianRatio(callsPerS(service), callsPerS(full)),
    p99_vs_bare: medianRatio(p99Ms(service), p99Ms(echo)),
    compact_cpu: medianRatio(cpuUs(compact), cpuUs(service)),
    verdict_cpu: medianRatio(cpuUs(verdict), cpuUs(service)),
    charged_per_200: credits / answered,
    calls_per_s: median(callsPerS(service)),
    cpu_us: median(cpuUs(service)),
    bare_cpu_us: median(cpuUs(echo)),
    full_cpu_us: median(cpuUs(full)),
  };
}

/** Credits that the history says were charged, read when the service is gone. */
function creditsIn(dataDir: string): number {
  const database = new DatabaseSync(join(dataDir, "repute.db"), { readOnly: true });
  try {
    return Number(database.prepare("select sum(credits) as credits from calls").get()?.["credits"]);
  } finally {
    database.close();
  }
}
