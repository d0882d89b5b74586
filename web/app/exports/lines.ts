import type { Shapes } from "../../api/types.gen.ts";
import { noteOf } from "./notes.ts";

export type Export = Shapes["OwnExportsView"]["exports"][number];

/** Lines to paste for one consumer. */
export type ConsumerLines = {
  readonly consumer: string;
  readonly format: string;
  readonly lines: string;
  /** How often, what happens while Repute is away, and the page that says the rest. */
  readonly note: string;
};

/**
 * Fetches to another name first: the old file stays where a fetch fails, or a proxy between answers in place of Repute. A token takes
 * one file in ten seconds, so curl tries again.
 */
const fetchLine = (url: string, file: string): string =>
  `head=$(curl -fsS --compressed --retry 3 -H "X-API-Key: $TOKEN" -D - -o ${file}.new '${url}') && echo "$head" | grep -qi '^x-export-generation:' && [ -s ${file}.new ] && mv ${file}.new ${file}`;

type Recipe = {
  readonly consumer: string;
  readonly format: string;
  /** Lines after the file is there; `url` for consumers that fetch by themselves. */
  readonly use: (file: string, origin: string, name: string, target: Export["target"]) => readonly string[];
  readonly fetchesItself?: boolean;
  /** Of the format. */
  readonly options?: string;
  /** What its lines are about, where the format would hold others too. */
  readonly target?: Export["target"];
};

/** Characters of the key of a list. */
const MAX_KEY = 64;

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
  fetchesItself: true,
  use: (_, origin, name, target) => [
    `# ${section === "feeds" ? "engines: feeds:" : "allowlists:"}, and under engines: keys: { first: TOKEN }`,
    `- { key: ${`first_${name.replaceAll("-", "_")}`.slice(0, MAX_KEY)}, format: repute, target: ${target}, url: "${origin}/api/exports/${name}.ndjson", auth: { key: first, header: X-API-Key }${section === "feeds" ? `, category: ${RATED[target]}, confidence: high, aggregate: true` : ""} }`,
  ],
});

const RECIPES: readonly Recipe[] = [
  {
    consumer: "nftables",
    format: "nft",
    use: (file) => [
      `nft -f ${file}`,
      "nft add chain inet repute input '{ type filter hook input priority -10; }'   # once",
      "nft add rule inet repute input ip saddr @block4 drop                         # once",
      "nft add rule inet repute input ip6 saddr @block6 drop                        # once",
    ],
  },
  {
    consumer: "ipset",
    format: "ipset",
    use: (file) => [
      `ipset restore -f ${file}`,
      "iptables -I INPUT -m set --match-set repute4 src -j DROP     # once",
      "ip6tables -I INPUT -m set --match-set repute6 src -j DROP    # once",
    ],
  },
  { consumer: "pf", format: "txt", target: "ip", use: (file) => [`pfctl -t repute -T replace -f ${file}`] },
  {
    consumer: "HAProxy",
    format: "txt",
    target: "ip",
    use: (file) => [`acl listed src -f ${file}`, "http-request deny deny_status 403 if listed"],
  },
  {
    consumer: "nginx",
    format: "nginx",
    options: "?as=geo",
    use: (file) => [
      `geo $repute_listed { default 0; include ${file}; }   # in http`,
      "if ($repute_listed) { return 403; }   # in each server",
    ],
  },
  {
    consumer: "Apache",
    format: "apache",
    use: (file) => [
      ...['<Location "/">', "  AuthMerging And", "  <RequireAll>", "    Require all granted"],
      ...[`    Include ${file}`, "  </RequireAll>", "</Location>"],
    ],
  },
  {
    consumer: "Postfix",
    format: "postfix",
    use: (file) => [
      `smtpd_client_restrictions = permit_mynetworks, permit_sasl_authenticated, check_client_access cidr:${file}`,
    ],
  },
  {
    consumer: "FortiGate, OPNsense, pfSense",
    format: "txt",
    target: "ip",
    fetchesItself: true,
    use: (_, origin, name) => [`${origin}/x/TOKEN/${name}.txt`],
  },
  {
    consumer: "PAN-OS",
    format: "edl",
    fetchesItself: true,
    use: (_, origin, name) => [`${origin}/api/exports/${name}.edl    # any user name, the token as password`],
  },
  {
    consumer: "MikroTik",
    format: "rsc",
    fetchesItself: true,
    use: (_, origin, name) => [
      `/tool/fetch url="${origin}/x/TOKEN/${name}.rsc" dst-path=repute.rsc`,
      "/import repute.rsc",
    ],
  },
  {
    consumer: "BIND",
    format: "rpz",
    use: (file, _, name) => [
      `response-policy { zone "${name}.rpz"; } qname-wait-recurse no;`,
      `zone "${name}.rpz" { type primary; file "${file}"; allow-query { none; }; };`,
    ],
  },
  {
    consumer: "Unbound",
    format: "rpz",
    use: (file, _, name) => [
      ...["server:", '  module-config: "respip validator iterator"'],
      ...["rpz:", `  name: ${name}.rpz`, `  zonefile: ${file}`],
    ],
  },
  {
    consumer: "PowerDNS Recursor",
    format: "rpz",
    use: (file) => [`rpzFile("${file}")`],
  },
  {
    consumer: "Knot Resolver",
    format: "rpz",
    use: (file) => [`policy.add(policy.rpz(policy.DENY, '${file}', true))`],
  },
  { consumer: "dnsmasq", format: "dnsmasq", use: (file) => [`servers-file=${file}`] },
  {
    consumer: "Pi-hole",
    format: "hosts",
    fetchesItself: true,
    use: (_, origin, name) => [`${origin}/x/TOKEN/${name}.hosts`],
  },
  {
    consumer: "AdGuard Home",
    format: "adblock",
    fetchesItself: true,
    use: (_, origin, name) => [`${origin}/x/TOKEN/${name}.adblock`],
  },
  {
    consumer: "rspamd",
    format: "txt",
    target: "ip",
    use: (file) => [`REPUTE { type = "ip"; map = "${file}"; score = 8.0; }   # local.d/multimap.conf`],
  },
  {
    consumer: "Squid",
    format: "txt",
    target: "ip",
    use: (file) => [`acl repute dst "${file}"`, "http_access deny repute"],
  },
  {
    consumer: "Squid",
    format: "txt",
    target: "domain",
    options: "?below=1",
    use: (file) => [`acl repute_names dstdomain -n "${file}"`, "http_access deny repute_names"],
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
      use: (file) => [`${zone}.example:${type}:${file}   # one more argument of rbldnsd`],
    }),
  ),
  {
    consumer: "Splunk",
    format: "csv",
    use: (file) => [`cp ${file} /opt/splunk/etc/apps/search/lookups/repute.csv`],
  },
  {
    consumer: "Elastic (Logstash)",
    format: "txt",
    target: "ip",
    options: "?head=0",
    use: (file) => [
      `cidr { address => ["%{[source][ip]}"] network_path => "${file}" refresh_interval => 600 add_tag => ["repute_listed"] }`,
    ],
  },
  {
    consumer: "Graylog",
    format: "csv",
    fetchesItself: true,
    use: (_, origin, name) => [`${origin}/x/TOKEN/${name}.csv    # data adapter: DSV File from HTTP`],
  },
  ofAnotherRepute("feeds"),
];

/** What is published is let through before anything is blocked. */
const ALLOW_RECIPES: readonly Recipe[] = [
  {
    consumer: "nftables",
    format: "nft",
    use: (file) => [
      `nft -f ${file}`,
      "nft insert rule inet repute input ip saddr @allow4 accept     # once",
      "nft insert rule inet repute input ip6 saddr @allow6 accept    # once",
    ],
  },
  {
    consumer: "ipset",
    format: "ipset",
    use: (file) => [
      `ipset restore -f ${file}`,
      "iptables -I INPUT -m set --match-set repute_allow4 src -j ACCEPT     # once",
      "ip6tables -I INPUT -m set --match-set repute_allow6 src -j ACCEPT    # once",
    ],
  },
  {
    consumer: "fail2ban",
    format: "txt",
    use: (file) => [`ignorecommand = echo <ip> | grepcidr -f ${file} >/dev/null`],
  },
  { consumer: "HAProxy", format: "txt", use: (file) => [`acl repute_known src -f ${file}`] },
  ofAnotherRepute("allowlists"),
];

const canHold = ({ formats, target }: Export, recipe: Recipe): boolean =>
  formats.some(({ format }) => format === recipe.format) && (recipe.target ?? target) === target;

/** The lines for every consumer that can hold the export. */
export const linesFor = (one: Export, origin: string): readonly ConsumerLines[] => [
  ...fileLines(one, origin),
  ...(one.kind === "block" && one.target === "ip" ? [bouncerLines(one, origin)] : []),
];

const bouncerLines = ({ name }: Export, origin: string): ConsumerLines => ({
  consumer: "CrowdSec bouncers",
  format: "stream",
  lines: `api_url: ${origin}/lapi/${name}/\napi_key: TOKEN    # with the scope decisions`,
  note: noteOf("CrowdSec bouncers", false),
});

const fileLines = (one: Export, origin: string): readonly ConsumerLines[] => {
  const { name, kind } = one;
  const recipes = kind === "allow" ? ALLOW_RECIPES : RECIPES;
  return recipes
    .filter((recipe) => canHold(one, recipe))
    .map((recipe) => {
      const file = `/etc/repute/${name}.${recipe.format}`;
      const url = `${origin}/api/exports/${name}.${recipe.format}${recipe.options ?? ""}`;
      const first = recipe.fetchesItself === true ? [] : [fetchLine(url, file)];
      return {
        consumer: recipe.consumer,
        format: recipe.format,
        lines: [...first, ...recipe.use(file, origin, name, one.target)].join("\n"),
        note: noteOf(recipe.consumer, first.length > 0),
      };
    });
};
