import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { parseArgs } from "node:util";
import { createLaboratory, type Laboratory } from "./laboratory.ts";
import { listFile, listKey } from "./lists.ts";
import { startLoad } from "./load/driver.ts";
import type { LoadOrder, LoadResult } from "./load/words.ts";
import { projectFile, startNode } from "./processes.ts";
import { median, quantile } from "./statistics.ts";
import { firstAnswer, type Serving, startService, type World } from "./world.ts";

/*
 * One service at 70 % of what it can do, for ten minutes, while lists change: does its memory grow, do its answers
 * become slower, does anything fail?
 */

const USAGE = `npm run soak [-- [--quick] [--minutes N]]
  --quick      one minute over smaller lists
  --minutes N  another length`;

const LOAD = 0.7;
/** Opened anew for every slice, so not many. Who finds none free waits, and that counts. */
const CONNECTIONS = 64;
const SLICE_MS = 5000;
/** A list changes so often, one after the other. */
const UPDATE_EVERY_SLICES = 4;

type Slice = {
  readonly atS: number;
  readonly residentMb: number;
  readonly p99Ms: number;
  readonly calls: number;
  readonly others: Readonly<Record<string, number>>;
};

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      quick: { type: "boolean" },
      minutes: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) {
    console.error(USAGE);
    return 0;
  }
  const quick = values.quick ?? false;
  const minutes = Number(values.minutes ?? (quick ? 1 : 10));
  const dir = mkdtempSync(join(tmpdir(), "repute-soak-"));
  const laboratory = createLaboratory(dir, quick, (text) => console.error(text));
  try {
    return await soak(laboratory, minutes);
  } finally {
    await laboratory.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

async function soak({ world: makeWorld, cpus, say }: Laboratory, minutes: number): Promise<number> {
  const world = await makeWorld();
  const service = await startService(world.env, { cpu: null });
  const load = startLoad(cpus.load);
  try {
    say("Compiling the lists");
    await firstAnswer(service, world.keys[0] ?? "", world.bodies[0] ?? "");
    say("Finding out what it can do");
    await load.run(orderOf(service, world, { connections: 64, until: { ms: 5000 } }));
    const peak = await load.run(orderOf(service, world, { connections: 64, until: { ms: 5000 } }));
    const perSecond = Math.floor((LOAD * peak.calls) / peak.seconds);
    say(`${perSecond} calls a second for ${minutes} minutes`);
    const databaseFile = join(world.dataDir, "repute.db");
    const sizeBefore = sizeOf(databaseFile);
    const slices: Slice[] = [];
    const beganMs = performance.now();
    const updates = startUpdates(world);
    while (performance.now() - beganMs < minutes * 60_000) {
      if (slices.length % UPDATE_EVERY_SLICES === 1) updates.begin();
      const wish = { connections: CONNECTIONS, until: { ms: SLICE_MS }, perSecond, isPatient: true };
      const result = await load.run(orderOf(service, world, wish));
      slices.push(sliceOf(result, (performance.now() - beganMs) / 1000, service));
    }
    await updates.ended();
    const calls = slices.reduce((sum, slice) => sum + slice.calls, 0);
    const bytesPerCall = (sizeOf(databaseFile) - sizeBefore) / calls;
    return report(slices, { perSecond, updates: updates.count(), bytesPerCall });
  } finally {
    await Promise.all([service.server.stop(), load.stop()]);
  }
}

/** With what stands in its log. */
function sizeOf(databaseFile: string): number {
  const database = new DatabaseSync(databaseFile, { readOnly: true });
  try {
    const pragma = (name: string) => Number(database.prepare(`pragma ${name}`).get()?.[name]);
    return pragma("page_count") * pragma("page_size");
  } finally {
    database.close();
  }
}

const orderOf = (
  { port }: Serving,
  { keys, bodies }: World,
  wish: Pick<LoadOrder, "connections" | "until" | "perSecond" | "isPatient">,
): LoadOrder => ({ port, path: "/api/check-ip", keys, bodies, ...wish });

function sliceOf({ calls, statuses, latenciesMs }: LoadResult, atS: number, { server }: Serving): Slice {
  const others = Object.fromEntries(Object.entries(statuses).filter(([status]) => status !== "200"));
  return { atS, residentMb: server.residentMb(), p99Ms: quantile(latenciesMs, 0.99), calls, others };
}

/** Changes one list after the other, as an operator does; one at a time. */
function startUpdates({ listDir, dataDir, env }: World) {
  let running: Promise<void> | null = null;
  let count = 0;
  return {
    begin: (): void => {
      if (running !== null) return;
      const list = count++ % 10;
      appendFileSync(listFile(listDir, list), `9.${count >> 8}.${count & 255}.9\n`);
      const args = [projectFile("src/main.ts"), "feeds", "update", listKey(list)];
      const updating = startNode({ args, cpu: null, cwd: dataDir, env });
      running = updating.gone.then(() => {
        running = null;
      });
    },
    ended: async (): Promise<void> => {
      await running;
    },
    count: () => count,
  };
}

type Whole = { readonly perSecond: number; readonly updates: number; readonly bytesPerCall: number };

/** Prints what it found; 1 when anything failed. */
function report(slices: readonly Slice[], { perSecond, updates, bytesPerCall }: Whole): number {
  const half = slices.slice(Math.floor(slices.length / 2));
  const early = slices.slice(Math.floor(slices.length / 4), Math.floor(slices.length / 2));
  const errors = slices.flatMap(({ others }) => Object.values(others)).reduce((a, b) => a + b, 0);
  const calls = slices.reduce((sum, slice) => sum + slice.calls, 0);
  const p99 = (of: readonly Slice[]) => median(of.map(({ p99Ms }) => p99Ms));
  const rows: readonly (readonly [string, string])[] = [
    ["calls", `${calls.toLocaleString("en")} at ${perSecond} a second, ${updates} lists changed meanwhile`],
    ["errors", String(errors)],
    [
      "memory (RSS)",
      slices
        .filter((_, i) => i % 12 === 0)
        .map(({ residentMb }) => residentMb.toFixed(0))
        .join(", "),
    ],
    ["memory, slope of the second half", `${slopePerMinute(half).toFixed(2)} MB a minute`],
    ["p99, second quarter", `${p99(early).toFixed(1)} ms`],
    ["p99, second half", `${p99(half).toFixed(1)} ms`],
    ["database, per call", `${bytesPerCall.toFixed(0)} bytes`],
  ];
  for (const [name, value] of rows) console.log(`${name.padEnd(34)}${value}`);
  return errors === 0 ? 0 : 1;
}

/** MB a minute by least squares. */
function slopePerMinute(slices: readonly Slice[]): number {
  const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;
  const [atMean, mbMean] = [
    mean(slices.map(({ atS }) => atS)),
    mean(slices.map(({ residentMb }) => residentMb)),
  ];
  const covariance = mean(slices.map(({ atS, residentMb }) => (atS - atMean) * (residentMb - mbMean)));
  const variance = mean(slices.map(({ atS }) => (atS - atMean) ** 2));
  return (60 * covariance) / variance;
}

process.exitCode = await main();
