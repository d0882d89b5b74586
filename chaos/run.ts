import { linkSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { pino } from "pino";
import { openLookups } from "../src/app/open-lookups.ts";
import { systemClock } from "../src/base/clock.ts";
import { loadConfig } from "../src/config/config.ts";
import { SCENARIOS } from "./all.ts";
import { createGround } from "./ground.ts";
import { whyNot } from "./needs.ts";
import { createFindings, type Row, type Scenario } from "./scenario.ts";

const USAGE = `npm run chaos [-- [--quick] [SCENARIO…]]
  --quick   the short form that tests run
${SCENARIOS.map(({ name, what }) => `  ${name.padEnd(18)}${what}`).join("\n")}`;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { quick: { type: "boolean" }, help: { type: "boolean", short: "h" } },
  });
  const unknown = positionals.filter((name) => SCENARIOS.every((scenario) => scenario.name !== name));
  if (values.help || unknown.length > 0) {
    if (unknown.length > 0) console.error(`There is no scenario "${unknown.join('", "')}"`);
    console.error(USAGE);
    return unknown.length > 0 ? 2 : 0;
  }
  const prepared = mkdtempSync(join(tmpdir(), "repute-prepared-"));
  try {
    await prepare(prepared);
    let isWell = true;
    for (const scenario of SCENARIOS) {
      if (positionals.length > 0 && !positionals.includes(scenario.name)) continue;
      isWell = (await runOne(scenario, prepared, values.quick ?? false)) && isWell;
    }
    return isWell ? 0 : 1;
  } finally {
    rmSync(prepared, { recursive: true, force: true });
  }
}

function printTable(rows: readonly Row[]): void {
  if (rows.length === 0) return;
  const cells = rows.map(({ step, figure, value, must, isMet }) => [
    ...[step, figure, value, must],
    isMet ? "yes" : "NO",
  ]);
  const table = [["step", "figure", "value", "must", "ok"], ...cells];
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  for (const row of table) {
    console.log(`  | ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`);
  }
}

/** Makes the seed's snapshots, as a first start does. */
async function prepare(folder: string): Promise<void> {
  console.error("Preparing the data of a first start");
  const config = loadConfig({ env: { REPUTE_DATA_DIR: folder }, cwd: folder });
  const lookups = await openLookups(config, { log: pino({ level: "silent" }), clock: systemClock });
  await lookups.whenReady().finally(lookups.close);
}

function linkSnapshots(from: string, dataDir: string): void {
  const target = join(dataDir, "snapshots");
  mkdirSync(target, { recursive: true, mode: 0o700 });
  const source = join(from, "snapshots");
  for (const name of readdirSync(source)) linkSync(join(source, name), join(target, name));
}

/** Whether all expectations were met, or the scenario cannot be run here. */
async function runOne(
  { name, what, needs, run }: Scenario,
  prepared: string,
  isShort: boolean,
): Promise<boolean> {
  console.log(`\n${name}: ${what}`);
  const reason = whyNot(needs);
  if (reason !== null) {
    console.log(`  left out: ${reason}`);
    return true;
  }
  const beganMs = performance.now();
  const seconds = () => ((performance.now() - beganMs) / 1000).toFixed(0);
  const ground = await createGround({
    putSnapshots: async (dataDir) => linkSnapshots(prepared, dataDir),
    say: (text) => console.error(`${seconds().padStart(4)} s  ${text}`),
  });
  const findings = createFindings();
  try {
    await run(ground, findings, isShort);
  } finally {
    await ground.close();
  }
  printTable(findings.rows);
  for (const [figure, value] of Object.entries(findings.figures)) console.log(`  ${figure}: ${value}`);
  for (const fault of findings.faults) console.log(`  NOT MET: ${fault}`);
  console.log(`  ${findings.faults.length === 0 ? "all expectations met" : "FAILED"} in ${seconds()} s`);
  return findings.faults.length === 0;
}

process.exitCode = await main();
