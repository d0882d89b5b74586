import { promises as systemDns } from "node:dns";
import { domainToASCII } from "node:url";
import type { Reason } from "../../base/failure.ts";
import { type Ip, ipv4Of, ipv6Of, readIp } from "../../targets/ip.ts";
import { readReply } from "./dns-reading.ts";
import type { Dns, DnsRecord } from "./dns-types.ts";

/** Families of which the resolver said nothing, though it gave addresses of the other one. */
export type SilentFamilies = readonly Ip["version"][];

/** A host's addresses before anyone judged them. */
export type HostAddresses =
  | { readonly state: "addresses"; readonly addresses: readonly Ip[]; readonly silent: SilentFamilies }
  | { readonly state: "no_address" }
  | { readonly state: "failed"; readonly reason: Exclude<Reason, "refused">; readonly detail: string };

const MAX_HOST_LENGTH = 1024;
/** What the URL parser would cut off, decode or drop, so that another host came out. */
const NO_HOST = /[/\\?#@:%[\]\s\p{Cc}]/u;
const LOOPBACK: Readonly<Record<"A" | "AAAA", Ip>> = { A: ipv4Of(0x7f000001), AAAA: ipv6Of([0, 0, 0, 1]) };

type Ways = {
  readonly dns: Dns;
  /** Addresses of an operator's name that `dns` cannot answer. */
  readonly systemLookup: (name: string) => Promise<readonly string[]>;
  readonly signal: AbortSignal;
};

/**
 * A host's addresses. It is read by the rules that URLs follow (WHATWG), so that `0x7f.1`, `2130706433` and
 * `①②⑦.0.0.1` are the addresses that some reader would take them for. A name is asked by our resolver client, each
 * question followed along its CNAMEs; what one family gave counts although the other failed, and it takes both to say
 * that there is no address. A name that is the operator's word is looked up by the system when that gives nothing.
 */
export async function findAddresses(
  { host, isOperatorsWord }: { readonly host: string; readonly isOperatorsWord: boolean },
  { dns, systemLookup, signal }: Ways,
): Promise<HostAddresses> {
  const name = readIp(host.replace(/^\[(.*)\]$/, "$1")) ?? readName(host);
  if (name === null) return { state: "failed", reason: "error", detail: "This is not a host name" };
  if (typeof name !== "string") return { state: "addresses", addresses: [name], silent: [] };
  const found = await askAddresses(name, dns, signal);
  if (found.state === "addresses" || !isOperatorsWord) return found;
  const addresses = await orNothing(systemLookup(name), signal);
  return addresses.length > 0 ? { state: "addresses", addresses, silent: [] } : found;
}

/** The machine's own resolver: the hosts file, container networks. */
export async function askSystem(name: string): Promise<readonly string[]> {
  const found = await systemDns.lookup(name, { all: true, order: "ipv4first" });
  return found.map(({ address }) => address);
}

/** A name in A-labels without its final dot, or the address that it spells. */
function readName(text: string): string | Ip | null {
  if (text.length > MAX_HOST_LENGTH || NO_HOST.test(text)) return null;
  const name = domainToASCII(text).replace(/\.$/, "");
  return name === "" ? null : (readIp(name) ?? name);
}

// The system's lookup cannot be called off: who waits for it leaves at the deadline.
async function orNothing(lookup: Promise<readonly string[]>, signal: AbortSignal): Promise<readonly Ip[]> {
  const left = new Promise<readonly string[]>((resolve) => {
    if (signal.aborted) resolve([]);
    else signal.addEventListener("abort", () => resolve([]), { once: true });
  });
  const texts = await Promise.race([lookup.catch(() => []), left]);
  return texts.map((text) => readIp(text)).filter((ip) => ip !== null);
}

/** In the order in which they are asked. */
const FAMILIES = ["v4", "v6"] as const;

async function askAddresses(name: string, dns: Dns, signal: AbortSignal): Promise<HostAddresses> {
  const answers = await Promise.all([follow(name, "A", dns, signal), follow(name, "AAAA", dns, signal)]);
  const addresses = answers.flatMap((answer) => (answer.state === "addresses" ? answer.addresses : []));
  const silent = FAMILIES.filter((_, i) => answers[i]?.state === "failed");
  if (addresses.length > 0) return { state: "addresses", addresses: withoutRepeats(addresses), silent };
  return answers.find(({ state }) => state === "failed") ?? { state: "no_address" };
}

const withoutRepeats = (addresses: readonly Ip[]): Ip[] => [
  ...new Map(addresses.map((ip) => [ip.text, ip])).values(),
];

// RFC 6761, 6.3: loopback without being asked, also at the end of CNAMEs.
const isLocalhost = (name: string): boolean => name === "localhost" || name.endsWith(".localhost");

async function follow(
  name: string,
  type: "A" | "AAAA",
  dns: Dns,
  signal: AbortSignal,
): Promise<HostAddresses> {
  let chain: readonly string[] = [name];
  for (;;) {
    const current = chain.at(-1) ?? name;
    if (isLocalhost(current)) return { state: "addresses", addresses: [LOOPBACK[type]], silent: [] };
    const answer = await dns.query(current, type, { signal });
    if (answer.state === "unavailable") {
      return {
        state: "failed",
        reason: answer.reason === "timeout" ? "timeout" : "error",
        detail: answer.detail,
      };
    }
    const reading = readReply(answer.value, type, chain);
    chain = reading.chain;
    if (reading.state === "failed") return { state: "failed", reason: "error", detail: reading.message };
    if (reading.state === "answered" && !isLocalhost(chain.at(-1) ?? "")) return addressesOf(reading.records);
  }
}

function addressesOf(records: readonly DnsRecord[]): HostAddresses {
  const addresses = records.flatMap((record) => {
    const ip = record.type === "A" || record.type === "AAAA" ? readIp(record.data) : null;
    return ip === null ? [] : [ip];
  });
  return addresses.length === 0 ? { state: "no_address" } : { state: "addresses", addresses, silent: [] };
}
