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
    for (const { value } of eachRow(generation)) {
      yield registeredDomainOf(value) === null ? `|${value}^\n` : `||${value}^\n`;
    }
  },
};
