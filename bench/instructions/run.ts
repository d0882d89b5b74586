import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { runs } from "../../chaos/linux.ts";
import { createLaboratory } from "../laboratory.ts";
import { type Load, startLoad } from "../load/driver.ts";
import { projectFile } from "../processes.ts";
import { firstAnswer, type Serving, startService, type World } from "../world.ts";
import { namesOf, type Profile, readProfile } from "./profile.ts";

/*
 * How many instructions a charged check-ip takes, and where. They can be counted on a machine on which other work makes
 * every time doubtful: two runs of one commit differ by some per cent, in what the engine chose to compile. Waiting for
 * memory is not seen: for that there is `npm run bench`.
 */

const USAGE = `npm run bench:instructions [-- [--top N]]
  --top N  functions to print (40)
Needs valgrind (Debian: apt-get install valgrind). Takes some minutes.`;

const CONNECTIONS = 64;
const CALLS = { warm: 120_000, counted: 6000 };
/** So few that all of them are known before it counts. */
const ADDRESSES = 256;
/** Part of the names of valgrind's pipes: both sides must have the same. */
const HOST = "127.0.0.1";

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { top: { type: "string" }, help: { type: "boolean", short: "h" } },
  });
  const top = Number(values.top ?? 40);
  if (values.help || !Number.isInteger(top) || !runs("valgrind", "--version")) {
    console.error(USAGE);
    return values.help ? 0 : 2;
  }
  const dir = mkdtempSync(join(tmpdir(), "repute-instructions-"));
  const laboratory = createLaboratory(dir, true, (text) => console.error(text));
  const load = startLoad(laboratory.cpus.load);
  try {
    const world = await laboratory.world();
    laboratory.say("Compiling the lists");
    await callOnce(world, await startService(world.env, { cpu: null }));
    laboratory.say("Starting the service under callgrind");
    print(await count(dir, world, load, laboratory.say), top);
    return 0;
  } finally {
    await load.stop();
    await laboratory.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

async function callOnce(world: World, service: Serving): Promise<void> {
  await firstAnswer(service, world.keys[0] ?? "", world.bodies[0] ?? "");
  await service.server.stop();
}

async function count(dir: string, world: World, load: Load, say: (text: string) => void): Promise<Profile> {
  const pipes = `--vgdb-prefix=${join(dir, "vgdb")}`;
  const out = `--callgrind-out-file=${join(dir, "counted")}`;
  const service = await startService(
    { ...world.env, HOST },
    {
      cpu: null,
      under: [
        "valgrind",
        "-q",
        "--tool=callgrind",
        "--instr-atstart=no",
        "--separate-threads=yes",
        pipes,
        out,
      ],
      flags: [
        "--perf-basic-prof",
        `--perf-basic-prof-path=${dir}`,
        "--import",
        projectFile("bench/servers/slow-clock.ts"),
      ],
    },
  );
  try {
    await firstAnswer(service, world.keys[0] ?? "", world.bodies[0] ?? "");
    say("Warming up");
    await call(service, world, load, CALLS.warm);
    say("Counting");
    process.kill(service.server.pid, "SIGUSR2");
    const control = (...args: string[]) =>
      execFileSync("callgrind_control", [pipes, ...args, String(service.server.pid)], {
        env: { ...process.env, HOST },
        stdio: ["ignore", "ignore", "pipe"],
      });
    control("-i", "on");
    await call(service, world, load, CALLS.counted);
    control("-i", "off");
    control("-d");
    const dump = readdirSync(dir).find((name) => /^counted.*-01$/.test(name));
    if (dump === undefined) throw new Error(`callgrind wrote nothing to ${dir}`);
    const list = readFileSync(join(dir, `perf-${service.server.pid}.map`), "utf8");
    return readProfile(readFileSync(join(dir, dump), "utf8"), namesOf(list, projectFile("")));
  } finally {
    await service.server.stop();
  }
}

async function call({ port }: Serving, { keys, bodies }: World, load: Load, calls: number): Promise<void> {
  const result = await load.run({
    port,
    path: "/api/check-ip",
    connections: CONNECTIONS,
    keys,
    bodies: bodies.slice(0, ADDRESSES),
    until: { calls },
  });
  const ok = result.statuses["200"] ?? 0;
  if (ok !== result.calls) throw new Error(`Not all answers are 200: ${JSON.stringify(result.statuses)}`);
}

const PARTS = [
  ["the service's own", / src\//],
  ["packages", /node_modules\//],
  ["Node's", /node:/],
] as const;

function print({ total, shares }: Profile, top: number): void {
  const perCall = (instructions: number) => Math.round(instructions / CALLS.counted).toLocaleString("en");
  const percent = (instructions: number) => `${((100 * instructions) / total).toFixed(1)} %`;
  const line = (name: string, instructions: number, within = "") =>
    `| ${name} | ${perCall(instructions)} | ${percent(instructions)} | ${within} |`;
  console.log(
    `Instructions per charged check-ip, main thread, what the kernel does not counted: ${perCall(total)}\n`,
  );
  console.log(
    "| JavaScript, with the native code that it calls | instructions | share | most of it in |\n|---|---|---|---|",
  );
  let rest = total;
  for (const [name, pattern] of PARTS) {
    const part = shares.filter((share) => pattern.test(share.name));
    const instructions = part.reduce((all, share) => all + share.instructions, 0);
    rest -= instructions;
    console.log(line(name, instructions));
  }
  console.log(line("no JavaScript: event loop, HTTP parser, collection of garbage", rest));
  for (const { name, instructions, within } of shares.slice(0, top)) {
    console.log(line(name, instructions, within.map((text) => text.slice(0, 60)).join(", ")));
  }
}

process.exitCode = await main();
