import type { ToolPage } from "../api/types.gen.ts";

export type ToolName = ToolPage["tool"];

/** What a person reads about a tool. */
export type Tool = {
  readonly name: ToolName;
  /** In the row of tools. */
  readonly word: string;
  readonly title: string;
  readonly lead: string;
  readonly label: string;
  readonly example: string;
  /** What an account sees beside the free report. */
  readonly full: string;
  /** Free endpoint, null where the page alone is free; and the member of its body. */
  readonly path: string | null;
  readonly field: string;
};

export const TOOLS: readonly Tool[] = [
  {
    name: "ip",
    word: "IP",
    title: "IP address check",
    lead: "Which blacklists name an address, whose network it is in, and whether it is a Tor exit, a VPN or a proxy.",
    label: "IPv4 or IPv6 address",
    example: "8.8.8.8",
    full: "every engine with its reason and age, the points behind the score, abuse contact, route and cloud",
    path: "/api/free/check-ip",
    field: "ip",
  },
  {
    name: "domain",
    word: "Domain",
    title: "Domain check",
    lead: "Which blacklists name a domain or host, how old it is, and its risk score.",
    label: "Domain or host name",
    example: "example.com",
    full: "DNS and mail security, registration, certificate, what it imitates, and the points behind the score",
    path: "/api/free/domain-check",
    field: "domain",
  },
  {
    name: "url",
    word: "URL",
    title: "URL check",
    lead: "Which blacklists name a link or its host. The page itself is fetched only for accounts.",
    label: "URL with http:// or https://",
    example: "https://example.com/login",
    full: "the page itself: redirects, certificate, forms, files, what it loads from elsewhere, and over seventy checks",
    path: null,
    field: "url",
  },
  {
    name: "email",
    word: "E-mail",
    title: "E-mail address check",
    lead: "Whether an address is well formed, and whether it is a throwaway mailbox or at a free provider.",
    label: "E-mail address",
    example: "jane.doe@example.com",
    full: "mail servers and their reputation, SPF and DMARC, aliases and role addresses, and a suggestion for typing errors",
    path: "/api/free/email-check",
    field: "email",
  },
  {
    name: "dns",
    word: "DNS",
    title: "DNS lookup",
    lead: "The records of a name, or the name of an address, asked for now.",
    label: "Name or IP address",
    example: "example.com",
    full: "sixteen record types at once, every record, and how each question ended",
    path: "/api/free/dns-lookup",
    field: "domain",
  },
  {
    name: "whois",
    word: "WHOIS",
    title: "WHOIS lookup",
    lead: "Who registered a domain, or holds a network or an AS number, by the registry's own answer.",
    label: "Domain, IP address, network or AS number",
    example: "AS15169",
    full: "dates, contacts, status, name servers, DNSSEC, and which server said so",
    path: "/api/free/whois-lookup",
    field: "query",
  },
];

/** A tool by its name. */
export function toolOf(name: ToolName): Tool {
  const tool = TOOLS.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`There is no tool ${name}`);
  return tool;
}
