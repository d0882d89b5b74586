import { z } from "zod";
import { PRODUCTS } from "../../products/all.ts";
import { ResultFacts } from "../../results/result.ts";
import { ITEM_STATES, PAUSE_REASONS, RUN_STATES } from "../../runs/run.ts";

// Bulk runs. Times are ISO 8601 in UTC.

const MAX_COLUMNS = 50;
const MAX_CELL = 4096;

const cell = z.string().max(MAX_CELL);
const cells = z.array(cell).max(MAX_COLUMNS);
const count = z.int().describe("Lines");

const RunRow = z.object({
  id: z.string(),
  name: z.string(),
  columns: z.array(z.string()).describe("Heads of the given columns"),
  state: z.enum(RUN_STATES),
  reason: z.enum(PAUSE_REASONS).nullable().describe("Why it is paused"),
  created_at: z.string(),
  changed_at: z.string(),
  lines: z.object({ waiting: count, done: count, failed: count, invalid: count, repeated: count }),
  credits: z.int().describe("Charged so far"),
  cost_left: z.int().describe("What the waiting lines cost"),
  seconds_left: z.int().nullable().describe("At the present speed; null: not known, or it does not run"),
  verdicts: z.record(z.string(), z.int()).describe("Answered lines by the word of their verdict"),
});

export const RunsView = z.object({
  runs: z.array(RunRow).describe("Newest first, without drafts"),
  max_lines: z.int(),
  kept_days: z.int().describe("0: this installation keeps no results, and takes no runs"),
});
export const RunView = z.object({ run: RunRow });

const RunItemRow = z.object({
  line: z.int(),
  cells: z.array(z.string()),
  product: z.string().nullable(),
  target: z.string().nullable().describe("As it was read; of an invalid line, as it was given"),
  state: z.enum(ITEM_STATES),
  same_as: z.int().nullable().describe("The line with the answer of a repeated one"),
  note: z.string().nullable(),
  ...ResultFacts.shape,
  result_id: z.string().nullable().describe("The kept answer"),
});
export const RunItemsView = z.object({ items: z.array(RunItemRow) });

export const RunInput = z.object({
  name: z.string().trim().min(1).max(120),
  columns: cells.describe("Heads of the columns"),
});
export const NewRunView = z.object({ id: z.string() });

export const RunLinesInput = z.object({
  first_line: z.int().min(1).max(1_000_000).describe("Number of the first row in the file"),
  column: z
    .int()
    .min(0)
    .max(MAX_COLUMNS - 1)
    .describe("The column to look up, from 0"),
  domains_as: z
    .enum(PRODUCTS.filter(({ page }) => page.takes.includes("domain")).map(({ name }) => name))
    .default("domain-reputation")
    .describe("The product that domain names are looked up with"),
  rows: z.array(cells).max(10_000).describe("Cells of each line; an empty list is left out"),
});
