import { readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { z } from "zod";
import { parseJson } from "../../base/parse-json.ts";
import { WHOIS_PORT, type WhoisServer } from "../../net/whois/whois.ts";

/** A server, and whether the operator named it; the guard applies to all others. */
export type KnownServer = { readonly server: WhoisServer; readonly isOperatorsWord: boolean };

/** Which servers may be asked. */
export type WhoisServers = {
  /** By `whois.servers`, then by the bundled table's longest suffix; null when neither knows one. */
  readonly of: (domain: string) => KnownServer | null;
  /**
   * The server that an answer refers to: a host name alone, or with port 43; another port or an address only when
   * `whois.servers` has it. Null for everything else, such as `rwhois://`. Source: security P23.
   */
  readonly referred: (text: string) => KnownServer | null;
};

const tableSchema = z.record(
  z.string(),
  z.object({ host: z.string().optional(), adapter: z.string().optional() }),
);

/** LDH labels, two or more, the last no number. */
const HOST_NAME =
  /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/;

/**
 * The servers of the operator's `whois.servers` (TLD to host[:port]) and of the table bundled in the seed (weppos/whois),
 * which is read at the first question; that throws when the seed is damaged.
 */
export function readWhoisServers(
  configured: Readonly<Record<string, string>>,
  seedDir: string,
): WhoisServers {
  let read: WhoisServers | null = null;
  const servers = (): WhoisServers => {
    read ??= createWhoisServers(configured, readBundled(seedDir));
    return read;
  };
  return { of: (domain) => servers().of(domain), referred: (text) => servers().referred(text) };
}

/** As `readWhoisServers`, with the bundled table as suffix to host. */
export function createWhoisServers(
  configured: Readonly<Record<string, string>>,
  bundled: ReadonlyMap<string, string>,
): WhoisServers {
  const operators = new Map(Object.entries(configured).map(([tld, text]) => [tld, serverOf(text)] as const));
  const words = [...operators.values()];
  return {
    of: (domain) => {
      const server = operators.get(tldOf(domain));
      if (server !== undefined) return { server, isOperatorsWord: true };
      for (const suffix of suffixesOf(domain)) {
        const host = bundled.get(suffix);
        if (host !== undefined) return { server: { host, port: WHOIS_PORT }, isOperatorsWord: false };
      }
      return null;
    },
    referred: (text) => {
      const server = serverOf(text.trim().toLowerCase().slice(0, 300));
      if (words.some((word) => isSame(word, server))) return { server, isOperatorsWord: true };
      const isTaken = server.port === WHOIS_PORT && HOST_NAME.test(server.host);
      return isTaken ? { server, isOperatorsWord: false } : null;
    },
  };
}

/** Whether two are one server, by their names. */
export const isSame = (a: WhoisServer, b: WhoisServer): boolean => a.host === b.host && a.port === b.port;

/** The last label. */
export const tldOf = (domain: string): string => domain.slice(domain.lastIndexOf(".") + 1);

/** `host`, `host:port`, `[v6]:port`; what is none of them comes out as a host that no pattern takes. */
function serverOf(text: string): WhoisServer {
  const [, v6, name, port] = /^(?:\[([^\]]+)\]|([^:/]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  return {
    host: (v6 ?? name ?? text).replace(/\.$/, ""),
    port: port === undefined ? WHOIS_PORT : Number(port),
  };
}

function suffixesOf(domain: string): string[] {
  const labels = domain.split(".");
  return labels.slice(1).map((_, i) => labels.slice(i + 1).join("."));
}

function readBundled(seedDir: string): ReadonlyMap<string, string> {
  const packed = readFileSync(join(seedDir, "whois-tld.br"));
  const table = tableSchema.parse(parseJson(brotliDecompressSync(packed).toString("utf8")));
  const hosts = new Map<string, string>();
  for (const [suffix, { host, adapter }] of Object.entries(table)) {
    // Adapter `none`: the publisher knows that nothing answers there.
    if (host !== undefined && adapter !== "none" && HOST_NAME.test(host)) hosts.set(suffix, host);
  }
  return hosts;
}
