import type { Generation } from "../generation.ts";
import { eachRow } from "../rows.ts";
import { type ExportFormat, SET_OPTION } from "./format.ts";
import { commentHead } from "./head.ts";

/** Elements of one statement: the parser of nft takes no line of megabytes well. */
const CHUNK = 10_000;

/**
 * Two sets in the table `inet repute`, replaced in one transaction. The networks of an export are disjoint, so that the
 * sets need no `auto-merge`, which invents ranges.
 */
export const nft: ExportFormat = {
  ext: "nft",
  title: "nftables",
  mediaType: "text/plain; charset=utf-8",
  targets: ["ip"],
  options: [SET_OPTION],
  *write(generation, chosen) {
    const name = chosen["set"] ?? generation.facts.kind;
    yield commentHead(generation, "#");
    yield "add table inet repute\n";
    yield* setLines(generation, { set: `${name}4`, type: "ipv4_addr", version: "v4" });
    yield* setLines(generation, { set: `${name}6`, type: "ipv6_addr", version: "v6" });
  },
};

type SetOf = { readonly set: string; readonly type: string; readonly version: "v4" | "v6" };

function* setLines(generation: Generation, { set, type, version }: SetOf): Generator<string> {
  yield `add set inet repute ${set} { type ${type}; flags interval; }\n`;
  yield `flush set inet repute ${set}\n`;
  let chunk: string[] = [];
  const statement = () => `add element inet repute ${set} { ${chunk.join(", ")} }\n`;
  for (const row of eachRow(generation)) {
    if (row.version !== version) continue;
    chunk.push(row.value);
    if (chunk.length < CHUNK) continue;
    yield statement();
    chunk = [];
  }
  if (chunk.length > 0) yield statement();
}
