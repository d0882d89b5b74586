import { wrapped } from "../products/terminal.ts";
import { defineCommand, JSON_OPTION } from "./command.ts";
import { builtState, findExport, remarksOf } from "./exports.ts";
import { grouped, labelled } from "./table.ts";

/** `repute exports show NAME`. */
export const exportsShow = defineCommand({
  help: { examples: ["repute exports show edge"], page: "exports.md" },
  arguments: [{ name: "NAME", summary: "Name of the export" }],
  options: [JSON_OPTION],
  run: async ({ argument, has }, context) => {
    const known = await findExport(context, argument("NAME"));
    const state = await builtState(context, known);
    const { facts } = state;
    if (has("json")) context.printJson(state);
    if (has("json") || facts === null) return;
    const { subtracted } = facts;
    context.print(
      labelled(
        [
          ["Export", `${facts.name} (${facts.kind}, ${facts.target})`],
          [
            "Generation",
            `${facts.generation}, made ${facts.made_at}, found right ${state.checkedAt ?? "never"}`,
          ],
          ["Entries", `${grouped(facts.entries)}, ${grouped(facts.cut_by_limit)} more cut by the limit`],
          ["Least score", String(facts.min_score)],
          [
            "Cut out",
            `${subtracted.allowlists + subtracted.overrides} allowlisted, ${subtracted.shared_infrastructure} shared infrastructure`,
          ],
          ["Sources", facts.sources.map(({ key }) => key).join(", ") || "none"],
          ["Asked live, not in it", facts.not_exportable.join(", ") || "none"],
        ],
        context.style,
      ),
    );
    for (const remark of remarksOf(known.options, state, context.clock.now()))
      context.print(wrapped("", remark, context.style.width, 2));
  },
});
