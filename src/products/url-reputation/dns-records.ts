import type { Deps } from "../../deps.ts";
import { isAnswered, type LookupTime } from "../../enrichment/dns/resolve.ts";
import { hostNameOf, reverseNameOf } from "../../enrichment/reverse-dns.ts";
import type { SourceAge } from "../../risk/freshness.ts";
import { type Domain, icannDomainOf } from "../../targets/domain.ts";
import { type Ip, readIp } from "../../targets/ip.ts";

/** A name that a record leads to, and where its first address is. */
export type RecordTarget = {
  readonly target: string;
  readonly ip: string | null;
  readonly country_code: string;
  readonly country_name: string;
  readonly isp: string;
};

/** Who serves a host: null where DNS gave no answer. */
export type HostRecords = {
  /** Of the domain that a registry sold. */
  readonly ns: readonly RecordTarget[] | null;
  readonly mx: readonly RecordTarget[] | null;
  /** Of the host itself: the first one; `none` when it has none. */
  readonly cname: RecordTarget | "none" | null;
  /** Of the tables that place them. */
  readonly ages: readonly SourceAge[];
};

/** Of an address, and of a host that no DNS knows. */
export const NO_RECORDS: HostRecords = { ns: [], mx: [], cname: "none", ages: [] };

/** Records of each kind that are described. */
const MAX_RECORDS = 10;

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
  const describeAll = (names: readonly string[]) =>
    Promise.all([...new Set(names)].slice(0, MAX_RECORDS).map((one) => describe(one, deps, time)));
  const [alias] = a.chain;
  const [nsTargets, mxTargets, cname] = await Promise.all([
    describeAll(nameServers),
    describeAll(mailHosts),
    alias === undefined ? null : describe(alias, deps, time),
  ]);
  return {
    ns: isAnswered(ns) ? nsTargets.map(({ shown }) => shown) : null,
    mx: isAnswered(mx) ? mxTargets.map(({ shown }) => shown) : null,
    cname: cname?.shown ?? (isAnswered(a) ? "none" : null),
    ages: [...nsTargets, ...mxTargets, cname].flatMap((one) => one?.age ?? []),
  };
}

/** `age` is null where no address was found to ask the tables about. */
type Described = { readonly shown: RecordTarget; readonly age: SourceAge | null };

async function describe(
  target: string,
  { dnsRecords, ipEnrichment }: Pick<Deps, "dnsRecords" | "ipEnrichment">,
  time: LookupTime,
): Promise<Described> {
  const v4 = await dnsRecords.resolve(target, "A", time);
  const [found] =
    v4.records.length > 0 ? v4.records : (await dnsRecords.resolve(target, "AAAA", time)).records;
  const ip = found === undefined ? null : readIp(found.address);
  if (ip === null) {
    return { shown: { target, ip: null, country_code: "", country_name: "", isp: "" }, age: null };
  }
  const facts = ipEnrichment.describe(ip);
  const { country_code, country_name, isp } = facts.information;
  return { shown: { target, ip: ip.text, country_code, country_name, isp }, age: facts };
}

/** The machine behind the first URL. */
export type Server = {
  readonly ip: string;
  readonly reverse_dns: string | null;
  readonly continent_code: string;
  readonly continent_name: string;
  readonly country_code: string;
  readonly country_name: string;
  readonly region_name: string;
  readonly city_name: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly isp: string;
  readonly asn: string;
};

export type DescribedServer = {
  readonly server: Server;
  /** False: DNS gave no answer about its name. */
  readonly isNameKnown: boolean;
  /** Of the tables that place it. */
  readonly age: SourceAge;
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
    age: facts,
  };
}
