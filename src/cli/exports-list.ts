import { type ExportState, readStateOf } from "../exports/state.ts";
import { wrapped } from "../products/terminal.ts";
import { defineCommand, JSON_OPTION } from "./command.ts";
import { closedNow, filesOf, knownExports, remarksOf } from "./exports.ts";
import { grouped, table } from "./table.ts";

const COLUMNS = [
  { title: "EXPORT", width: 20 },
  { title: "TARGET", width: 6 },
  { title: "ENTRIES", width: 9, isNumber: true },
  { title: "GENERATION", width: 10, isNumber: true },
  { title: "MADE", width: 20 },
  { title: "STATE", width: 10 },
];

/** `repute exports list`. */
export const command = defineCommand({
  help: { examples: ["repute exports list"], page: "exports.md" },
  options: [JSON_OPTION],
  run: async ({ has }, context) => {
    const config = await context.config();
    const known = config.file.exports.map((options) => ({
      options,
      state: readStateOf(filesOf(config, options.name), options),
    }));
    if (has("json")) {
      context.printJson(
        known.map(({ options: { name, target, kind }, state }) => ({ name, target, kind, ...state })),
      );
      return;
    }
    if (known.length === 0) {
      context.print(wrapped("", `There are no exports: ${knownExports(config)}`, context.style.width, 2));
      return;
    }
    const now = context.clock.now();
    const rows = known.map(({ options, state }) => [
      options.name,
      options.target,
      state.facts === null ? "-" : grouped(state.facts.entries),
      state.facts === null ? "-" : String(state.facts.generation),
      state.facts?.made_at ?? "-",
      closedNow(options, state, now) === null ? standingOf(state) : "not sent",
    ]);
    context.print(table(COLUMNS, rows, context.style));
    for (const { options, state } of known) {
      for (const remark of remarksOf(options, state, now))
        context.print(wrapped("", `${options.name}: ${remark}`, context.style.width, 2));
    }
  },
});

const standingOf = ({ facts, held, fault }: ExportState): string =>
  held !== null ? "held back" : fault !== null ? "failed" : facts === null ? "none yet" : "ok";
