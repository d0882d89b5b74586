import { CONSUMER_LINES } from "../../api/consumer-lines.gen.ts";
import type { Shapes } from "../../api/types.gen.ts";

export type Export = Shapes["OwnExportsView"]["exports"][number];

/** Characters of a name beside `list_` in a set's name: those of ipset have 31, with the version and `-new` behind. */
const MAX_NAME = 19;

/** Six digits of base 36: two names that differ have the same once in 2,000 million. */
const checksum = (text: string): string =>
  [...text]
    .reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 36 ** 6, 0)
    .toString(36)
    .padStart(6, "0");

/**
 * An export's name as a part of a variable, a set, a table or a key: 19 of a-z, 0-9 and `_` at most. Where it is not the name itself, since
 * that has a hyphen or is too long, it ends with the name's checksum: `edge-two` and `edge_two` stay two.
 */
const labelOf = (name: string): string => {
  const label = name.replaceAll("-", "_");
  return label === name && name.length <= MAX_NAME
    ? name
    : `${label.slice(0, MAX_NAME - 7)}_${checksum(name)}`;
};

/** Blocks of docs/consumers, for another export than its `edge`, its `second` and its `never-block`. */
const pasted = (marks: readonly (keyof typeof CONSUMER_LINES)[], name: string): readonly string[] =>
  marks.map((mark) =>
    ["edge", "second", "never-block"]
      .flatMap((shown) =>
        [" ", "/", "'"].map((before) => [`${before}${shown}.`, `${before}${name}.`] as const),
      )
      .reduce<string>((lines, [shown, own]) => lines.replaceAll(shown, own), CONSUMER_LINES[mark])
      .replaceAll("repute_edge.", `repute_${name}.`)
      .replaceAll("list_second", `list_${labelOf(name)}`),
  );

export const SHELL = "As root:";

export type Recipe = {
  readonly consumer: string;
  readonly format: string;
  /** Lines for the program; `origin` for those that fetch by themselves. */
  readonly use: (file: string, origin: string, name: string, target: Export["target"]) => readonly string[];
  /** Where its lines go; absent: to the shell, where they fetch too. */
  readonly place?: string;
  readonly fetchesItself?: boolean;
  /** What has the program read a new file; absent: it sees it by itself. */
  readonly read?: (file: string, name: string) => string;
  /** Where its lines fetch, and put back what something else took away: what does so every hour. */
  readonly hourly?: (name: string) => readonly string[];
  /** Of the format. */
  readonly options?: string;
  /** What its lines are about, where the format would hold others too. */
  readonly target?: Export["target"];
  /** Only where there is another export that the machine may block by as well. */
  readonly isBesideAnother?: boolean;
};

/** How another Repute rates what it reads, unless its owner says otherwise: as the first one's commonest entries. */
const RATED: Readonly<Record<Export["target"], string>> = {
  ip: "attack",
  domain: "phishing",
  url: "phishing",
  email: "spam",
};

/** Of a list in the configuration of another Repute; `aggregate`: it is made from lists that the other one may have too. */
const ofAnotherRepute = (section: "feeds" | "allowlists"): Recipe => ({
  consumer: "Another Repute",
  format: "ndjson",
  place: "In the configuration of the other one, with your token for TOKEN:",
  fetchesItself: true,
  use: (_, origin, name, target) => [
    `# ${section === "feeds" ? "engines: feeds:" : "allowlists:"}, and under engines: keys: { first: TOKEN }`,
    `- { key: first_${labelOf(name)}, format: repute, target: ${target}, url: "${origin}/api/exports/${name}.ndjson", auth: { key: first, header: X-API-Key }${section === "feeds" ? `, category: ${RATED[target]}, confidence: high, aggregate: true` : ""} }`,
  ],
});

/** A file that was lost is to be refused, not passed over. */
const squidLines = (acl: string, values: string): readonly string[] => [
  ...["configuration_includes_quoted_values on", `acl ${acl} ${values}`],
  ...["configuration_includes_quoted_values off", `http_access deny ${acl}`],
];

export const RECIPES: readonly Recipe[] = [
  {
    consumer: "nftables",
    format: "nft",
    hourly: (name) => pasted(["nftables-hourly"], name),
    use: (_, __, name) => pasted(["nftables-rules", "nftables-script", "nftables-load"], name),
  },
  {
    consumer: "nftables, beside another export",
    format: "nft",
    isBesideAnother: true,
    hourly: (name) => pasted(["nftables-second-hourly"], name),
    use: (_, __, name) => pasted(["nftables-second"], name),
  },
  {
    consumer: "ipset",
    format: "ipset",
    hourly: (name) => pasted(["ipset-hourly"], name),
    use: (_, __, name) => pasted(["ipset-load", "ipset-script", "ipset-rules"], name),
  },
  {
    consumer: "ipset, beside another export",
    format: "ipset",
    isBesideAnother: true,
    hourly: (name) => pasted(["ipset-second-hourly"], name),
    use: (_, __, name) => pasted(["ipset-second"], name),
  },
  {
    consumer: "pf",
    format: "txt",
    target: "ip",
    read: (file, name) => `pfctl -q -t repute_${labelOf(name)} -T replace -f ${file}`,
    place: "In pf.conf:",
    use: (file, _, name) => [
      `table <repute_${labelOf(name)}> persist file "${file}"`,
      `block drop in quick from <repute_${labelOf(name)}>`,
    ],
  },
  {
    consumer: "HAProxy",
    format: "txt",
    target: "ip",
    read: () => "systemctl reload haproxy",
    place: "In a frontend of haproxy.cfg:",
    use: (_, __, name) => pasted(["haproxy-acl"], name),
  },
  {
    consumer: "nginx",
    format: "nginx",
    options: "?as=geo",
    read: () => "sh -c 'nginx -t -q && nginx -s reload'",
    place: "In the configuration of nginx:",
    use: (file, _, name) => [
      `geo $repute_${labelOf(name)} { default 0; include ${file}; }   # in http`,
      `if ($repute_${labelOf(name)}) { return 403; }   # in each server`,
    ],
  },
  {
    consumer: "Apache",
    format: "apache",
    read: () => "sh -c 'apachectl configtest && apachectl graceful'",
    place: "In the configuration of Apache:",
    use: (file) => [
      ...['<Location "/">', "  AuthMerging And", "  <RequireAll>", "    Require all granted"],
      ...[`    Include ${file}`, "  </RequireAll>", "</Location>"],
    ],
  },
  {
    consumer: "Postfix",
    format: "postfix",
    read: () => "postfix reload",
    place: "In main.cf; where it has such a line already, add to that, since the last one alone counts:",
    use: (file) => [
      `smtpd_client_restrictions = permit_mynetworks, permit_sasl_authenticated, check_client_access cidr:${file}`,
    ],
  },
  {
    consumer: "FortiGate, OPNsense, pfSense",
    format: "txt",
    target: "ip",
    fetchesItself: true,
    place: "As the address of the list, with your token for TOKEN:",
    use: (_, origin, name) => [`${origin}/x/TOKEN/${name}.txt`],
  },
  {
    consumer: "PAN-OS",
    format: "edl",
    fetchesItself: true,
    place: "As the source of an external dynamic list, with your token for TOKEN:",
    use: (_, origin, name) => [`${origin}/x/TOKEN/${name}.edl`],
  },
  {
    consumer: "MikroTik",
    format: "rsc",
    fetchesItself: true,
    place: "At the terminal of RouterOS, with your token for TOKEN:",
    use: (_, origin, name) => [
      `/tool/fetch url="${origin}/x/TOKEN/${name}.rsc" dst-path=repute.rsc`,
      "/import repute.rsc",
    ],
  },
  {
    consumer: "BIND",
    format: "rpz",
    read: (file) => `rndc reload ${file.slice(file.lastIndexOf("/") + 1)}`,
    place:
      "In named.conf, the first line inside options; where it has a response-policy already, add the zone to that:",
    use: (file, _, name) => [
      `response-policy { zone "${name}.rpz"; } qname-wait-recurse no;`,
      `zone "${name}.rpz" { type primary; file "${file}"; allow-query { none; }; };`,
    ],
  },
  {
    consumer: "Unbound",
    format: "rpz",
    read: (file) => `unbound-control auth_zone_reload ${file.slice(file.lastIndexOf("/") + 1)}`,
    place: "In unbound.conf:",
    use: (file, _, name) => [
      ...["server:", '  module-config: "respip validator iterator"'],
      ...["rpz:", `  name: ${name}.rpz`, `  zonefile: ${file}`],
    ],
  },
  {
    consumer: "PowerDNS Recursor",
    format: "rpz",
    read: () => "sh -c 'rec_control reload-lua-config && rec_control wipe-cache \"$\"'",
    place: "In the file that lua-config-file names:",
    use: (file) => [`rpzFile("${file}")`],
  },
  {
    // Of what is listed by address it takes nothing.
    consumer: "Knot Resolver",
    format: "rpz",
    target: "domain",
    place: "In kresd.conf:",
    use: (file) => [`policy.add(policy.rpz(policy.DENY, '${file}', true))`],
  },
  {
    consumer: "dnsmasq",
    format: "dnsmasq",
    read: () => "pkill -HUP -x dnsmasq",
    place: "In dnsmasq.conf, which takes one servers-file and no second:",
    use: (file) => [`servers-file=${file}`],
  },
  {
    consumer: "Pi-hole",
    format: "hosts",
    fetchesItself: true,
    place: "As the address of a list, with your token for TOKEN:",
    use: (_, origin, name) => [`${origin}/x/TOKEN/${name}.hosts`],
  },
  {
    consumer: "AdGuard Home",
    format: "adblock",
    fetchesItself: true,
    place: "As the address of a DNS blocklist, with your token for TOKEN:",
    use: (_, origin, name) => [`${origin}/x/TOKEN/${name}.adblock`],
  },
  {
    consumer: "rspamd",
    format: "txt",
    target: "ip",
    place: "In local.d/multimap.conf:",
    use: (file, _, name) => [
      `REPUTE_${labelOf(name).toUpperCase()} { type = "ip"; map = "${file}"; score = 8.0; }`,
    ],
  },
  {
    consumer: "Squid",
    format: "txt",
    target: "ip",
    read: () => "squid -k reconfigure",
    place: "In squid.conf, before its other http_access lines:",
    use: (file, _, name) => squidLines(`repute_${labelOf(name)}`, `dst parameters("${file}")`),
  },
  {
    consumer: "Squid",
    format: "txt",
    target: "domain",
    options: "?below=1",
    read: () => "squid -k reconfigure",
    place: "In squid.conf, before its other http_access lines:",
    use: (file, _, name) => squidLines(`repute_${labelOf(name)}`, `dstdomain -n parameters("${file}")`),
  },
  ...(
    [
      ["rbl4", "bl", "ip4trie"],
      ["rbl6", "bl", "ip6trie"],
      ["rbldom", "dbl", "dnset"],
    ] as const
  ).map(
    ([format, zone, type]): Recipe => ({
      consumer: format === "rbl6" ? "rbldnsd, IPv6" : "rbldnsd",
      format,
      place: "As one more argument of rbldnsd:",
      use: (file) => [`${zone}.example:${type}:${file}`],
    }),
  ),
  {
    consumer: "Splunk",
    format: "csv",
    hourly: (name) => pasted(["splunk-load"], name),
    use: (_, __, name) => pasted(["splunk-load"], name),
  },
  {
    consumer: "Elastic",
    format: "ndjson",
    target: "ip",
    hourly: (name) => pasted(["elastic-load"], name),
    use: (_, __, name) => pasted(["elastic-key", "elastic-script", "elastic-load"], name),
  },
  {
    consumer: "Graylog",
    format: "csv",
    fetchesItself: true,
    place: "As the address of a data adapter, DSV File from HTTP, with your token for TOKEN:",
    use: (_, origin, name) => [`${origin}/x/TOKEN/${name}.csv`],
  },
  ofAnotherRepute("feeds"),
];

/** What is published is let through before anything is blocked. */
export const ALLOW_RECIPES: readonly Recipe[] = [
  {
    consumer: "nftables",
    format: "nft",
    read: (file) => `nft -f ${file}`,
    place: 'In /etc/repute/rules.nft, before the first "add rule"; then run repute-nftables:',
    use: () => [CONSUMER_LINES["nftables-allow"]],
  },
  {
    consumer: "ipset",
    format: "ipset",
    hourly: (name) => [`repute-fetch ${name}.ipset ipset restore -f /etc/repute/${name}.ipset`],
    use: (_, __, name) => pasted(["ipset-allow"], name),
  },
  {
    consumer: "fail2ban",
    format: "txt",
    place: "In jail.local, once below [DEFAULT]:",
    use: (file) => [`ignorecommand = echo <ip> | grepcidr -f ${file} >/dev/null`],
  },
  {
    consumer: "HAProxy",
    format: "txt",
    read: () => "systemctl reload haproxy",
    place: "In a frontend of haproxy.cfg, in place of the line that denies by the list:",
    use: (_, __, name) => pasted(["haproxy-allow"], name),
  },
  ofAnotherRepute("allowlists"),
];
