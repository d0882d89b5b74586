import { registeredDomainOf } from "../../targets/domain.ts";
import { eachRow } from "../rows.ts";
import type { ExportFormat } from "./format.ts";
import { commentHead } from "./head.ts";

/** A hosts file: exact names, as Pi-hole and dnsmasq read them. */
export const hosts: ExportFormat = {
  ext: "hosts",
  title: "Hosts file",
  mediaType: "text/plain; charset=utf-8",
  targets: ["domain"],
  options: [],
  *write(generation) {
    yield commentHead(generation, "#");
    for (const { value } of eachRow(generation)) yield `0.0.0.0 ${value}\n`;
  },
};

/** Rules for AdGuard Home and ad blockers: a name with all below it; of a public suffix the name alone. */
export const adblock: ExportFormat = {
  ext: "adblock",
  title: "Adblock rules",
  mediaType: "text/plain; charset=utf-8",
  targets: ["domain"],
  options: [],
  *write(generation) {
    yield commentHead(generation, "!");
    for (const name of generation.islands) yield `@@||${name}^\n`;
    const islands = new Set(generation.islands);
    for (const { value } of eachRow(generation)) {
      const rule = registeredDomainOf(value) === null ? `|${value}^` : `||${value}^`;
      yield isBelowOneOf(islands, value) ? `${rule}$important\n` : `${rule}\n`;
    }
  },
};

/** An exemption holds for all below it, and for what is listed there as well unless its rule goes before exemptions. */
const isBelowOneOf = (islands: ReadonlySet<string>, name: string): boolean =>
  islands.size > 0 && name.split(".").some((_, i, labels) => i > 0 && islands.has(labels.slice(i).join(".")));
