import { type ExportFormat, V_OPTION } from "./format.ts";
import { chosenRows, remark } from "./head.ts";

/** External dynamic list of PAN-OS: an entry, a blank, a comment. Its URL lists hold no scheme. */
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
      yield `${value} ${remark(row)}\n`;
    }
  },
};
