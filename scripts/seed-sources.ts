/** What the seed is made of: one row per packed file. `scripts/build-seed.ts` turns it into `seed/`. */
export type SeedSource = {
  /** File in seed/, without `.br`. */
  readonly file: string;
  readonly name: string;
  readonly publisher: string;
  readonly licence: string;
  /** Text in seed/licences/, where the licence wants one. */
  readonly licenceText?: string;
  readonly url: string;
  /** Files under the data folder that it is made from, or under `seed/own` for `own:`. */
  readonly from: readonly string[];
  readonly kind: "addresses" | "names" | "hosts" | "ipsum" | "hostport" | "misp" | "polkadot" | "json";
  /** The publisher's own date; else it is read from the file (`misp`: its version). */
  readonly date?: string;
  readonly changes: string;
  /** `accusing` lists lose names of shared services, and sinkholes. */
  readonly fix?: "shared_services" | "sinkholes" | "tor_range" | "azure";
};

/** When the copies of lists that carry no date of their own were taken. */
export const COPIED = "2026-08-22";

const SORTED = "Sorted, doubles dropped, comments dropped.";

const accusing: readonly SeedSource[] = [
  {
    file: "ipsum",
    name: "IPsum",
    publisher: "Miroslav Stampar (stamparm/ipsum)",
    licence: "Unlicense",
    url: "https://github.com/stamparm/ipsum",
    from: ["ipsum/ipsum.txt"],
    kind: "ipsum",
    date: "2026-08-22T01:00:29Z",
    changes: "Addresses on fewer than three lists left out; sorted.",
  },
  {
    file: "maltrail-malware-ips",
    name: "Maltrail malware addresses",
    publisher: "Maltrail developers (stamparm/maltrail)",
    licence: "MIT",
    licenceText: "maltrail.txt",
    url: "https://github.com/stamparm/maltrail",
    from: ["maltrail/malware_ips.txt"],
    kind: "addresses",
    date: "2026-08-23",
    changes: "Half of the publisher's families; known sinkholes and public resolvers taken out; sorted.",
    fix: "sinkholes",
  },
  {
    file: "maltrail-mass-scanner",
    name: "Maltrail mass scanners",
    publisher: "Maltrail developers (stamparm/maltrail)",
    licence: "MIT",
    licenceText: "maltrail.txt",
    url: "https://github.com/stamparm/maltrail",
    from: ["maltrail/mass_scanner.txt"],
    kind: "addresses",
    date: "2026-08-23",
    changes: "Misspelt rows corrected, duplicates dropped, scanners' names kept; sorted.",
  },
  {
    file: "threatfox-ips",
    name: "ThreatFox addresses",
    publisher: "abuse.ch, copy by Wu Tingfeng (elliotwutingfeng/ThreatFox-IOC-IPs)",
    licence: "CC0-1.0 (data), BSD-3-Clause (its collector)",
    url: "https://threatfox.abuse.ch/",
    from: ["threatfox/ips.txt"],
    kind: "addresses",
    date: COPIED,
    changes: SORTED,
  },
  {
    file: "http-threat",
    name: "HTTP Threat Blocklist",
    publisher: "ddrimus (ddrimus/http-threat-blocklist)",
    licence: "MIT",
    licenceText: "http-threat-blocklist.txt",
    url: "https://github.com/ddrimus/http-threat-blocklist",
    from: ["http-threat/blocklist.txt"],
    kind: "addresses",
    date: "2026-08-22T02:00:00Z",
    changes: SORTED,
  },
  {
    file: "phishing-database-ips",
    name: "Phishing.Database addresses",
    publisher: "Phishing.Database contributors",
    licence: "MIT",
    licenceText: "phishing-database.txt",
    url: "https://github.com/Phishing-Database/Phishing.Database",
    from: ["phishing-database/ips.txt"],
    kind: "addresses",
    date: COPIED,
    changes: `A part of the publisher's. ${SORTED}`,
  },
  ...(["http", "socks4", "socks5"] as const).map(
    (protocol): SeedSource => ({
      file: `proxies-${protocol}`,
      name: `Open ${protocol.toUpperCase()} proxies`,
      publisher: "monosans (monosans/proxy-list)",
      licence: "MIT",
      licenceText: "monosans.txt",
      url: "https://github.com/monosans/proxy-list",
      from: [`proxies/${protocol}.txt`],
      kind: "hostport",
      date: COPIED,
      changes: "Sorted.",
    }),
  ),
  {
    file: "maltrail-malware-domains",
    name: "Maltrail malware domains",
    publisher: "Maltrail developers (stamparm/maltrail)",
    licence: "MIT",
    licenceText: "maltrail.txt",
    url: "https://github.com/stamparm/maltrail",
    from: ["maltrail/malware_domains.txt"],
    kind: "names",
    date: "2026-08-23",
    changes: "Half of the publisher's families; names of shared services taken out; sorted.",
    fix: "shared_services",
  },
  {
    file: "phishing-database-domains",
    name: "Phishing.Database domains",
    publisher: "Phishing.Database contributors",
    licence: "MIT",
    licenceText: "phishing-database.txt",
    url: "https://github.com/Phishing-Database/Phishing.Database",
    from: ["phishing-database/domains.txt"],
    kind: "names",
    date: COPIED,
    changes: "A part of the publisher's; names of shared services and broken rows taken out; sorted.",
    fix: "shared_services",
  },
  {
    file: "scamblocklist",
    name: "Scam Blocklist",
    publisher: "DurableNapkin (durablenapkin/scamblocklist)",
    licence: "MIT",
    licenceText: "scamblocklist.txt",
    url: "https://github.com/durablenapkin/scamblocklist",
    from: ["scamblocklist/hosts.txt"],
    kind: "hosts",
    date: COPIED,
    changes: "From hosts format to one name a line; sorted.",
    fix: "shared_services",
  },
  {
    file: "polkadot-phishing",
    name: "polkadot{.js} phishing",
    publisher: "polkadot-js authors and contributors (polkadot-js/phishing)",
    licence: "Apache-2.0",
    licenceText: "apache-2.0.txt",
    url: "https://github.com/polkadot-js/phishing",
    from: ["polkadot/all.json"],
    kind: "polkadot",
    date: COPIED,
    changes: "The deny list without its allow list and without names of shared services, one a line; sorted.",
    fix: "shared_services",
  },
  {
    file: "referrer-spam",
    name: "Referrer spam list",
    publisher: "Matomo and contributors (matomo-org/referrer-spam-list)",
    licence: "public domain",
    url: "https://github.com/matomo-org/referrer-spam-list",
    from: ["referrer-spam/spammers.txt"],
    kind: "names",
    date: COPIED,
    changes: "Names of shared services taken out; sorted.",
    fix: "shared_services",
  },
];

const vpn = (file: string, name: string, from: string, changes: string): SeedSource => ({
  file,
  name,
  publisher: "X4B (X4BNet/lists_vpn)",
  licence: "MIT",
  licenceText: "x4bnet.txt",
  url: "https://github.com/X4BNet/lists_vpn",
  from: [from],
  kind: "addresses",
  date: COPIED,
  changes,
});

/**
 * Published ranges; those with a `6` have an IPv6 file beside the IPv4 one. Where the list is renewed from two documents, it is
 * two lists, and two files here.
 */
const RANGES: readonly (readonly [name: string, families: string, of?: string])[] = [
  ["amazon", "46"],
  ["bing", "4"],
  ["cloudflare", "46"],
  ["digitalocean", "46"],
  ["duckassistbot", "4"],
  ["duckduckbot", "4"],
  ["facebook", "46"],
  ["github", "46"],
  ["google", "46"],
  ["googlebot", "46"],
  ["linode", "46"],
  ["microsoft", "4"],
  ["microsoft-v6", "6", "microsoft"],
  ["openai", "4"],
  ["oracle", "4"],
  ["perplexity", "4"],
  ["pingdom", "4"],
  ["pingdom-v6", "6", "pingdom"],
  ["protonvpn", "4"],
  ["statuscake", "4"],
  ["telegram", "46"],
  ["twitter", "4"],
  ["twitter-v6", "6", "twitter"],
  ["vultr", "46"],
];

/** What GitHub publishes is mostly Azure: its runners may get any address there, as all customers may. Its own hosts there are single addresses. */
const GITHUB: Pick<SeedSource, "changes" | "fix"> = {
  changes:
    "IPv4 and IPv6 in one file; networks of Microsoft's, where runners and strangers are, taken out; sorted.",
  fix: "azure",
};

const ranges = RANGES.map(
  ([name, families, of = name]): SeedSource => ({
    file: `ipranges-${name}`,
    name: `Published ranges: ${name}`,
    publisher: "lord-alfred (lord-alfred/ipranges), from the operators' own publications",
    licence: "CC0-1.0",
    url: "https://github.com/lord-alfred/ipranges",
    from: [...families].map((family) => `ipranges/${of}.ipv${family}_merged.txt`),
    kind: "addresses",
    date: COPIED,
    changes: families === "46" ? "IPv4 and IPv6 in one file; sorted." : "Sorted.",
    ...(name === "github" ? GITHUB : {}),
  }),
);

/** Warninglists by their file's name, with a date where their version is none. */
const WARNINGLISTS: readonly (readonly [string, string?])[] = [
  ["akamai"],
  ["amazon-aws"],
  ["bank-website", COPIED],
  ["bunny-net"],
  ["censys-scanning", COPIED],
  ["cisco_top1000"],
  ["cloudflare"],
  ["dynamic-dns", COPIED],
  ["fastly"],
  ["google-gcp"],
  ["google-gmail-sending-ips"],
  ["google", COPIED],
  ["googlebot"],
  ["icloud-private-relay"],
  ["link-in-bio", COPIED],
  ["lots-project"],
  ["microsoft-azure"],
  ["microsoft-office365-ip"],
  ["openai-gptbot"],
  ["oracle-oci"],
  ["ovh-cluster"],
  ["parking-domain-ns"],
  ["parking-domain"],
  ["shodan-scanning", COPIED],
  ["sinkholes", COPIED],
  ["smtp-receiving-ips"],
  ["smtp-sending-ips"],
  ["stretchoid-nt-scanning", COPIED],
  ["telegram-ips"],
  ["tranco10k"],
  ["umbrella-blockpage-v4"],
  ["url-shortener", COPIED],
];

const warninglists = WARNINGLISTS.map(
  ([name, date]): SeedSource => ({
    file: `misp-${name.replaceAll("_", "-")}`,
    name: `MISP warninglist ${name}`,
    publisher: "MISP project (MISP/misp-warninglists)",
    licence: "CC0-1.0",
    url: `https://github.com/MISP/misp-warninglists/tree/main/lists/${name}`,
    from: [`warninglists/${name}.json`],
    kind: "misp",
    ...(date === undefined ? {} : { date }),
    changes: "From JSON to one entry a line; sorted.",
  }),
);

const json = (
  file: string,
  from: string,
  source: Omit<SeedSource, "file" | "from" | "kind">,
): SeedSource => ({
  file,
  from: [from],
  kind: "json",
  ...source,
});

const registries: readonly SeedSource[] = [
  json("whois-tld", "whois/tld.json", {
    name: "WHOIS server per TLD",
    publisher: "Simone Carletti (weppos/whois)",
    licence: "MIT",
    licenceText: "whois.txt",
    url: "https://github.com/weppos/whois",
    date: "2025-10-15T09:25:00Z",
    changes: "Blanks dropped.",
  }),
  ...(
    [
      ["asn", "2016-09-08T18:00:00Z"],
      ["dns", "2024-04-24T18:00:02Z"],
      ["ipv4", "2015-08-11T00:09:31Z"],
      ["ipv6", "2016-03-22T15:40:01Z"],
    ] as const
  ).map(([registry, date]) =>
    json(`rdap-${registry}`, `rdap/${registry}.json`, {
      name: `RDAP bootstrap: ${registry}`,
      publisher: "IANA",
      licence: "facts of a public registry",
      url: "https://data.iana.org/rdap/",
      date,
      changes: "Blanks dropped.",
    }),
  ),
];

/** Every file of the seed. */
export const seedSources: readonly SeedSource[] = [
  ...accusing,
  {
    ...vpn(
      "x4bnet-vpn",
      "VPN networks",
      "vpn/vpn.ipv4.txt",
      "The Tor range 185.220.100.0/22 taken out; sorted.",
    ),
    fix: "tor_range",
  },
  vpn("x4bnet-vpn-v6", "VPN networks, IPv6", "vpn/vpn.ipv6.txt", "Sorted."),
  vpn("x4bnet-datacenter", "Data-centre networks", "vpn/datacenter.ipv4.txt", "Sorted."),
  vpn("x4bnet-datacenter-v6", "Data-centre networks, IPv6", "vpn/datacenter.ipv6.txt", "Sorted."),
  ...ranges,
  ...warninglists,
  {
    file: "disposable-email",
    name: "Disposable mailbox domains",
    publisher: "disposable-email-domains contributors",
    licence: "CC0-1.0",
    url: "https://github.com/disposable-email-domains/disposable-email-domains",
    from: ["disposable/disposable_email_blocklist.conf"],
    kind: "names",
    date: COPIED,
    changes: "Sorted.",
  },
  {
    file: "free-mail",
    name: "Free mailbox providers",
    publisher: "Will White (freemail), corrected by Repute",
    licence: "ISC",
    licenceText: "freemail.txt",
    url: "https://www.npmjs.com/package/freemail",
    from: ["own:free-mail.txt"],
    kind: "names",
    date: "2026-11-21",
    changes: "Throwaway domains and forwarding aliases taken out, missing providers added; sorted.",
  },
  {
    file: "public-dns",
    name: "Public DNS resolvers",
    publisher: "Repute",
    licence: "Apache-2.0",
    url: "seed/own/public-dns.txt",
    from: ["own:public-dns.txt"],
    kind: "addresses",
    date: "2026-11-21",
    changes: "Written by hand.",
  },
  ...registries,
];
