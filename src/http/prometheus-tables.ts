import { Gauge, type Registry } from "prom-client";
import type { TableRow } from "../enrichment/table-rows.ts";

/** What the metrics page tells of the tables of places and networks. */
export function createLookedAtTables(
  registry: Registry,
): (rows: readonly Pick<TableRow, "key" | "entries" | "dataAgeS" | "status">[]) => void {
  const registers = [registry];
  const labelNames = ["table"];
  const entries = new Gauge({
    name: "repute_table_entries",
    help: "Rows of a retrieved table of places or networks; none where the shipped one answers",
    labelNames,
    registers,
  });
  const age = new Gauge({
    name: "repute_table_data_age_seconds",
    help: "Age of a table of places or networks, by its publisher's date",
    labelNames,
    registers,
  });
  const status = new Gauge({
    name: "repute_table_status",
    help: "1 for the state that the table is in",
    labelNames: ["table", "status"],
    registers,
  });
  return (rows) => {
    for (const one of [entries, age, status]) one.reset();
    for (const row of rows) {
      const table = row.key;
      if (row.entries !== null) entries.set({ table }, row.entries);
      if (row.dataAgeS !== null) age.set({ table }, row.dataAgeS);
      status.set({ table, status: row.status }, 1);
    }
  };
}
