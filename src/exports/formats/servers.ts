import { type ExportFormat, V_OPTION } from "./format.ts";
import { chosenRows, commentHead, remark } from "./head.ts";

/** A table of type cidr for Postfix. */
export const postfix: ExportFormat = {
  ext: "postfix",
  title: "Postfix cidr table",
  mediaType: "text/plain; charset=utf-8",
  targets: ["ip"],
  options: [V_OPTION],
  *write(generation, chosen) {
    const isAllowed = generation.facts.kind === "allow";
    yield commentHead(generation, "#");
    for (const row of chosenRows(generation, chosen)) {
      const action = isAllowed
        ? "OK"
        : `REJECT listed (score ${row.score})${row.categories.length > 0 ? `: ${row.categories.join(", ")}` : ""}`;
      yield `${row.value} ${action}\n`;
    }
  },
};

/** nginx takes it for a failure to read an address, and refuses its whole configuration; a `geo` knows it. */
const UNREADABLE = "255.255.255.255";

/**
 * Lines to include in a `server` or `location` of nginx, which goes through them one by one; as=geo: in a `geo`, which finds
 * an address in a tree.
 */
export const nginx: ExportFormat = {
  ext: "nginx",
  title: "nginx",
  mediaType: "text/plain; charset=utf-8",
  targets: ["ip"],
  options: [
    V_OPTION,
    { name: "as", values: ["geo"], summary: "Lines of a geo block, whose value is 1" },
    { name: "comments", values: ["1"], summary: "Score and categories behind each line" },
  ],
  *write(generation, chosen, written) {
    const word = generation.facts.kind === "allow" ? "allow" : "deny";
    const isGeo = chosen["as"] !== undefined;
    yield commentHead(generation, "#");
    for (const row of chosenRows(generation, chosen)) {
      if (!isGeo && row.value === UNREADABLE) {
        written.dropped++;
        continue;
      }
      const line = isGeo ? `${row.value} 1;` : `${word} ${row.value};`;
      yield chosen["comments"] === undefined ? `${line}\n` : `${line} # ${remark(row)}\n`;
    }
  },
};

/** Lines to include in a `<RequireAll>` of Apache; of an allow export in a `<RequireAny>`. */
export const apache: ExportFormat = {
  ext: "apache",
  title: "Apache HTTP Server",
  mediaType: "text/plain; charset=utf-8",
  targets: ["ip"],
  options: [V_OPTION],
  *write(generation, chosen) {
    const word = generation.facts.kind === "allow" ? "Require ip" : "Require not ip";
    yield commentHead(generation, "#");
    for (const row of chosenRows(generation, chosen)) yield `${word} ${row.value}\n`;
  },
};
