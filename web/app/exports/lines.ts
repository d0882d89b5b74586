import { CONSUMER_LINES } from "../../api/consumer-lines.gen.ts";
import type { Shapes } from "../../api/types.gen.ts";
import { noteOf } from "./notes.ts";

export type Export = Shapes["OwnExportsView"]["exports"][number];

/** Lines to paste for one consumer. */
export type ConsumerLines = {
  readonly consumer: string;
  readonly format: string;
  readonly lines: string;
  /** What cron or a timer runs every hour; null where the program fetches by itself. */
  readonly hourly: string | null;
  /** How often, what happens while Repute is away, and the page that says the rest. */
  readonly note: string;
};

/** Blocks of docs/consumers, for another export than its `edge`. */
const pasted = (marks: readonly (keyof typeof CONSUMER_LINES)[], name: string): readonly string[] =>
  marks.map((mark) =>
    CONSUMER_LINES[mark].replaceAll(" edge.", ` ${name}.`).replaceAll("/edge.", `/${name}.`),
  );

/** What is done once on each machine that fetches: the token, and the script that does. */
export const firstSteps = (origin: string): string =>
  [CONSUMER_LINES.header, CONSUMER_LINES.fetch].join("\n").replaceAll("http://127.0.0.1:8080", origin);

type Recipe = {
  readonly consumer: string;
  readonly format: string;
  /** Lines for the program; `origin` for those that fetch by themselves. */
  readonly use: (file: string, origin: string, name: string, target: Export["target"]) => readonly string[];
  readonly fetchesItself?: boolean;
  /** What has the program read a new file; absent: it sees it by itself. */
  readonly read?: (file: string) => string;
  /** Where its lines fetch, and put back what something else took away: what does so every hour. */
  readonly hourly?: (name: string) => readonly string[];
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

/** A file that was lost is to be refused, not passed over. */
const squidLines = (acl: string, deny: string): readonly string[] => [
  ...["configuration_includes_quoted_values on", acl, "configuration_includes_quoted_values off", deny],
];

const RECIPES: readonly Recipe[] = [
  {
    consumer: "nftables",
    format: "nft",
    hourly: (name) => pasted(["nftables-hourly"], name),
    use: (_, __, name) => pasted(["nftables-rules", "nftables-script", "nftables-load"], name),
  },
  {
    consumer: "ipset",
    format: "ipset",
    hourly: (name) => pasted(["ipset-hourly"], name),
    use: (_, __, name) => pasted(["ipset-load", "ipset-script", "ipset-rules"], name),
  },
  {
    consumer: "pf",
    format: "txt",
    target: "ip",
    read: (file) => `pfctl -t repute -T replace -f ${file}`,
    use: (file) => [
      `table <repute> persist file "${file}"    # in pf.conf`,
      "block drop in quick from <repute>",
    ],
  },
  {
    consumer: "HAProxy",
    format: "txt",
    target: "ip",
    read: () => "systemctl reload haproxy",
    use: (file) => [`acl listed src -f ${file}`, "http-request deny deny_status 403 if listed"],
  },
  {
    consumer: "nginx",
    format: "nginx",
    options: "?as=geo",
    read: () => "sh -c 'nginx -t -q && nginx -s reload'",
    use: (file) => [
      `geo $repute_listed { default 0; include ${file}; }   # in http`,
      "if ($repute_listed) { return 403; }   # in each server",
    ],
  },
  {
    consumer: "Apache",
    format: "apache",
    read: () => "sh -c 'apachectl configtest && apachectl graceful'",
    use: (file) => [
      ...['<Location "/">', "  AuthMerging And", "  <RequireAll>", "    Require all granted"],
      ...[`    Include ${file}`, "  </RequireAll>", "</Location>"],
    ],
  },
  {
    consumer: "Postfix",
    format: "postfix",
    read: () => "postfix reload",
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
    read: (file) => `rndc reload ${file.slice(file.lastIndexOf("/") + 1)}`,
    use: (file, _, name) => [
      `response-policy { zone "${name}.rpz"; } qname-wait-recurse no;`,
      `zone "${name}.rpz" { type primary; file "${file}"; allow-query { none; }; };`,
    ],
  },
  {
    consumer: "Unbound",
    format: "rpz",
    read: (file) => `unbound-control auth_zone_reload ${file.slice(file.lastIndexOf("/") + 1)}`,
    use: (file, _, name) => [
      ...["server:", '  module-config: "respip validator iterator"'],
      ...["rpz:", `  name: ${name}.rpz`, `  zonefile: ${file}`],
    ],
  },
  {
    consumer: "PowerDNS Recursor",
    format: "rpz",
    read: () => "sh -c 'rec_control reload-lua-config && rec_control wipe-cache \"$\"'",
    use: (file) => [`rpzFile("${file}")`],
  },
  {
    consumer: "Knot Resolver",
    format: "rpz",
    use: (file) => [`policy.add(policy.rpz(policy.DENY, '${file}', true))`],
  },
  {
    consumer: "dnsmasq",
    format: "dnsmasq",
    read: () => "pkill -HUP -x dnsmasq",
    use: (file) => [`servers-file=${file}`],
  },
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
    read: () => "squid -k reconfigure",
    use: (file) => squidLines(`acl repute dst parameters("${file}")`, "http_access deny repute"),
  },
  {
    consumer: "Squid",
    format: "txt",
    target: "domain",
    options: "?below=1",
    read: () => "squid -k reconfigure",
    use: (file) =>
      squidLines(`acl repute_names dstdomain -n parameters("${file}")`, "http_access deny repute_names"),
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
    use: (_, origin, name) => [`${origin}/x/TOKEN/${name}.csv    # data adapter: DSV File from HTTP`],
  },
  ofAnotherRepute("feeds"),
];

/** What is published is let through before anything is blocked. */
const ALLOW_RECIPES: readonly Recipe[] = [
  {
    consumer: "nftables",
    format: "nft",
    read: (file) => `nft -f ${file}`,
    use: () => [`# Before the first "add rule" of /etc/repute/rules.nft:`, CONSUMER_LINES["nftables-allow"]],
  },
  {
    consumer: "ipset",
    format: "ipset",
    read: (file) => `ipset restore -f ${file}`,
    use: () => [CONSUMER_LINES["ipset-allow"]],
  },
  {
    consumer: "fail2ban",
    format: "txt",
    use: (file) => [`ignorecommand = echo <ip> | grepcidr -f ${file} >/dev/null`],
  },
  {
    consumer: "HAProxy",
    format: "txt",
    read: () => "systemctl reload haproxy",
    use: (file) => [`acl repute_known src -f ${file}`],
  },
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
  hourly: null,
  note: noteOf("CrowdSec bouncers", false),
});

const fileLines = (one: Export, origin: string): readonly ConsumerLines[] => {
  const { name, kind, target } = one;
  const recipes = kind === "allow" ? ALLOW_RECIPES : RECIPES;
  return recipes
    .filter((recipe) => canHold(one, recipe))
    .map((recipe) => {
      const { consumer, format, options = "", read = () => "true", fetchesItself = false } = recipe;
      const file = `/etc/repute/${name}.${format}`;
      const fetch = `repute-fetch ${name}.${format}${options}`;
      const own = recipe.hourly?.(name) ?? null;
      const first = fetchesItself || own !== null ? [] : [`${fetch} true`];
      return {
        consumer,
        format,
        lines: [...first, ...recipe.use(file, origin, name, target)].join("\n"),
        hourly: fetchesItself ? null : (own?.join("\n") ?? `${fetch} ${read(file)}`),
        note: noteOf(consumer, !fetchesItself),
      };
    });
};
