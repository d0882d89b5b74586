import { InvalidValue } from "../base/failure.ts";
import { type Difference, readDifference } from "../exports/generation.ts";
import { eachRow } from "../exports/rows.ts";
import { defineCommand, JSON_OPTION } from "./command.ts";
import { builtState, findExport } from "./exports.ts";

type Change = "added" | "changed" | "removed";

const MARKS: Readonly<Record<Change, string>> = { added: "+", changed: "~", removed: "-" };

/** `repute exports diff NAME [--from G]`: what came and went since a generation, by default since the one before. */
export const command = defineCommand({
  help: {
    examples: ["repute exports diff edge", "repute exports diff edge --from 12 --json"],
    page: "exports.md",
  },
  arguments: [{ name: "NAME", summary: "Name of the export" }],
  options: [
    { flags: "--from <generation>", summary: "Generation to compare with; default: the one before" },
    JSON_OPTION,
  ],
  run: async ({ argument, option, has }, context) => {
    const known = await findExport(context, argument("NAME"));
    const { differences } = await builtState(context, known);
    const from = option("from");
    const first =
      from === null ? differences.length - 1 : differences.findIndex((one) => String(one.from) === from);
    if (first < 0 && from !== null) {
      const kept = differences.map((one) => one.from).join(", ") || "none";
      throw new InvalidValue(
        "generation_unknown",
        `No difference from generation "${from}" is kept; kept are ${kept}`,
      );
    }
    if (first < 0) context.warn(`The export "${known.options.name}" has no generation before this one`);
    const steps = first < 0 ? [] : differences.slice(first);
    const changes = changesOf(steps.map(({ to }) => readDifference(known.files.difference(to))));
    if (has("json")) context.printJson(changes.map(([value, change]) => ({ value, change })));
    else for (const [value, change] of changes) context.print(`${MARKS[change]} ${value}`);
  },
});

/** What several differences after each other come to. */
function changesOf(differences: readonly Difference[]): readonly (readonly [string, Change])[] {
  const changes = new Map<string, Change>();
  for (const { added, changed, removed } of differences) {
    for (const { value } of eachRow(removed)) {
      if (changes.get(value) === "added") changes.delete(value);
      else changes.set(value, "removed");
    }
    for (const { value } of eachRow(added)) {
      changes.set(value, changes.get(value) === "removed" ? "changed" : "added");
    }
    for (const { value } of eachRow(changed)) {
      if (changes.get(value) !== "added") changes.set(value, "changed");
    }
  }
  return [...changes];
}
