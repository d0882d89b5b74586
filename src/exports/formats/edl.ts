import { type ExportFormat, V_OPTION } from "./format.ts";
import { chosenRows, remark } from "./head.ts";

/**
 * External dynamic list of PAN-OS: an address, a blank, a comment; lists of names and of pages have no comments, and pages no scheme. Source:
 * https://docs.paloaltonetworks.com/network-security/security-policy/administration/objects/external-dynamic-lists/formatting-guidelines-for-an-external-dynamic-list
 */
export const edl: ExportFormat = {
  ext: "edl",
  title: "PAN-OS external dynamic list",
  mediaType: "text/plain; charset=utf-8",
  targets: ["ip", "domain", "url"],
  options: [V_OPTION],
  *write(generation, chosen) {
    const written = new Set<string>();
    for (const row of chosenRows(generation, chosen)) {
      const value = row.value.replace(/^https?:\/\//, "");
      // The same page by http and by https is one entry; addresses and names are different anyway.
      if (generation.facts.target === "url") {
        if (written.has(value)) continue;
        written.add(value);
      }
      yield generation.facts.target === "ip" ? `${value} ${remark(row)}\n` : `${value}\n`;
    }
  },
};
