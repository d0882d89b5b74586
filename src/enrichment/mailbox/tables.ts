import { fileURLToPath } from "node:url";
import { z } from "zod";
import { readPackaged } from "../../yaml/packaged-yaml.ts";
import { skeletonOf } from "../domain-names/skeleton.ts";

const names = z.array(z.string()).min(1);

const mailTablesSchema = z.strictObject({
  checked: z.iso.date(),
  relays: z.array(z.strictObject({ provider: z.string(), domains: names })),
  mailboxes: z.array(z.strictObject({ domains: names, dots: z.boolean(), tag: z.string().min(1) })),
  common_domains: names,
  typos: z.record(z.string(), z.string()),
  hosts: z.array(z.strictObject({ provider: z.string(), suffixes: names })),
  throwaway_hosts: names,
});

/** How a provider reads a local part. */
type MailboxRule = { readonly dots: boolean; readonly tag: string };

/** The hand-written tables of `catalogue/mail.yaml`, by name. */
export type MailTables = {
  readonly relayOf: (domain: string) => string | null;
  readonly ruleOf: (domain: string) => MailboxRule | null;
  readonly commonDomains: readonly string[];
  /** The common domain with a skeleton (`skeletonOf`). */
  readonly commonLike: (skeleton: string) => string | null;
  readonly typoOf: (domain: string) => string | null;
  /** Who runs a mail host. */
  readonly providerOf: (host: string) => string | null;
  readonly isThrowawayHost: (host: string) => boolean;
};

/** Reads the tables. Throws when the file does not fit its schema. */
export function loadMailTables(): MailTables {
  const path = fileURLToPath(new URL("../catalogue/mail.yaml", import.meta.url));
  const tables = readPackaged(path, mailTablesSchema);
  const relays = new Map(
    tables.relays.flatMap(({ provider, domains }) => domains.map((name) => [name, provider])),
  );
  const rules = new Map(
    tables.mailboxes.flatMap(({ domains, ...rule }) => domains.map((name) => [name, rule])),
  );
  const hosts = new Map(
    tables.hosts.flatMap(({ provider, suffixes }) => suffixes.map((name) => [name, provider])),
  );
  const throwaway = new Map(tables.throwaway_hosts.map((name) => [name, true]));
  const common = new Map(tables.common_domains.map((name) => [skeletonOf(name), name]));
  const typos = new Map(Object.entries(tables.typos));
  return {
    relayOf: (domain) => ofNearest(relays, domain),
    ruleOf: (domain) => rules.get(domain) ?? null,
    commonDomains: tables.common_domains,
    commonLike: (skeleton) => common.get(skeleton) ?? null,
    typoOf: (domain) => typos.get(domain) ?? null,
    providerOf: (host) => ofNearest(hosts, host),
    isThrowawayHost: (host) => ofNearest(throwaway, host) !== null,
  };
}

/** The value of the name itself or of its nearest parent. */
function ofNearest<T>(table: ReadonlyMap<string, T>, name: string): T | null {
  for (let rest = name; rest !== ""; ) {
    const value = table.get(rest);
    if (value !== undefined) return value;
    const dot = rest.indexOf(".");
    rest = dot < 0 ? "" : rest.slice(dot + 1);
  }
  return null;
}
