import { registeredDomainOf } from "../../targets/domain.ts";
import { eachRow, textFinder } from "../rows.ts";
import { namesAbove } from "./dotted-names.ts";
import type { ExportFormat } from "./format.ts";
import { commentHead } from "./head.ts";

/** A hosts file: exact names, as Pi-hole reads them. Programs that take it for addresses still ask for those of IPv6. */
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

/**
 * A `servers-file` of dnsmasq: it answers for a name and all below it by itself, whatever is asked, and asks its servers about what
 * is allowed below. It cannot block a public suffix without the names of others below it.
 */
export const dnsmasq: ExportFormat = {
  ext: "dnsmasq",
  title: "dnsmasq servers-file",
  mediaType: "text/plain; charset=utf-8",
  targets: ["domain"],
  options: [],
  *write(generation, _, written) {
    yield commentHead(generation, "#");
    for (const name of generation.islands) yield `server=/${name}/#\n`;
    const server = generation.facts.kind === "allow" ? "#" : "";
    for (const { value } of eachRow(generation)) {
      if (registeredDomainOf(value) === null) written.dropped++;
      else yield `server=/${value}/${server}\n`;
    }
  },
};

/**
 * Rules for AdGuard Home and ad blockers: a name with all below it; of a public suffix the name alone. An exemption goes before a
 * rule, an important rule before that, and an important exemption before all. What is listed below two allowed names that have a
 * listed one between them is dropped: no rule blocks it without `denyallow`, which blockers in browsers take beside `domain` alone.
 * Source: https://adguard-dns.io/kb/general/dns-filtering-syntax/ (important, denyallow).
 */
export const adblock: ExportFormat = {
  ext: "adblock",
  title: "Adblock rules",
  mediaType: "text/plain; charset=utf-8",
  targets: ["domain"],
  options: [],
  *write(generation, _, written) {
    yield commentHead(generation, "!");
    const islands = new Set(generation.islands);
    const isListed = textFinder(generation.rows);
    const exemptions = (name: string) => [name, ...namesAbove(name)].filter((one) => islands.has(one));
    const isImportant = (name: string) =>
      namesAbove(name).some(
        (one) => isListed(one) && registeredDomainOf(one) !== null && exemptions(one).length > 0,
      );
    for (const name of generation.islands) yield `@@||${name}^${isImportant(name) ? "$important" : ""}\n`;
    for (const { value } of eachRow(generation)) {
      const above = exemptions(value);
      const rule = registeredDomainOf(value) === null ? `|${value}^` : `||${value}^`;
      if (above.some(isImportant)) written.dropped++;
      else yield above.length > 0 ? `${rule}$important\n` : `${rule}\n`;
    }
  },
};
