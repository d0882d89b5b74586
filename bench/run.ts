import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { BUDGETS } from "./budgets.ts";
import { createLaboratory, entryCountOf } from "./laboratory.ts";
import type { Measurements, Row } from "./row.ts";
import { bulkRow } from "./rows/bulk.ts";
import { chargesRow } from "./rows/charges.ts";
import { checkFileRow } from "./rows/check-file.ts";
import { checkIpRow } from "./rows/check-ip.ts";
import { databasesRow } from "./rows/databases.ts";
import { exportsRow } from "./rows/exports.ts";
import { freshRow } from "./rows/fresh.ts";
import { gateRow } from "./rows/gate.ts";
import { gateNginxRow } from "./rows/gate-nginx.ts";
import { hostileRow } from "./rows/hostile.ts";
import { indexRow } from "./rows/index.ts";
import { lookupsRow } from "./rows/lookups.ts";
import { pagesRow } from "./rows/pages.ts";
import { processesRow } from "./rows/processes.ts";
import { ratesRow } from "./rows/rates.ts";
import { restartRow } from "./rows/restart.ts";
import { startRow } from "./rows/start.ts";
import { tablesRow } from "./rows/tables.ts";
import { unchangedRow } from "./rows/unchanged.ts";
import { updateRow } from "./rows/update.ts";
import { webRow } from "./rows/web.ts";
import { isMissed, printTable } from "./table.ts";

/** All comparisons in the order of the table. */
const ROWS: readonly Row[] = [
  checkIpRow,
  freshRow,
  gateRow,
  gateNginxRow,
  indexRow,
  startRow,
  restartRow,
  updateRow,
  unchangedRow,
  exportsRow,
  chargesRow,
  databasesRow,
  processesRow,
  lookupsRow,
  bulkRow,
  checkFileRow,
  pagesRow,
  webRow,
  hostileRow,
  ratesRow,
  tablesRow,
];

const USAGE = `npm run bench [-- [--quick] [--dir FOLDER] [ROW…]]
  --quick       fewer and shorter rounds over smaller lists
  --dir FOLDER  where the measured files lie; the disk that is measured (default: the system's temporary folder)
  ROW           ${ROWS.map(({ name }) => name).join(", ")}`;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { quick: { type: "boolean" }, dir: { type: "string" }, help: { type: "boolean", short: "h" } },
  });
  const unknown = positionals.filter((name) => ROWS.every((row) => row.name !== name));
  if (values.help || unknown.length > 0) {
    if (unknown.length > 0) console.error(`There is no row "${unknown.join('", "')}"`);
    console.error(USAGE);
    return unknown.length > 0 ? 2 : 0;
  }
  const rows = ROWS.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  const measurements = await measure(rows, values.dir ?? tmpdir(), values.quick ?? false);
  console.log(`60 lists with ${entryCountOf(values.quick ?? false).toLocaleString("en")} entries\n`);
  printTable(measurements);
  return BUDGETS.some((budget) => isMissed(budget, measurements)) ? 1 : 0;
}

async function measure(rows: readonly Row[], parent: string, quick: boolean): Promise<Measurements> {
  const dir = mkdtempSync(join(parent, "repute-bench-"));
  const startedMs = performance.now();
  const say = (text: string) =>
    console.error(`${((performance.now() - startedMs) / 1000).toFixed(0).padStart(4)} s  ${text}`);
  const laboratory = createLaboratory(dir, quick, say);
  try {
    let measurements: Measurements = {};
    for (const row of rows) measurements = { ...measurements, ...(await row.measure(laboratory)) };
    say("Done");
    return measurements;
  } finally {
    await laboratory.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

process.exitCode = await main();
