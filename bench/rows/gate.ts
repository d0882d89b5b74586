import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Laboratory } from "../laboratory.ts";
import { type Load, type Round, runAnswered, runRound, startLoad } from "../load/driver.ts";
import type { LoadOrder } from "../load/words.ts";
import { projectFile, type Started } from "../processes.ts";
import type { Row } from "../row.ts";
import { interleave, median, medianRatio, quantile } from "../statistics.ts";
import { firstAnswer, type Serving, startService, type World } from "../world.ts";
import { compile, startPlain } from "./check-ip.ts";
import { whileUpdating } from "./update.ts";

const CONNECTIONS = 64;
const PATH = "/api/gate?ip=";
const PACED = { perSecond: 2000, isPatient: true };
/** One of the accounts of the world. */
const OWNER = "bench-0@example.org";

/** Questions of a proxy about new and about repeated visitors, against the least that node:http can do. */
export const gateRow: Row = {
  name: "gate",
  measure: async (laboratory) => {
    const { cpus, quick } = laboratory;
    const { world, service, token } = await openGate(laboratory);
    const load = startLoad(cpus.load);
    const others: Started[] = [];
    try {
      const echo = await startPlain("echo.ts", [], cpus.server, others);
      const rounds = await measureRounds({ echo, service, load, token, bodies: world.bodies, quick });
      return {
        gate_cpu_vs_bare: medianRatio(cpu(rounds.gate), cpu(rounds.echo)),
        gate_calls_per_s: median(rounds.gate.map(({ callsPerS }) => callsPerS)),
        gate_cpu_us: median(cpu(rounds.gate)),
        gate_bare_cpu_us: median(cpu(rounds.echo)),
        gate_p99_ms: median(rounds.paced.map(({ p99Ms }) => p99Ms)),
        gate_swap_p99_ms: await p99WhileUpdating(laboratory, { world, load, token }),
      };
    } finally {
      await Promise.all([service.server, load, ...others].map((each) => each.stop()));
    }
  },
};

/** At 2,000 questions a second from the change of a list until its index is in force; nothing is on a processor of its own but the load. */
async function p99WhileUpdating(
  { quick, say }: Laboratory,
  { world, load, token }: { readonly world: World; readonly load: Load; readonly token: string },
): Promise<number> {
  const service = await startService(world.env, { cpu: null });
  try {
    await firstAnswer(service, world.keys[0] ?? "", world.bodies[0] ?? "");
    const common = { port: service.port, path: PATH, query: true, bodies: visitorsOf(world.bodies) };
    const order = { ...common, ...PACED, connections: CONNECTIONS, keys: [token] };
    const call = async (): Promise<Float64Array> =>
      (await decided(runRound(load, service.server, { ...order, until: { ms: 500 } }))).latenciesMs;
    for (let i = 0; i < 6; i++) await call();
    say("Changing a list under 2,000 questions a second");
    const p99s: number[] = [];
    for (let i = 0; i < (quick ? 1 : 3); i++) {
      const { during } = await whileUpdating(service, world, i, call);
      p99s.push(quantile(during, 0.99));
    }
    return median(p99s);
  } finally {
    await service.server.stop();
  }
}

/** A service over the lists of the world, whose gate any number of questions may be asked. */
export async function openGate(laboratory: Laboratory) {
  const made = await laboratory.world();
  const { cpus, say } = laboratory;
  const config = join(laboratory.dir, "gate.yaml");
  const own = "server: { trust_proxy: [127.0.0.1/32] }\ngate: { per_second: 10000000 }\n";
  writeFileSync(config, readFileSync(made.env["REPUTE_CONFIG"] ?? "", "utf8") + own);
  const env = { ...made.env, REPUTE_CONFIG: config };
  const world = { ...made, env };
  say("Compiling the lists");
  await compile(world);
  const token = createToken(env, "gate");
  return { world, token, service: await startService(env, { cpu: cpus.server }) };
}

const cpu = (rounds: readonly Round[]): readonly number[] => rounds.map(({ cpuUs }) => cpuUs);

/** A token of one of the accounts of the world. */
export function createToken(env: Readonly<Record<string, string | undefined>>, scope: string): string {
  const args = [
    projectFile("bin/repute.cjs"),
    "token",
    "create",
    "--scope",
    scope,
    "--account",
    OWNER,
    "--json",
  ];
  const printed = execFileSync(process.execPath, args, { env: { ...process.env, ...env }, encoding: "utf8" });
  return String(Object(JSON.parse(printed)).token);
}

type Subjects = {
  readonly echo: Serving;
  readonly service: Serving;
  readonly load: Load;
  readonly token: string;
  readonly bodies: readonly string[];
  readonly quick: boolean;
};

/** Addresses that nothing was asked about before, one after the other, and among them some that lists name. */
export const visitorsOf = (bodies: readonly string[]): readonly string[] =>
  bodies.map((body) => String(Object(JSON.parse(body)).ip));

async function measureRounds({ echo, service, load, token, bodies, quick }: Subjects) {
  const common = { connections: CONNECTIONS, keys: [token] };
  const asked = (until: LoadOrder["until"]): LoadOrder => ({
    ...common,
    ...{ port: service.port, path: PATH, query: true, bodies: visitorsOf(bodies), until },
  });
  const echoed = (until: LoadOrder["until"]): LoadOrder => ({
    ...common,
    ...{ port: echo.port, path: "/", bodies, until },
  });
  await runAnswered(load, echo.server, echoed({ calls: quick ? 20_000 : 250_000 }));
  await runRound(load, service.server, asked({ calls: quick ? 20_000 : 250_000 }));
  const until = { ms: quick ? 800 : 4000 };
  const {
    echo: echoes = [],
    gate = [],
    paced = [],
  } = await interleave<Round>(quick ? 3 : 9, {
    echo: () => runAnswered(load, echo.server, echoed(until)),
    gate: () => decided(runRound(load, service.server, asked(until))),
    paced: () => decided(runRound(load, service.server, { ...asked(until), ...PACED })),
  });
  return { echo: echoes, gate, paced };
}

/** Every answer is a decision. */
export async function decided(running: Promise<Round>): Promise<Round> {
  const round = await running;
  const { 200: allowed = 0, 403: blocked = 0 } = round.statuses;
  if (allowed + blocked !== round.calls)
    throw new Error(`Not all are decisions: ${JSON.stringify(round.statuses)}`);
  return round;
}
