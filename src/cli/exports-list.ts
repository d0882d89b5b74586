import { readStateOf } from "../exports/state.ts";
import { wrapped } from "../products/terminal.ts";
import { defineCommand, JSON_OPTION } from "./command.ts";
import { filesOf, remarksOf } from "./exports.ts";
import { grouped, table } from "./table.ts";

const COLUMNS = [
  { title: "EXPORT", width: 24 },
  { title: "TARGET", width: 6 },
  { title: "ENTRIES", width: 9, isNumber: true },
  { title: "GENERATION", width: 10, isNumber: true },
  { title: "MADE", width: 20 },
  { title: "STATE", width: 10 },
];

/** `repute exports list`. */
export const exportsList = defineCommand({
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
      context.print("The configuration has no exports");
      return;
    }
    const rows = known.map(({ options, state: { facts, held, fault } }) => [
      options.name,
      options.target,
      facts === null ? "-" : grouped(facts.entries),
      facts === null ? "-" : String(facts.generation),
      facts?.made_at ?? "-",
      held !== null ? "held back" : fault !== null ? "failed" : facts === null ? "none yet" : "ok",
    ]);
    context.print(table(COLUMNS, rows, context.style));
    for (const { options, state } of known) {
      for (const remark of remarksOf(state))
        context.print(wrapped("", `${options.name}: ${remark}`, context.style.width, 2));
    }
  },
});
