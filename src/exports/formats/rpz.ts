import { registeredDomainOf } from "../../targets/domain.ts";
import type { Generation } from "../generation.ts";
import { type ExportRow, eachRow } from "../rows.ts";
import type { Chosen, ExportFormat, Written } from "./format.ts";
import { commentHead } from "./head.ts";
import { type SaidOfName, zoneNames } from "./zone-names.ts";

const NAME = /^(?=.{1,200}$)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*\.?$/;
const ACTION =
  /^(?:nxdomain|nodata|drop|passthru|tcp-only|cname:(?=.{1,200}$)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*\.?)$/;
/** Longest name in DNS as text, without its final dot. */
const MAX_NAME = 253;
const DEFAULT_ORIGIN = "rpz.repute.example";
const PASSTHRU = "CNAME rpz-passthru.";
/**
 * What such an owner names is no name: the addresses of an answer, of a name server or of a client. A stranger's list could deny
 * every answer to a client by it. Source: draft-vixie-dnsop-dns-rpz, 4 (policy triggers).
 */
const isTrigger = (name: string): boolean => name.startsWith(".rpz-", name.lastIndexOf("."));

/** A response policy zone, for BIND, Unbound, Knot Resolver and PowerDNS. */
export const rpz: ExportFormat = {
  ext: "rpz",
  title: "Response policy zone",
  mediaType: "text/dns; charset=utf-8",
  targets: ["ip", "domain"],
  options: [
    {
      name: "action",
      values: { pattern: ACTION, form: "nxdomain, nodata, drop, passthru, tcp-only or cname:NAME" },
      summary: "What is answered; default nxdomain",
    },
    {
      name: "origin",
      values: { pattern: NAME, form: "a name of 200 characters at most" },
      summary: "Name of the zone, for the length of names and nothing else",
    },
  ],
  *write(generation, chosen, written) {
    const { facts } = generation;
    yield commentHead(generation, ";");
    yield "$TTL 300\n";
    yield `@ SOA localhost. hostmaster.localhost. ${facts.generation} 300 60 86400 60\n@ NS localhost.\n`;
    const action = actionOf(chosen["action"] ?? (facts.kind === "allow" ? "passthru" : "nxdomain"));
    if (facts.target === "ip") {
      for (const row of eachRow(generation)) yield `${addressOwner(row)} ${action}\n`;
    } else yield* nameLines(generation, { action, chosen, written });
  },
};

function actionOf(text: string): string {
  switch (text) {
    case "nxdomain":
      return "CNAME .";
    case "nodata":
      return "CNAME *.";
    case "drop":
    case "passthru":
    case "tcp-only":
      return `CNAME rpz-${text}.`;
    default:
      return `CNAME ${withoutDot(text.slice("cname:".length))}.`;
  }
}

const withoutDot = (name: string): string => name.replace(/\.$/, "");

type NameLines = { readonly action: string; readonly chosen: Chosen; readonly written: Written };

/** A name and all below it; of a public suffix the name alone, for those below it are others', and let through below a listed name. */
function* nameLines(generation: Generation, { action, chosen, written }: NameLines): Generator<string> {
  const room = MAX_NAME - withoutDot(chosen["origin"] ?? DEFAULT_ORIGIN).length - 1;
  const canHold = (name: string): boolean => name.length <= room && !isTrigger(name);
  const entries = new Map<string, SaidOfName>();
  for (const name of generation.islands) entries.set(name, { isListed: false, below: false });
  for (const { value } of eachRow(generation)) {
    const isSuffix = registeredDomainOf(value) === null;
    entries.set(value, { isListed: true, below: isSuffix ? (entries.get(value)?.below ?? null) : true });
  }
  for (const { name, isListed, below } of zoneNames(entries, canHold)) {
    if (!canHold(name)) {
      written.dropped++;
      continue;
    }
    const does = (listed: boolean): string => (listed ? action : PASSTHRU);
    yield `${name} ${does(isListed)}\n`;
    // Where this does not fit, no name below fits either.
    if (below !== null && name.length + 2 <= room) yield `*.${name} ${does(below)}\n`;
  }
}

/** `24.0.2.0.192.rpz-ip`, `48.zz.db8.2001.rpz-ip`: prefix length, then the address from its end. */
function addressOwner({ value, version, prefix }: ExportRow): string {
  const [address = ""] = value.split("/");
  if (version === "v4") return `${prefix}.${address.split(".").reverse().join(".")}.rpz-ip`;
  const groups = address.split("::").map((half) => half.split(":").filter((group) => group !== ""));
  const [before = [], after] = groups;
  const all = after === undefined ? before : [...before, "zz", ...after];
  return `${prefix}.${all.reverse().join(".")}.rpz-ip`;
}
