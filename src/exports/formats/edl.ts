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
    for (const row of chosenRows(generation, chosen)) {
      yield `${row.value.replace(/^https?:\/\//, "")} ${remark(row)}\n`;
    }
  },
};
