import { createExportFetches, type ExportFetch } from "../exports/fetches.ts";
import { exportsDirOf } from "../exports/state.ts";
import type { Style } from "../products/product.ts";
import { wrapped } from "../products/terminal.ts";
import { defineCommand, JSON_OPTION } from "./command.ts";
import { builtState, findExport, remarksOf } from "./exports.ts";
import { grouped, labelled, table } from "./table.ts";

/** `repute exports show NAME`. */
export const command = defineCommand({
  help: { examples: ["repute exports show edge"], page: "exports.md" },
  arguments: [{ name: "NAME", summary: "Name of the export" }],
  options: [JSON_OPTION],
  run: async ({ argument, has }, context) => {
    const known = await findExport(context, argument("NAME"));
    const state = await builtState(context, known);
    const { facts } = state;
    const fetches = createExportFetches(exportsDirOf(known.config.dataDir), context.clock).of(
      known.options.name,
    );
    if (has("json")) context.printJson({ ...state, fetches });
    if (has("json") || facts === null) return;
    const { subtracted } = facts;
    const { policy } = known.options;
    context.print(
      labelled(
        [
          ["Export", `${facts.name} (${facts.kind}, ${facts.target})`],
          [
            "Generation",
            `${facts.generation}, made ${facts.made_at}, found right ${state.checkedAt ?? "never"}`,
          ],
          ["Entries", `${grouped(facts.entries)}, ${grouped(facts.cut_by_limit)} more cut by the limit`],
          ["Least score", `${facts.min_score}${policy === null ? "" : `, by the policy "${policy}"`}`],
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
    context.print(`\n${fetchedBy(fetches, facts.generation, context.style)}`);
  },
});

const FETCHES = [
  { title: "TOKEN", width: 12 },
  { title: "ADDRESS", width: 23 },
  { title: "FORMAT", width: 9 },
  { title: "LAST FETCH", width: 20 },
  { title: "HAS", width: 12 },
];
const MAX_SHOWN = 20;

/** Which consumers fetched an export, and which of them still have an older generation. */
function fetchedBy(fetches: readonly ExportFetch[], generation: number, style: Style): string {
  if (fetches.length === 0) return "No consumer fetched it in the last thirty days";
  const rows = fetches
    .slice(0, MAX_SHOWN)
    .map((one) => [
      one.token,
      one.address ?? "unknown",
      one.format,
      one.at,
      one.generation === generation ? "this one" : "an older one",
    ]);
  const more = fetches.length > MAX_SHOWN ? `\nand ${fetches.length - MAX_SHOWN} more: --json has all` : "";
  return table(FETCHES, rows, style) + more;
}
