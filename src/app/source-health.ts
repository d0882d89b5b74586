import type { Engines } from "../engines/consult.ts";
import type { EngineDefinition, Switches } from "../engines/definitions.ts";
import type { DisabledClass } from "../engines/disabled.ts";
import type { Engine } from "../engines/kind.ts";
import { offerOf } from "../engines/offer.ts";
import type { EngineRow } from "../engines/rows.ts";
import { listedTable, type TableRow } from "../enrichment/table-rows.ts";
import type { FeedState } from "../feeds/state.ts";
import type { Lists } from "./live-index.ts";

/** A row of `feeds list --json` with its plan and its try log, its terms, and what switches it. */
export type FeedHealth = (EngineRow | ReturnType<typeof listedTable>) & {
  /** The operator's: who is no owner learns less of it. */
  readonly own: boolean;
  /** Null for what is asked live. */
  readonly refresh_minutes: number | null;
  /** Newest first. */
  readonly tries: { at: string; outcome: string; detail: string | null; elapsed_ms: number | null }[];
  readonly disabled_class: DisabledClass | null;
  readonly disabled_reason: string | null;
  readonly licence: Engine["licence"];
  readonly publisher: string | null;
  readonly line: string | null;
  readonly owner_switch: "on" | "off" | null;
};

type Installed = {
  readonly definitions: () => readonly EngineDefinition[];
  readonly switches: () => Switches;
};
type Known = { readonly stateOf: Lists["stateOf"]; readonly tables: readonly TableRow[] };

/** How every engine fares, sorted by key, and every table after them. */
export const healthOf = (
  installed: Installed,
  engines: Pick<Engines, "list" | "ownKeys">,
  { stateOf, tables }: Known,
): readonly FeedHealth[] => [...healthOfEngines(installed, engines, stateOf), ...tables.map(healthOfTable)];

function healthOfEngines(
  installed: Installed,
  engines: Pick<Engines, "list" | "ownKeys">,
  stateOf: Lists["stateOf"],
): readonly FeedHealth[] {
  const [definitions, switches] = [installed.definitions(), installed.switches()];
  const byKey = new Map(definitions.map((definition) => [definition.engine.key, definition]));
  return engines.list().flatMap((row) => {
    const definition = byKey.get(row.key);
    if (definition === undefined) return [];
    const { engine } = definition;
    const { publisher, line } = offerOf(definition);
    const isOn = switches.get(row.key);
    return {
      ...row,
      refresh_minutes: row.kind === "dnsbl" ? null : engine.refreshMinutes,
      own: engines.ownKeys.has(row.key),
      tries: triesOf(stateOf(row.key)),
      disabled_class: engine.disabledClass,
      disabled_reason: engine.disabled,
      licence: engine.licence,
      publisher,
      line,
      owner_switch: isOn === undefined ? null : isOn ? "on" : "off",
    };
  });
}

/** The terms of a table stand in its definition. */
const healthOfTable = (row: TableRow): FeedHealth => ({
  ...listedTable(row),
  own: row.own,
  refresh_minutes: row.refreshMinutes,
  tries: triesOf(row.state),
  ...{
    disabled_class: null,
    disabled_reason: null,
    licence: null,
    publisher: null,
    line: null,
    owner_switch: null,
  },
});

const triesOf = (state: FeedState | null): FeedHealth["tries"] =>
  (state?.tries ?? [])
    .map(({ at, outcome, detail, elapsedMs }) => ({ at, outcome, detail, elapsed_ms: elapsedMs }))
    .toReversed();
