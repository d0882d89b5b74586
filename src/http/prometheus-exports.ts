import { Gauge, type Registry } from "prom-client";
import type { ExportShelf } from "../exports/shelf.ts";

/** What the metrics page tells of exports: how large they are, since when they are right, and what is not served. */
export function createLookedAtExports(
  registry: Registry,
): (exports: Pick<ExportShelf, "names" | "find">) => void {
  const gauge = (name: string, help: string) =>
    new Gauge({ name, help, labelNames: ["export"] as const, registers: [registry] });
  const entries = gauge("repute_export_entries", "Entries of the export in force");
  const checked = gauge(
    "repute_export_checked_timestamp_seconds",
    "When a build last found the export to be right",
  );
  const held = gauge("repute_export_held", "1 while a generation of the export is held back");
  const served = gauge("repute_export_served", "0 while the export is answered with 503");
  return ({ names, find }) => {
    for (const one of [entries, checked, held, served]) one.reset();
    for (const name of names) {
      const standing = find(name);
      if (standing === null) continue;
      const label = { export: name };
      entries.set(label, standing.facts?.entries ?? 0);
      if (standing.checkedAt !== null) checked.set(label, standing.checkedAt.getTime() / 1000);
      held.set(label, standing.held === null ? 0 : 1);
      served.set(label, standing.closed === null ? 1 : 0);
    }
  };
}
