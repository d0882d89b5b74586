import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectFile, startNode } from "../processes.ts";
import type { Row } from "../row.ts";
import { median } from "../statistics.ts";
import type { World } from "../world.ts";
import { compile } from "./check-ip.ts";

const LINES = 10_000;
/** How much longer the file is that memory must not grow with. */
const LONGER = 5;
const LOOK_EVERY_MS = 50;

/** `repute check --file` from local lists alone, start and end of the program included. */
export const checkFileRow: Row = {
  name: "check-file",
  measure: async ({ world: open, dir, quick, say, cpus }) => {
    const world = await open();
    say("Compiling the lists");
    await compile(world);
    const lines = Array.from({ length: LINES }, (_, i) => world.addresses[i % world.addresses.length] ?? "");
    const [file, longer] = [join(dir, "check.txt"), join(dir, "check-longer.txt")];
    writeFileSync(file, `${lines.join("\n")}\n`);
    writeFileSync(longer, `${lines.join("\n")}\n`.repeat(LONGER));
    say(`Checking a file of ${LINES.toLocaleString("en")} lines`);
    const runs: Run[] = [];
    for (let i = 0; i < (quick ? 3 : 5); i++) runs.push(await checkFile(world, file, cpus.server));
    say(`Checking ${LONGER} times as many`);
    const long = await checkFile(world, longer, cpus.server);
    for (const { answers } of runs) expectAll(answers, LINES);
    expectAll(long.answers, LINES * LONGER);
    const peakMb = median(runs.map((run) => run.peakMb));
    return {
      lines_per_s: median(runs.map(({ seconds }) => LINES / seconds)),
      file_peak_mb: peakMb,
      file_growth: long.peakMb / peakMb,
    };
  },
};

type Run = { readonly seconds: number; readonly answers: number; readonly peakMb: number };

/** One run, its NDJSON read as it comes. */
async function checkFile({ env, dataDir }: World, file: string, cpu: number | null): Promise<Run> {
  let answers = 0;
  let peakMb = 0;
  const startedMs = performance.now();
  const program = startNode({
    args: [projectFile("src/main.ts"), "check", "--file", file, "--offline", "--json"],
    cpu,
    cwd: dataDir,
    env,
    onLine: () => {
      answers += 1;
    },
  });
  const looking = setInterval(() => {
    peakMb = Math.max(peakMb, peakMbOf(program.pid));
  }, LOOK_EVERY_MS);
  try {
    await new Promise((resolve) => program.process.once("close", resolve));
  } finally {
    clearInterval(looking);
  }
  return { seconds: (performance.now() - startedMs) / 1000, answers, peakMb };
}

/** The most that was resident so far, MB of 10^6 bytes; 0 when it has ended, and where the system does not say. */
function peakMbOf(pid: number): number {
  try {
    const kilobytes = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1];
    return (Number(kilobytes ?? 0) * 1024) / 1e6;
  } catch {
    return 0;
  }
}

function expectAll(answers: number, lines: number): void {
  if (answers !== lines) throw new Error(`${answers} of ${lines} lines were answered`);
}
