import { publicDnsAt } from "../catalogue/public-dns.ts";
import { KNOWN_SYSTEMS, type KnownSystem } from "../catalogue/systems.ts";
import { ANONYMITY_FLAGS, type Anonymity, type AsnFacts, type Information } from "../facts.ts";
import type { Coverage, Flag, NetworkHit } from "./networks.ts";

/** What the lists and the AS of an address say of its use. */
export type AddressUsage = {
  readonly information: Pick<
    Information,
    | "is_vendor_drop"
    | "related_service_name"
    | "related_service_domain"
    | "related_service_type"
    | "is_major_provider_spf_ip"
    | "is_public_dns"
    | "cloud_provider"
    | "cloud_provider_domain"
    | "cloud_vendor_service"
    | "is_vendor_service"
    | "edge_service"
    | "edge_service_domain"
    | "is_satellite"
    | "is_hosting"
    | "address_type"
  >;
  readonly anonymity: Anonymity;
  readonly isVendorBotRange: boolean;
  readonly isSearchEngineRange: boolean;
  readonly unknown: readonly string[];
};

export type UsageInput = {
  readonly hits: readonly NetworkHit[];
  readonly coverage: Coverage;
  /** Canonical text of the address. */
  readonly address: string;
  readonly asn: number | null;
  /** False when there is no ASN table to ask. */
  readonly isAsnKnown: boolean;
  readonly asnType: AsnFacts["type"];
};

/** Design 5.2: of equally specific ranges the first of these speaks. */
const TYPE_ORDER = [
  "crawler",
  "ai_crawler",
  "scanner",
  "monitoring",
  "messaging",
  "mail",
  "saas",
  "dns",
  "cdn",
  "cloud",
  "vpn",
];

const GOOGLE_CLOUD = "Google Cloud";
const AWS = "AWS";

/** Decides what an address is used for. Pure; precedence as in design 5.2 and 5.4. */
export function usageOf(input: UsageInput): AddressUsage {
  const { hits } = input;
  const system = input.asn === null ? undefined : KNOWN_SYSTEMS.get(input.asn);
  const resolver = publicDnsAt(input.address);
  const service = serviceOf(hits, input.address);
  const cloud: Cloud | null = mostSpecific(hits, (list) => list.cloud)?.value ?? system?.cloud ?? null;
  const edge = edgeOf(hits) ?? system?.edge ?? null;
  const anonymity = anonymityOf(input, system, edge !== null);
  const isHosting = anonymity.is_hosting;
  return {
    information: {
      is_vendor_drop: keysOf(hits, "vendor_drop").length > 0,
      related_service_name: service?.name ?? "",
      related_service_domain: service?.domain ?? "",
      related_service_type: service?.type ?? "",
      is_major_provider_spf_ip: keysOf(hits, "mail_sender").length > 0,
      is_public_dns: resolver !== null || keysOf(hits, "public_dns").length > 0,
      cloud_provider: cloud?.provider ?? "",
      cloud_provider_domain: cloud?.domain ?? "",
      cloud_vendor_service: cloud?.service ?? "",
      is_vendor_service: keysOf(hits, "vendor_service").length > 0 && cloud?.provider !== GOOGLE_CLOUD,
      edge_service: edge?.name ?? "",
      edge_service_domain: edge?.domain ?? "",
      is_satellite: system?.use === "satellite" || keysOf(hits, "satellite").length > 0,
      is_hosting: isHosting,
      address_type: addressTypeOf(isHosting, input.asnType),
    },
    anonymity,
    isVendorBotRange: keysOf(hits, "vendor_bot").length > 0,
    isSearchEngineRange: keysOf(hits, "search_engine_bot").length > 0,
    unknown: unknownOf(input, { anonymity, cloud, edge }),
  };
}

type Cloud = { readonly provider: string; readonly domain: string; readonly service?: string | undefined };

function keysOf(hits: readonly NetworkHit[], flag: Flag): string[] {
  const keys: string[] = [];
  for (const hit of hits) if (hit.flags.includes(flag)) keys.push(hit.key);
  return keys;
}

type List = NonNullable<NetworkHit["network"]>;

type Found<T> = { readonly value: T; readonly prefix: number };

const mostSpecific = <T>(hits: readonly NetworkHit[], read: (list: List) => T | undefined) =>
  mostSpecificHit(hits, ({ network }) => (network === null ? undefined : read(network)));

function mostSpecificHit<T>(
  hits: readonly NetworkHit[],
  read: (hit: NetworkHit) => T | undefined,
): Found<T> | null {
  let best: Found<T> | null = null;
  for (const hit of hits) {
    const value = read(hit);
    if (value !== undefined && (best === null || hit.prefix > best.prefix))
      best = { value, prefix: hit.prefix };
  }
  return best;
}

/** A CDN's whole space holds ranges that its cloud lets to customers (Linode in Akamai's): those are no edge. */
function edgeOf(hits: readonly NetworkHit[]): List["edge"] | null {
  const edge = mostSpecific(hits, (list) => list.edge);
  const customers = mostSpecific(hits, (list) => (list.edge === undefined ? list.cloud : undefined));
  return edge === null || (customers !== null && customers.prefix > edge.prefix) ? null : edge.value;
}

type Service = { readonly name: string; readonly domain: string; readonly type: string };

/** The service of a list: its own, else the edge or the cloud that it is. */
function serviceIn(list: List): Service | null {
  if (list.service) return list.service;
  if (list.edge) return { ...list.edge, type: "cdn" };
  return list.cloud ? { name: list.cloud.provider, domain: list.cloud.domain, type: "cloud" } : null;
}

function serviceOf(hits: readonly NetworkHit[], address: string): Service | null {
  const candidates = hits.flatMap(({ network, prefix }) => {
    const service = network === null ? null : serviceIn(network);
    return service === null ? [] : [{ service, prefix }];
  });
  const resolver = publicDnsAt(address);
  if (resolver !== null) candidates.push({ service: { ...resolver, type: "dns" }, prefix: 128 });
  const rank = ({ service }: { service: Service }) => TYPE_ORDER.indexOf(service.type);
  candidates.sort((a, b) => b.prefix - a.prefix || rank(a) - rank(b));
  return candidates[0]?.service ?? null;
}

function anonymityOf(
  { hits, asnType }: UsageInput,
  system: KnownSystem | undefined,
  isEdge: boolean,
): Anonymity {
  const tor = keysOf(hits, "is_tor");
  const relay = keysOf(hits, "is_relay");
  const hosting = keysOf(hits, "is_hosting");
  if (hosting.length === 0 && (system?.use === "hosting" || asnType === "hosting")) hosting.push("asn_type");
  const mayBeVpnNetwork = tor.length === 0 && relay.length === 0 && system?.use !== "tor";
  const flags = {
    // Sites behind an edge share its addresses: a list of proxies that holds one is wrong.
    is_proxy: isEdge ? [] : keysOf(hits, "is_proxy"),
    is_webproxy: keysOf(hits, "is_webproxy"),
    is_residential_proxy: keysOf(hits, "is_residential_proxy"),
    is_vpn: vpnKeys(hits, mayBeVpnNetwork),
    is_hosting: hosting,
    is_relay: relay,
    is_tor: tor,
  };
  return {
    is_proxy: flags.is_proxy.length > 0,
    is_webproxy: flags.is_webproxy.length > 0,
    is_residential_proxy: flags.is_residential_proxy.length > 0,
    is_vpn: flags.is_vpn.length > 0,
    is_hosting: flags.is_hosting.length > 0,
    is_relay: flags.is_relay.length > 0,
    is_tor: flags.is_tor.length > 0,
    tor_role: torRoleOf(hits),
    sources: hits.length + hosting.length === 0 ? {} : sourcesOf(flags),
    provider: mostSpecificHit(hits, ({ provider }) => provider ?? undefined)?.value ?? null,
  };
}

const sourcesOf = (flags: Readonly<Record<string, readonly string[]>>): Anonymity["sources"] =>
  Object.fromEntries(Object.entries(flags).filter(([, keys]) => keys.length > 0));

/**
 * A list of a named provider's exits, or an engine's, stands. A list of VPN networks holds ranges of privacy
 * relays and of Tor operators too: there it says nothing.
 */
const vpnKeys = (hits: readonly NetworkHit[], mayBeVpnNetwork: boolean): string[] =>
  hits.flatMap(({ key, flags, network, provider }) => {
    const isCertain = network === null || provider !== null;
    return flags.includes("is_vpn") && (isCertain || mayBeVpnNetwork) ? [key] : [];
  });

function addressTypeOf(isHosting: boolean, asnType: AsnFacts["type"]): Information["address_type"] {
  if (isHosting) return "hosting";
  // An access network serves homes, firms and phones alike: which of them cannot be told by its AS.
  return asnType === "education" || asnType === "government" || asnType === "business" ? asnType : "unknown";
}

/** Fields that hang on one kind of list. */
const FIELDS_OF_FLAG: readonly (readonly [Flag, readonly string[]])[] = [
  // What is hosting is told by the AS too.
  ...ANONYMITY_FLAGS.filter((flag) => flag !== "is_hosting").map(
    (flag) => [flag, [`anonymity.${flag}`]] as const,
  ),
  ["vendor_drop", ["information.is_vendor_drop"]],
  ["mail_sender", ["information.is_major_provider_spf_ip"]],
  ["vendor_service", ["information.is_vendor_service"]],
];

const CLOUD_FIELDS = [
  "information.cloud_provider",
  "information.cloud_provider_domain",
  "information.cloud_vendor_service",
];
const EDGE_FIELDS = ["information.edge_service", "information.edge_service_domain"];
const SERVICE_FIELDS = [
  "information.related_service_domain",
  "information.related_service_name",
  "information.related_service_type",
];

function torRoleOf(hits: readonly NetworkHit[]): Anonymity["tor_role"] {
  if (keysOf(hits, "is_tor").length > 0) return "exit";
  return keysOf(hits, "tor_relay").length > 0 ? "relay" : null;
}

type Decided = {
  readonly anonymity: Anonymity;
  readonly cloud: Cloud | null;
  readonly edge: object | null;
};

function unknownOf(input: UsageInput, decided: Decided): string[] {
  const { hits, coverage, asnType, isAsnKnown } = input;
  const { anonymity } = decided;
  const unknown = unknownServices(input, decided);
  for (const [flag, fields] of FIELDS_OF_FLAG) {
    if (!coverage.flags.has(flag) && keysOf(hits, flag).length === 0) unknown.push(...fields);
  }
  if (anonymity.tor_role === null && !coverage.flags.has("tor_relay")) unknown.push("anonymity.tor_role");
  if (!anonymity.is_hosting && !(coverage.flags.has("is_hosting") && isAsnKnown)) {
    unknown.push("anonymity.is_hosting", "information.is_hosting");
  }
  if (!isAsnKnown && !coverage.flags.has("satellite")) unknown.push("information.is_satellite");
  if (addressTypeOf(anonymity.is_hosting, asnType) === "unknown") unknown.push("information.address_type");
  return unknown;
}

/** Services, clouds and edges that could stand in a list which is not there. */
function unknownServices({ hits, coverage }: UsageInput, { cloud, edge }: Decided): string[] {
  const unknown: string[] = [];
  if (coverage.networks === 0) {
    unknown.push(...SERVICE_FIELDS);
    if (cloud === null) unknown.push(...CLOUD_FIELDS);
    if (edge === null) unknown.push(...EDGE_FIELDS);
  } else if (lacksCloudList(hits, coverage)) {
    // A vendor's space with its cloud's list gone: customers' or its own is unknown.
    if (keysOf(hits, "vendor_service").length > 0) unknown.push("information.is_vendor_service");
    if (cloud === null) unknown.push(...CLOUD_FIELDS);
  }
  // The bundled ranges of Amazon do not name the service, so not CloudFront either.
  if (cloud?.provider === AWS && cloud.service === undefined) {
    unknown.push("information.cloud_vendor_service");
    if (edge === null) unknown.push(...EDGE_FIELDS);
  }
  return unknown;
}

/** The list of customers' ranges inside a vendor's whole space, by the name of the service that the space is. */
const CLOUD_LIST_IN: Readonly<Record<string, string>> = {
  Google: "ranges_google_cloud",
  Microsoft: "ranges_azure",
};

const lacksCloudList = (hits: readonly NetworkHit[], { missing }: Coverage): boolean =>
  hits.some(({ network }) => missing.includes(CLOUD_LIST_IN[network?.service?.name ?? ""] ?? ""));
