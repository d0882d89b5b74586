import { InvalidValue } from "../base/failure.ts";
import { writeWhole } from "../blocklist-index/write-whole.ts";
import { renderBody } from "../exports/bodies.ts";
import { readGeneration } from "../exports/generation.ts";
import { formatOf, formatsFor, nothingIn, variantOf } from "../exports/variant.ts";
import { defineCommand } from "./command.ts";
import { builtState, closedNow, findExport } from "./exports.ts";

/** `repute exports write NAME --format nft`: the same octets as the route sends. */
export const command = defineCommand({
  help: {
    examples: [
      "repute exports write edge --format nft --out edge.nft",
      'repute exports write names --format "rpz?action=nodata"',
    ],
    page: "exports.md#lines-for-each-consumer",
  },
  arguments: [{ name: "NAME", summary: "Name of the export" }],
  options: [
    {
      flags: "--format <format>",
      summary: "Format and its options, e.g. nft or rpz?action=nodata",
      isRequired: true,
    },
    { flags: "--out <file>", summary: "File to write, whole or not at all; default: standard output" },
  ],
  run: async ({ argument, option }, context) => {
    const known = await findExport(context, argument("NAME"));
    const { target } = known.options;
    const [ext = "", query = ""] = (option("format") ?? "").split("?");
    const format = formatOf(ext);
    const names = formatsFor(target).map((one) => one.ext);
    if (format === null || !names.includes(ext)) {
      throw new InvalidValue(
        "format_unknown",
        `There is no format "${ext}" of ${target} entries; there are ${names.join(", ")}`,
      );
    }
    const variant = variantOf(format, choicesOf(query), target);
    const state = await builtState(context, known);
    const { facts } = state;
    if (facts === null) return;
    const nothing = nothingIn(facts, variant);
    if (nothing !== null) throw new Error(nothing);
    const generation = readGeneration(known.files.generation(facts.generation));
    const { content, dropped } = renderBody(generation, variant);
    const out = option("out");
    if (out === null) context.print(content.toString("utf8").trimEnd());
    else await writeWhole(out, content);
    const closed = closedNow(known.options, state, context.clock.now());
    if (closed !== null) context.warn(`warning: ${closed}`);
    if (dropped > 0) context.warn(`warning: ${dropped} entries were left out: the format cannot hold them`);
  },
});

/** As the route reads a query: an option that is given twice has two values, which no option can have. */
function choicesOf(query: string): Readonly<Record<string, unknown>> {
  const given = new URLSearchParams(query);
  return Object.fromEntries(
    [...given.keys()].map((name) => {
      const [value, ...more] = given.getAll(name);
      return [name, more.length === 0 ? value : [value, ...more]];
    }),
  );
}
