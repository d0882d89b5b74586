import { type ExportFormat, V_OPTION } from "./format.ts";
import { chosenRows, commentHead, remark } from "./head.ts";

/** Longer than the day after which most routers fetch again. */
const TIMEOUT = "26h";

/**
 * A script for RouterOS. Nothing is removed first, so that no second goes by unguarded: entries time out by themselves. One
 * that is there already cannot be added, and gets its time anew.
 */
export const rsc: ExportFormat = {
  ext: "rsc",
  title: "MikroTik RouterOS",
  mediaType: "text/plain; charset=utf-8",
  targets: ["ip"],
  options: [
    V_OPTION,
    { name: "v6syntax", values: ["1"], summary: "Paths as RouterOS 6 writes them" },
    {
      name: "list",
      values: { pattern: /^[a-z][a-z0-9_-]{0,31}$/, form: "a letter, then up to 31 of a-z, 0-9, _ and -" },
      summary: "Name of the address list",
    },
  ],
  *write(generation, chosen) {
    const list = chosen["list"] ?? (generation.facts.kind === "allow" ? "repute-allow" : "repute");
    const path = (family: string) =>
      chosen["v6syntax"] === undefined
        ? `/${family}/firewall/address-list`
        : `/${family} firewall address-list`;
    const isOld = chosen["v6syntax"] !== undefined;
    yield commentHead(generation, "#");
    for (const row of chosenRows(generation, chosen)) {
      const base = path(row.version === "v6" ? "ipv6" : "ip");
      const address = row.version === "v6" && row.prefix === 128 ? `${row.value}/128` : row.value;
      const [add, set] = isOld ? [`${base} add`, `${base} set`] : [`${base}/add`, `${base}/set`];
      yield `:do {${add} list=${list} address=${address} timeout=${TIMEOUT} comment="${remark(row)}"} ` +
        `on-error={${set} [find list=${list} address=${address}] timeout=${TIMEOUT}}\n`;
    }
  },
};
