import { adblock, dnsmasq, hosts } from "./blockers.ts";
import { edl } from "./edl.ts";
import type { ExportFormat } from "./format.ts";
import { ipset } from "./ipset.ts";
import { nft } from "./nft.ts";
import { rbl4, rbl6, rbldom } from "./rbl.ts";
import { rpz } from "./rpz.ts";
import { rsc } from "./rsc.ts";
import { apache, nginx, postfix } from "./servers.ts";
import { csv, ndjson } from "./table.ts";
import { txt } from "./txt.ts";

/** Every format, in the order in which they are shown. */
export const exportFormats: readonly ExportFormat[] = [
  ...[txt, edl, nft, ipset, rsc, postfix, nginx, apache],
  ...[rpz, rbl4, rbl6, rbldom, dnsmasq, hosts, adblock, csv, ndjson],
];
