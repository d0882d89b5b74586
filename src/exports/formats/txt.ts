import { LISTED_KINDS } from "../../targets/listed-kinds.ts";
import { dottedNames } from "./dotted-names.ts";
import { type ExportFormat, V_OPTION } from "./format.ts";
import { chosenRows, commentHead, remark } from "./head.ts";

/** One value a line: what nearly every firewall, proxy and script reads. */
export const txt: ExportFormat = {
  ext: "txt",
  title: "Plain list",
  mediaType: "text/plain; charset=utf-8",
  targets: LISTED_KINDS,
  options: [
    V_OPTION,
    { name: "comments", values: ["1"], summary: "Score and categories behind each value" },
    { name: "head", values: ["0"], summary: "Without the comments at the head" },
    {
      name: "below",
      target: "domain",
      values: ["1"],
      summary:
        "A dot before each name that stands for all below it too, as Squid reads it; without `comments`",
    },
  ],
  *write(generation, chosen) {
    if (chosen["head"] === undefined) yield commentHead(generation, "#");
    if (chosen["below"] !== undefined) {
      for (const name of dottedNames(generation)) yield `${name}\n`;
      return;
    }
    const hasRemarks = chosen["comments"] !== undefined;
    for (const row of chosenRows(generation, chosen)) {
      yield hasRemarks ? `${row.value} # ${remark(row)}\n` : `${row.value}\n`;
    }
  },
};
