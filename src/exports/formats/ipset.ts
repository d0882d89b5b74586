import type { Generation } from "../generation.ts";
import { eachRow } from "../rows.ts";
import { type ExportFormat, SET_OPTION } from "./format.ts";
import { commentHead } from "./head.ts";

/**
 * The same for every size: `create -exist` passes only where the set that is there has the same bound, so that one which
 * grew with the list would stop the first restore of a larger list. It costs no memory. Default of ipset: 65,536.
 */
const MAX_ELEMENTS = 16_777_216;

/** `ipset restore`: a new set is filled beside the one in force and takes its place at once. */
export const ipset: ExportFormat = {
  ext: "ipset",
  title: "ipset",
  mediaType: "text/plain; charset=utf-8",
  targets: ["ip"],
  options: [SET_OPTION],
  *write(generation, chosen) {
    const { kind, ipv4_entries: v4, ipv6_entries: v6 } = generation.facts;
    const name = chosen["set"] ?? (kind === "allow" ? "repute_allow" : "repute");
    yield commentHead(generation, "#");
    yield* setLines(generation, { set: `${name}4`, family: "inet", version: "v4", entries: v4 });
    yield* setLines(generation, { set: `${name}6`, family: "inet6", version: "v6", entries: v6 });
  },
};

type SetOf = {
  readonly set: string;
  readonly family: string;
  readonly version: "v4" | "v6";
  readonly entries: number;
};

function* setLines(generation: Generation, { set, family, version, entries }: SetOf): Generator<string> {
  const hashSize = 2 ** Math.max(10, Math.ceil(Math.log2(Math.max(1, entries))));
  const create = (name: string) =>
    `create ${name} hash:net family ${family} hashsize ${hashSize} maxelem ${MAX_ELEMENTS} -exist\n`;
  yield `${create(set)}${create(`${set}-new`)}flush ${set}-new\n`;
  for (const row of eachRow(generation)) {
    if (row.version === version) yield `add ${set}-new ${row.value} -exist\n`;
  }
  yield `swap ${set}-new ${set}\ndestroy ${set}-new\n`;
}
