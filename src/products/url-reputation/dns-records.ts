import { MAX_ASKED_NAMES } from "../../enrichment/dns-facts/named-hosts.ts";
import { isAnswered, type LookupTime } from "../../enrichment/dns-facts/resolve.ts";
import type { IpAges } from "../../enrichment/facts.ts";
import { hostNameOf, reverseNameOf } from "../../enrichment/ip/reverse-dns.ts";
import { type Domain, icannDomainOf } from "../../targets/domain.ts";
import { type Ip, readIp } from "../../targets/ip.ts";
import type { Deps } from "../deps.ts";
import type { PageWire } from "./shape.ts";

/** A name that a record leads to, and where its first address is. */
type RecordTarget = PageWire["dns_records"]["ns"][number];

/** What records lead to, in their order. */
type RecordTargets = {
  readonly targets: readonly RecordTarget[];
  /** False where the address of one was not asked for, or DNS gave no answer. */
  readonly isKnown: boolean;
};

/** Who serves a host: null where DNS gave no answer. */
export type HostRecords = {
  /** Of the domain that a registry sold. */
  readonly ns: RecordTargets | null;
  readonly mx: RecordTargets | null;
  /** Of the host itself: the first one; `none` when it has none. */
  readonly cname: RecordTarget | "none" | null;
  /** Of the tables that place them. */
  readonly ages: readonly IpAges[];
};

/** Of an address, and of a host that no DNS knows. */
export const NO_RECORDS: HostRecords = {
  ns: { targets: [], isKnown: true },
  mx: { targets: [], isKnown: true },
  cname: "none",
  ages: [],
};

/** Name servers and mail hosts of the registered domain, the alias of the host, each with its place and network. */
export async function lookUpHostRecords(
  { name }: Domain,
  deps: Pick<Deps, "dnsRecords" | "ipEnrichment">,
  time: LookupTime,
): Promise<HostRecords> {
  const { dnsRecords } = deps;
  const registered = icannDomainOf(name) ?? name;
  const [ns, mx, a] = await Promise.all([
    dnsRecords.resolve(registered, "NS", time),
    dnsRecords.resolve(registered, "MX", time),
    // Its chain shows the alias; the type of its own fails where a resolver answers with the address at once.
    dnsRecords.resolve(name, "A", time),
  ]);
  const mailHosts = mx.records.map(({ exchange }) => exchange).filter((exchange) => exchange !== ".");
  const nameServers = ns.records.map(({ target }) => target);
  const [alias] = a.chain;
  const [nsTargets, mxTargets, cname] = await Promise.all([
    describeAll(nameServers, deps, time),
    describeAll(mailHosts, deps, time),
    alias === undefined ? null : describe(alias, deps, time),
  ]);
  return {
    ns: isAnswered(ns) ? targetsOf(nsTargets) : null,
    mx: isAnswered(mx) ? targetsOf(mxTargets) : null,
    cname: cname?.target ?? (isAnswered(a) ? "none" : null),
    ages: [...nsTargets, ...mxTargets, cname].flatMap((one) => one?.ages ?? []),
  };
}

/** Every name once; those beyond the bound without an address. */
const describeAll = (
  names: readonly string[],
  deps: Pick<Deps, "dnsRecords" | "ipEnrichment">,
  time: LookupTime,
): Promise<readonly Described[]> =>
  Promise.all(
    [...new Set(names)].map((name, i) =>
      i < MAX_ASKED_NAMES
        ? describe(name, deps, time)
        : { target: withoutAddress(name), isKnown: false, ages: null },
    ),
  );

const targetsOf = (described: readonly Described[]): RecordTargets => ({
  targets: described.map(({ target }) => target),
  isKnown: described.every(({ isKnown }) => isKnown),
});

/** `ages` is null where no address was found to ask the tables about. */
type Described = {
  readonly target: RecordTarget;
  readonly isKnown: boolean;
  readonly ages: IpAges | null;
};

async function describe(
  name: string,
  { dnsRecords, ipEnrichment }: Pick<Deps, "dnsRecords" | "ipEnrichment">,
  time: LookupTime,
): Promise<Described> {
  const v4 = await dnsRecords.resolve(name, "A", time);
  const found = v4.records.length > 0 ? v4 : await dnsRecords.resolve(name, "AAAA", time);
  const [first] = found.records;
  const ip = first === undefined ? null : readIp(first.address);
  if (ip === null) {
    return { target: withoutAddress(name), isKnown: isAnswered(v4) && isAnswered(found), ages: null };
  }
  const facts = ipEnrichment.describe(ip);
  const { country_code, country_name, isp } = facts.information;
  return {
    target: { target: name, ip: ip.text, country_code, country_name, isp },
    isKnown: true,
    ages: facts.ages,
  };
}

const withoutAddress = (target: string): RecordTarget => ({
  target,
  ip: null,
  country_code: "",
  country_name: "",
  isp: "",
});

export type DescribedServer = {
  /** The machine behind the first URL. */
  readonly server: NonNullable<PageWire["host_info"]["server"]>;
  /** False: DNS gave no answer about its name. */
  readonly isNameKnown: boolean;
  /** Of the tables that place it. */
  readonly ages: IpAges;
};

/** Place and network of an address by the tables, and the name that its holder gives it, unconfirmed. */
export async function describeServer(
  ip: Ip,
  { dnsRecords, ipEnrichment }: Pick<Deps, "dnsRecords" | "ipEnrichment">,
  time: LookupTime,
): Promise<DescribedServer> {
  const facts = ipEnrichment.describe(ip);
  const { information } = facts;
  // An inner address is its network's own affair (design 1.8).
  const ptr = information.is_bogon ? null : await dnsRecords.resolve(reverseNameOf(ip), "PTR", time);
  const names = ptr?.records.flatMap(({ target }) => hostNameOf(target) ?? []) ?? [];
  const { continent_code, continent_name, country_code, country_name } = information;
  const { region_name, city_name, latitude, longitude, isp, asn } = information;
  return {
    server: {
      ip: ip.text,
      reverse_dns: names[0] ?? null,
      continent_code,
      continent_name,
      country_code,
      country_name,
      region_name,
      city_name,
      latitude,
      longitude,
      isp,
      asn,
    },
    isNameKnown: ptr === null || isAnswered(ptr),
    ages: facts.ages,
  };
}
