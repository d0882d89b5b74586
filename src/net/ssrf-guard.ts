import { z } from "zod";
import type { Unavailable } from "../base/failure.ts";
import { type Cidr, cidrContains, parseCidr, readCidr } from "../targets/cidr.ts";
import { type Ip, type Ipv6Words, ipv4Of } from "../targets/ip.ts";
import { specialPurposeOf } from "../targets/special-purpose.ts";

const FORBIDDEN_REASONS = ["private_address", "forbidden_port", "self"] as const;

/** Why an address may not be reached; the words of `fetch.blocked_reason` (design 7.5). */
export type ForbiddenReason = (typeof FORBIDDEN_REASONS)[number];

/** The ForbiddenReason for which a connection was refused; null when it failed for another reason. */
export const refusalOf = ({ code }: Unavailable): ForbiddenReason | null =>
  FORBIDDEN_REASONS.find((word) => word === code) ?? null;

/** Addresses (one, or a network of the machine's own such as 127.0.0.0/8) under which a port leads to the service. */
export type OwnEndpoint = { readonly network: Cidr; readonly port: number };

export type GuardRules = {
  /** Networks that the operator opened, all ports above 0 included (`fetch.allow_networks`). */
  readonly allowNetworks: readonly Cidr[];
  /** Where the service itself listens; never opened by a network. */
  readonly self: readonly OwnEndpoint[];
  /** Addresses of this machine, forbidden on every port unless a network of `allowNetworks` opens them. */
  readonly ownNetworks: readonly Cidr[];
  /** Ports allowed beyond 80, 443 and those above 1023: 43 of a WHOIS referral, 25 of an SMTP check. */
  readonly extraPorts?: readonly number[];
};

/** Services above 1023 that answer every connection: NFS, MySQL, RDP, PostgreSQL, Redis, Elasticsearch, memcached, MongoDB. */
const FORBIDDEN_PORTS = new Set([2049, 3306, 3389, 5432, 6379, 9200, 11211, 27017]);
const WEB_PORTS = new Set([80, 443]);
/** Azure's host endpoint hands out metadata and certificates as 169.254.169.254 does, on a global address. */
const METADATA_OUTSIDE_BOGONS = new Set([0xa83f8110]); // 168.63.129.16

/**
 * Why a connection to this address and port is forbidden when a caller's target led there, or null.
 * Decides on numbers: the address itself, and every IPv4 address inside it (compatible, NAT64, 6to4,
 * Teredo server and client, ISATAP; mapped ones are IPv4 since they were parsed). What is neither
 * 2000::/3 nor global IPv4 is refused. So is every address of this machine, on every port, because a firewall in front
 * of it does not filter connections from inside. A network that the operator opened opens the address itself, not a
 * private one inside it. Source: security P1, design 7.5.
 */
export function forbiddenReason(ip: Ip, port: number, rules: GuardRules): ForbiddenReason | null {
  if (!Number.isInteger(port) || port < 1 || port > 65535) return "forbidden_port";
  const isOpened = (address: Ip) => isIn(address, rules.allowNetworks);
  const addresses = [ip, ...innerAddresses(ip)];
  if (addresses.some((address) => isSelf(address, port, rules.self))) return "self";
  if (!addresses.every((address) => isOpened(address) || isGlobal(address))) return "private_address";
  if (addresses.some((address) => isIn(address, rules.ownNetworks) && !isOpened(address))) return "self";
  return isOpened(ip) || isAllowedPort(port, rules.extraPorts ?? []) ? null : "forbidden_port";
}

const isAllowedPort = (port: number, extraPorts: readonly number[]): boolean =>
  WEB_PORTS.has(port) || extraPorts.includes(port) || (port > 1023 && !FORBIDDEN_PORTS.has(port));

const isIn = (ip: Ip, networks: readonly Cidr[]): boolean =>
  networks.some((network) => cidrContains(network, ip));

const isSelf = (ip: Ip, port: number, self: readonly OwnEndpoint[]): boolean =>
  self.some((own) => own.port === port && cidrContains(own.network, ip));

function isGlobal(ip: Ip): boolean {
  if (ip.version === "v4") return specialPurposeOf(ip) === null && !METADATA_OUTSIDE_BOGONS.has(ip.value);
  const purpose = specialPurposeOf(ip);
  return ip.words[0] >>> 29 === 1 && !(purpose?.isBogon ?? false);
}

/** IPv4 addresses that an IPv6 address carries, wherever some machine on the way may unwrap it. */
function innerAddresses(ip: Ip): Ip[] {
  return ip.version === "v4" ? [] : innerValues(ip.words).map(ipv4Of);
}

function innerValues([first, second, third, fourth]: Ipv6Words): number[] {
  // Compatible ::/96 (RFC 4291, 2.5.5.1), save :: and ::1, which are refused as they are.
  if (first === 0 && second === 0 && third === 0) return fourth > 1 ? [fourth] : [];
  // NAT64: 64:ff9b::/96 (RFC 6052) and the local 64:ff9b:1::/48 (RFC 8215).
  if (first === 0x0064ff9b) return [fourth];
  const values: number[] = [];
  if (first === 0x20010000) values.push(second, ~fourth); // Teredo (RFC 4380): server, client inverted
  if (first >>> 16 === 0x2002) values.push((first << 16) | (second >>> 16)); // 6to4 (RFC 3056)
  // ISATAP (RFC 5214): interface id 0000:5efe or 0200:5efe, then the address.
  if ((third & 0xfcffffff) >>> 0 === 0x5efe) values.push(fourth);
  return values;
}

const networkSchema = z
  .string()
  .refine(
    (text) => readCidr(text) !== null,
    "Expected a network such as 10.0.0.0/8 or fd00::/8, host bits zero",
  );

/** The `fetch` section of the configuration file. Source: operating.md, design 15. */
export const fetchOptionsSchema = z.strictObject({
  allow_networks: z
    .array(networkSchema)
    .default([])
    .describe("Private networks and addresses of this machine (CIDR) that lookups may reach, on all ports"),
  ca_file: z
    .string()
    .min(1)
    .nullable()
    .default(null)
    .describe("File of further trusted certificate authorities (PEM), also for the mail server and Valkey"),
  timeout_ms: z
    .int()
    .min(100)
    .max(60_000)
    .default(10_000)
    .describe("Time for one fetch: resolution, connection, redirects and body together, in milliseconds"),
  max_bytes: z
    .int()
    .min(1024)
    .max(64 * 1024 * 1024)
    .default(5_242_880)
    .describe("Decoded bytes of a body after which a fetch stops"),
  user_agent: z
    .string()
    .regex(/^[\x20-\x7e]{1,256}$/, "Expected 1 to 256 printable ASCII characters")
    .optional()
    .describe("User agent of page fetches; default: that of a current desktop browser"),
});

export type FetchOptions = z.infer<typeof fetchOptionsSchema>;

/** The networks of `fetch.allow_networks`. Throws InvalidValue at one that is none. */
export const allowedNetworks = (texts: readonly string[]): readonly Cidr[] => texts.map(parseCidr);
