import { Gauge, type Registry } from "prom-client";
import type { Bouncer } from "../exports/decisions/bouncers.ts";
import type { ExportShelf } from "../exports/shelf.ts";

/** What the metrics page tells of exports: how large they are, since when they are right, and what is not served. */
export function createLookedAtExports(
  registry: Registry,
): (exports: Pick<ExportShelf, "names" | "find" | "bouncersOf">) => void {
  const gauge = (name: string, help: string) =>
    new Gauge({ name, help, labelNames: ["export"] as const, registers: [registry] });
  const entries = gauge("repute_export_entries", "Entries of the export in force");
  const checked = gauge(
    "repute_export_checked_timestamp_seconds",
    "When a build last found the export to be right",
  );
  const held = gauge("repute_export_held", "1 while a generation of the export is held back");
  const served = gauge("repute_export_served", "0 while the export is answered with 503");
  const bouncer = (name: string, help: string) =>
    new Gauge({ name, help, labelNames: ["export", "token"] as const, registers: [registry] });
  const leftOut = bouncer(
    "repute_bouncer_not_enforceable",
    "Entries that bouncers of a token are not told, since they cannot enforce them: the most of any of them",
  );
  const answered = bouncer(
    "repute_bouncer_answered_timestamp_seconds",
    "When a bouncer of a token was last sent decisions",
  );
  const lookAtBouncers = (name: string, bouncers: readonly Bouncer[]): void => {
    const most = new Map<string, { at: number; notEnforceable: number }>();
    for (const { token, at, notEnforceable } of bouncers) {
      const known = most.get(token) ?? { at: 0, notEnforceable: 0 };
      known.at = Math.max(known.at, at.getTime() / 1000);
      known.notEnforceable = Math.max(known.notEnforceable, notEnforceable ?? 0);
      most.set(token, known);
    }
    for (const [token, one] of most) {
      leftOut.set({ export: name, token }, one.notEnforceable);
      answered.set({ export: name, token }, one.at);
    }
  };
  return ({ names, find, bouncersOf }) => {
    for (const one of [entries, checked, held, served, leftOut, answered]) one.reset();
    for (const name of names) {
      const standing = find(name);
      if (standing === null) continue;
      lookAtBouncers(name, bouncersOf(name));
      const label = { export: name };
      entries.set(label, standing.facts?.entries ?? 0);
      if (standing.checkedAt !== null) checked.set(label, standing.checkedAt.getTime() / 1000);
      held.set(label, standing.held === null ? 0 : 1);
      served.set(label, standing.closed === null ? 1 : 0);
    }
  };
}
