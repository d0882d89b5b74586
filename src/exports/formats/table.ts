import { isoSeconds } from "../../base/clock.ts";
import { bandOf } from "../../risk/score.ts";
import { LISTED_KINDS } from "../../targets/listed-kinds.ts";
import type { Generation } from "../generation.ts";
import { type ExportRow, eachRow } from "../rows.ts";
import type { ExportFormat } from "./format.ts";

/** The columns of `csv`, and the members of each object of `ndjson`. */
const COLUMNS = [
  "value",
  "score",
  "band",
  "categories",
  "families",
  "sources",
  "first_seen",
  "last_seen",
  "licence",
] as const;

type Cells = {
  readonly value: string;
  readonly score: number;
  readonly band: string;
  readonly categories: readonly string[];
  readonly families: readonly string[];
  readonly sources: readonly string[];
  readonly first_seen: string | null;
  readonly last_seen: string | null;
  readonly licence: readonly string[];
};

/** Everything that is known of each entry, for people and for a SIEM. */
export const csv: ExportFormat = {
  ext: "csv",
  title: "CSV",
  mediaType: "text/csv; charset=utf-8; header=present",
  targets: LISTED_KINDS,
  options: [],
  *write(generation) {
    yield `${COLUMNS.join(",")}\n`;
    const cellsOf = createCells(generation);
    for (const row of eachRow(generation)) {
      const cells = cellsOf(row);
      yield `${COLUMNS.map((column) => field(cells[column])).join(",")}\n`;
    }
  },
};

/** As `csv`, an object a line. */
export const ndjson: ExportFormat = {
  ext: "ndjson",
  title: "NDJSON",
  mediaType: "application/x-ndjson",
  targets: LISTED_KINDS,
  options: [],
  *write(generation) {
    const cellsOf = createCells(generation);
    for (const row of eachRow(generation)) yield `${JSON.stringify(cellsOf(row))}\n`;
  },
};

function createCells({ facts }: Generation): (row: ExportRow) => Cells {
  const licences = new Map(facts.sources.map(({ key, licence }) => [key, licence.spdx ?? "unknown"]));
  return ({ value, score, categories, families, sources, firstSeen, lastSeen }) => ({
    value,
    score,
    band: bandOf(score),
    categories,
    families,
    sources,
    first_seen: timeOf(firstSeen),
    last_seen: timeOf(lastSeen),
    licence: [...new Set(sources.map((key) => licences.get(key) ?? "unknown"))].sort(),
  });
}

const timeOf = (seconds: number): string | null =>
  seconds === 0 ? null : isoSeconds(new Date(seconds * 1000));

/**
 * A field of RFC 4180; lists are joined by semicolons. What a table of figures would take for a formula is a text there
 * too: values come from strangers' lists. The mark of such a text stands before a value that begins like a marked one as well,
 * so that readers take away one.
 */
function field(cell: Cells[keyof Cells]): string {
  const text = cell === null ? "" : Array.isArray(cell) ? cell.join(";") : String(cell);
  const isFormula = typeof cell === "string" && /^'*[=+@\t\r-]/.test(text);
  const safe = isFormula ? `'${text}` : text;
  return /[",\r\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
