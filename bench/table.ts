import { type Budget, verdictOn } from "./budget.ts";
import { BUDGETS } from "./budgets.ts";
import type { Measurements } from "./row.ts";

/** Whether a figure was measured and does not reach its `must`. */
export const isMissed = (budget: Budget, measurements: Measurements): boolean =>
  verdictOf(budget, measurements) === "missed";

/** The table of what was measured: figure, value, must, aim, verdict; on standard output. */
export function printTable(measurements: Measurements): void {
  const rows = BUDGETS.flatMap((budget) => {
    const value = measurements[budget.key];
    if (value === undefined) return [];
    return [[...cellsOf(budget, value), verdictOf(budget, measurements) ?? ""]];
  });
  const table = [["row", "figure", "value", "must", "aim", "verdict"], ...rows];
  const widths = table[0]?.map((_, column) => Math.max(...table.map((cells) => cells[column]?.length ?? 0)));
  for (const cells of table) {
    console.log(`| ${cells.map((cell, column) => cell.padEnd(widths?.[column] ?? 0)).join(" | ")} |`);
    if (cells === table[0]) console.log(`|${widths?.map((width) => "-".repeat(width + 2)).join("|")}|`);
  }
}

function verdictOf(budget: Budget, measurements: Measurements): string | null {
  const value = measurements[budget.key];
  return value === undefined ? null : verdictOn(budget, value);
}

function cellsOf({ row, figure, unit, better, must, aim }: Budget, value: number): string[] {
  const limit = (bound: number | null) =>
    bound === null ? "" : `${better === "lower" ? "<=" : ">="} ${formatted(bound, unit)}`;
  return [row, figure, `${formatted(value, unit)}${unit === "" ? "" : ` ${unit}`}`, limit(must), limit(aim)];
}

/** Three digits, and no more of a large number than stands before the point; shares to a thousandth of a percent. */
function formatted(value: number, unit: Budget["unit"]): string {
  if (unit === "%") return String(Number(value.toFixed(3)));
  return value >= 100 ? Math.round(value).toLocaleString("en") : String(Number(value.toPrecision(3)));
}
