import { getServers } from "node:dns";
import { z } from "zod";
import { InvalidValue } from "../../base/failure.ts";
import { readIp } from "../../targets/ip.ts";
import { queryName } from "./dns-message.ts";

/** A resolver's address. */
export type DnsServer = {
  readonly host: string;
  readonly port: number;
  readonly family: 4 | 6;
  /** `127.0.0.1:53`, `[::1]:53`. */
  readonly text: string;
};

/**
 * A resolver as the operator writes it: `ip`, `ip:port`, `[v6]`, `[v6]:port`; the port is 53 when absent.
 * Refuses (InvalidValue) names: resolving them would need a resolver.
 */
export function parseServer(text: string): DnsServer {
  const server = readServer(text);
  if (server !== null) return server;
  throw new InvalidValue("invalid_server", `"${text}" is not "ip", "ip:port" or "[v6]:port"`);
}

function readServer(text: string): DnsServer | null {
  const bracketed = /^\[([^\]]+)\](?::(\d{1,5}))?$/.exec(text);
  const withPort = /^([\d.]+):(\d{1,5})$/.exec(text);
  const [, address = text, port = "53"] = bracketed ?? withPort ?? [];
  if (bracketed && !address.includes(":")) return null;
  // A zone id stays with a link-local resolver, as systems name them: fe80::1%eth0.
  const [bare = "", zone] = address.split(/(%[\w.-]{1,32})$/);
  const ip = readIp(bare);
  const number = Number(port);
  if (ip === null || number < 1 || number > 65535 || (zone !== undefined && ip.version === "v4")) return null;
  const host = ip.text + (zone ?? "");
  return ip.version === "v4"
    ? { host, port: number, family: 4, text: `${host}:${number}` }
    : { host, port: number, family: 6, text: `[${host}]:${number}` };
}

/** The system's resolvers, as the platform's resolver library read them; what cannot be parsed is left out. */
export const systemServers = (): DnsServer[] =>
  getServers()
    .map(readServer)
    .filter((server) => server !== null);

const serverSchema = z
  .string()
  .refine((text) => readServer(text) !== null, 'Expected a resolver as "ip", "ip:port" or "[v6]:port"');

const nameSchema = z
  .string()
  .refine((text) => (queryName(text) ?? "") !== "", "Expected a host name in ASCII");

/** The `dns` section of the configuration file. Source: operating.md. */
export const dnsOptionsSchema = z.strictObject({
  servers: z
    .array(serverSchema)
    .default([])
    .describe('Resolvers as "ip", "ip:port" or "[v6]:port"; default: those of the system'),
  timeout_ms: z
    .int()
    .min(50)
    .max(60_000)
    .default(2000)
    .describe("Time for one question, a retry at the next resolver included, in milliseconds"),
  dnsbl_servers: z
    .array(serverSchema)
    .default([])
    .describe("Resolvers for blacklist zones; default: those of dns.servers"),
  probe: z
    .boolean()
    .default(true)
    .describe(
      "Whether the resolvers are asked, at start and every ten minutes, for names that exist and for some that do not; " +
        "untrue answers make DNS facts unknown",
    ),
  probe_names: z
    .array(nameSchema)
    .max(8)
    .default([])
    .describe(
      "Names with an address or name servers that the resolvers must know; default: com and org. For networks with a " +
        "root of their own",
    ),
});

export type DnsConfiguration = z.infer<typeof dnsOptionsSchema>;
