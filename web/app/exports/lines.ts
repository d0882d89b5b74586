import type { Shapes } from "../../api/types.gen.ts";

export type Export = Shapes["OwnExportsView"]["exports"][number];

/** Lines to paste for one consumer. */
export type ConsumerLines = { readonly consumer: string; readonly format: string; readonly lines: string };

/** Fetches to another name first: the old file stays where a fetch fails. */
const fetchLine = (url: string, file: string): string =>
  `curl -fsS --compressed -H "X-API-Key: $TOKEN" -o ${file}.new ${url} && mv ${file}.new ${file}`;

type Recipe = {
  readonly consumer: string;
  readonly format: string;
  /** Lines after the file is there; `url` for consumers that fetch by themselves. */
  readonly use: (file: string, origin: string, name: string) => readonly string[];
  readonly fetchesItself?: boolean;
};

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
  { consumer: "pf", format: "txt", use: (file) => [`pfctl -t repute -T replace -f ${file}`] },
  {
    consumer: "HAProxy",
    format: "txt",
    use: (file) => [`acl listed src -f ${file}`, "http-request deny deny_status 403 if listed"],
  },
  { consumer: "nginx", format: "nginx", use: (file) => [`include ${file};`] },
  {
    consumer: "Apache",
    format: "apache",
    use: (file) => ["<RequireAll>", "  Require all granted", `  Include ${file}`, "</RequireAll>"],
  },
  {
    consumer: "Postfix",
    format: "postfix",
    use: (file) => [`smtpd_client_restrictions = check_client_access cidr:${file}`],
  },
  {
    consumer: "FortiGate, OPNsense, pfSense",
    format: "txt",
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
      `zone "${name}.rpz" { type primary; file "${file}"; };`,
    ],
  },
  {
    consumer: "Unbound",
    format: "rpz",
    use: (file, _, name) => ["rpz:", `  name: ${name}.rpz`, `  zonefile: ${file}`],
  },
  { consumer: "dnsmasq, Pi-hole", format: "hosts", use: (file) => [`addn-hosts=${file}`] },
];

/** The lines for every consumer that can hold the export. */
export const linesFor = ({ name, formats }: Export, origin: string): readonly ConsumerLines[] =>
  RECIPES.filter(({ format }) => formats.some((one) => one.format === format)).map((recipe) => {
    const file = `/etc/repute/${name}.${recipe.format}`;
    const url = `${origin}/api/exports/${name}.${recipe.format}`;
    const first = recipe.fetchesItself === true ? [] : [fetchLine(url, file)];
    return {
      consumer: recipe.consumer,
      format: recipe.format,
      lines: [...first, ...recipe.use(file, origin, name)].join("\n"),
    };
  });
