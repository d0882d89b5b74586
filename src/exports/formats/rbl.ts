import { CATEGORIES, type Category } from "../../engines/kind.ts";
import { registeredDomainOf } from "../../targets/domain.ts";
import type { Generation } from "../generation.ts";
import { type ExportRow, eachRow, textFinder } from "../rows.ts";
import type { ExportFormat } from "./format.ts";
import { commentHead, remark } from "./head.ts";

/*
 * Zones for rbldnsd. Answers are 127.0.0.N: N is 3 and the place of the first category in this table, so that a client can
 * tell them apart; 127.0.0.2 is the default and what the test point says.
 */

const FIRST_CODE = 3;

/** The last octet of the answer for a category. */
const codeOf = (category: Category | undefined): number =>
  category === undefined ? 2 : FIRST_CODE + CATEGORIES.indexOf(category);

/** The most serious category: the first in the order of the table. */
const mainCategory = ({ categories }: ExportRow): Category | undefined =>
  CATEGORIES.find((category) => categories.includes(category));

const head = (generation: Generation): string =>
  `${commentHead(generation, "#")}$SOA 300 localhost. hostmaster.localhost. ` +
  `${generation.facts.generation} 300 60 86400 60\n$NS 300 localhost.\n:127.0.0.2:listed $\n`;

/** Of an allow export the sources stand behind the value, which has neither category nor score. */
const line = (row: ExportRow, value: string): string => {
  const { categories, score } = row;
  const text = categories.length === 0 ? remark(row) : `${categories.join(",")} score ${score}`;
  return `${value} :${codeOf(mainCategory(row))}:${text}\n`;
};

/** IPv4: a dataset of type ip4trie. */
export const rbl4: ExportFormat = {
  ext: "rbl4",
  title: "rbldnsd ip4trie",
  mediaType: "text/plain; charset=utf-8",
  targets: ["ip"],
  options: [],
  *write(generation) {
    yield `${head(generation)}127.0.0.2\n!127.0.0.1\n`;
    for (const row of eachRow(generation)) if (row.version === "v4") yield line(row, row.value);
  },
};

/** IPv6: a dataset of type ip6trie. */
export const rbl6: ExportFormat = {
  ext: "rbl6",
  title: "rbldnsd ip6trie",
  mediaType: "text/plain; charset=utf-8",
  targets: ["ip"],
  options: [],
  *write(generation) {
    yield `${head(generation)}::ffff:7f00:2/128\n`;
    for (const row of eachRow(generation)) {
      if (row.version === "v6") yield line(row, row.prefix === 128 ? `${row.value}/128` : row.value);
    }
  },
};

/** Names: a dataset of type dnset; a name with all below it, of a public suffix the name alone. */
export const rbldom: ExportFormat = {
  ext: "rbldom",
  title: "rbldnsd dnset",
  mediaType: "text/plain; charset=utf-8",
  targets: ["domain"],
  options: [],
  *write(generation) {
    yield `${head(generation)}TEST\n`;
    // An exemption with a dot would go before an entry of the name itself, which a public suffix may have.
    const isListed = textFinder(generation.rows);
    for (const name of generation.islands) yield `!${isListed(name) ? "*" : ""}.${name}\n`;
    for (const row of eachRow(generation)) {
      yield line(row, registeredDomainOf(row.value) === null ? row.value : `.${row.value}`);
    }
  },
};
