import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { database, ipv4Inside, nestedCity } from "../test/mmdb-file.ts";
import { startPublisher } from "../test/publishers.ts";
import { risDump, risLine } from "../test/ris.ts";
import { startDnsServer, type TestReply, type TestScript } from "../test/servers/dns-server.ts";
import { bootstrapFile, NOT_FOUND, startRdapServer } from "../test/servers/rdap-server.ts";
import { onInternet } from "../test/servers/resolvers.ts";

/*
 * What pictures show: lists and tables of today, a resolver and a registry, all on loopback.
 */

/** A Tor exit. */
export const EXIT = "185.220.101.1";
/** An address on many lists. */
export const ATTACKER = "77.90.185.20";
/** A page on a list of phishing. */
export const PHISHING = "https://www.example.com/paypal/login.php?session=1";

type List = readonly [
  key: string,
  name: string,
  target: string,
  category: string,
  confidence: string,
  ...lines: readonly string[],
];

const LISTS: readonly List[] = [
  ["blocklist_de", "blocklist.de, all", "ip", "attack", "high", ATTACKER, EXIT],
  ["cins_army", "CINS Army", "ip", "attack", "high", ATTACKER],
  ["et_compromised", "Emerging Threats compromised IPs", "ip", "attack", "medium", ATTACKER],
  ["greensnow", "GreenSnow", "ip", "attack", "medium", ATTACKER, "45.45.45.45"],
  ["mail_gateway", "Mail gateway", "ip", "spam", "medium", "185.220.101.0/24", ATTACKER],
  ["comment_spam", "Comment spam", "ip", "spam", "low", ATTACKER],
  ["ssh_honeypot", "SSH honeypot", "ip", "attack", "high", EXIT, "203.0.113.9"],
  ["web_firewall", "Web firewall", "ip", "attack", "medium", "45.45.45.46"],
  ["botnet_c2", "Botnet controllers", "ip", "c2", "high", "45.45.45.47"],
  ["spam_senders", "Spam senders", "ip", "spam", "medium", "45.45.45.48"],
  ["phishing_names", "Phishing names", "domain", "phishing", "high", "phishing.example.net"],
  ["malware_names", "Malware names", "domain", "malware", "high", "malware.example.net"],
  ["phishing_urls", "Phishing pages", "url", "phishing", "high", PHISHING],
];

const CITIES: readonly (readonly [network: string, ...place: [string, string, string, number, number]])[] = [
  ["8.8.8.0/24", "US", "California", "Mountain View", 37.4, -122.1],
  ["77.90.185.0/24", "DE", "Bavaria", "Augsburg", 48.4, 10.9],
  ["142.250.0.0/15", "US", "California", "Mountain View", 37.4, -122.1],
  ["185.220.101.0/24", "DE", "State of Berlin", "Berlin", 52.5, 13.4],
];

const tableFiles = (): ReadonlyMap<string, Buffer> => {
  const cities = CITIES.map(([network, ...place]) => ({
    network: ipv4Inside(network),
    record: nestedCity(...place),
  }));
  const city6 = {
    network: "2001:4860::/32",
    record: nestedCity("US", "California", "Mountain View", 37.4, -122.1),
  };
  const routes = [
    risLine(15169, "8.8.8.0/24", 390),
    risLine(15169, "142.250.0.0/15", 380),
    risLine(213790, "77.90.185.0/24", 370),
    risLine(60729, "185.220.101.0/24", 360),
  ];
  return new Map([
    ["/city.mmdb.gz", gzipSync(database(128, [...cities, city6], 28, new Date()))],
    ["/v4.gz", gzipSync(risDump(routes))],
    ["/v6.gz", gzipSync(risDump([risLine(15169, "2001:4860::/32")]))],
    ["/names.txt", Buffer.from("15169 GOOGLE, US\n60729 TORSERVERS-NET, DE\n213790 LIMITEDNETWORK-AS, DE\n")],
  ]);
};

const one = (type: string, ...data: readonly unknown[]): TestReply => ({
  answers: data.map((datum) => ({ type, data: datum })),
});

/** Records by type and name. */
const RECORDS = new Map<string, TestReply>([
  ["A exit.example", one("A", EXIT)],
  ["PTR 1.101.220.185.in-addr.arpa", one("PTR", "exit.example")],
  ["PTR 8.8.8.8.in-addr.arpa", one("PTR", "dns.google")],
  ["A dns.google", one("A", "8.8.8.8", "8.8.4.4")],
  ["PTR 20.185.90.77.in-addr.arpa", one("PTR", "scan20.limited.example")],
  ["A scan20.limited.example", one("A", ATTACKER)],
  ["A www.example.com", one("A", "142.250.74.46")],
  ["A google.com", one("A", "142.250.74.46")],
  ["MX google.com", one("MX", { preference: 10, exchange: "smtp.google.com" })],
  ["A smtp.google.com", one("A", "142.250.74.47")],
  ["NS google.com", one("NS", "ns1.google.com", "ns2.google.com")],
  ["A ns1.google.com", one("A", "142.250.74.48")],
  ["A ns2.google.com", one("A", "142.250.74.49")],
  ["TXT google.com", one("TXT", ["v=spf1 ip4:142.250.0.0/15 ~all"])],
  ["TXT _dmarc.google.com", one("TXT", ["v=DMARC1; p=reject; rua=mailto:mailauth-reports@google.com"])],
]);
const NAMES = new Set([...RECORDS.keys()].map((key) => key.split(" ")[1]));

const script: TestScript = ({ type, name }) =>
  RECORDS.get(`${type} ${name.toLowerCase()}`) ?? (NAMES.has(name.toLowerCase()) ? {} : { rcode: 3 });

const registered = (): unknown =>
  JSON.parse(readFileSync(new URL("../test/fixtures/rdap/gtld-thin.json", import.meta.url), "utf8"));

/** Servers of all this, and the sections of a configuration that asks them. Lookups go on to the addresses above: run it where no packet leaves (`unshare -n`). */
export async function openPicturedWorld() {
  const files = tableFiles();
  const publisher = await startPublisher(({ url = "" }, response) => {
    const list = LISTS.find(([key]) => url === `/${key}`);
    const content = list === undefined ? files.get(url) : `${list.slice(5).join("\n")}\n`;
    response.writeHead(content === undefined ? 404 : 200).end(content);
  });
  const resolver = await startDnsServer(onInternet(script));
  const registry = await startRdapServer();
  registry.use((path) => {
    if (path === "/dns.json") return bootstrapFile({ com: registry.url });
    if (/^\/(asn|ipv4|ipv6)\.json$/.test(path)) return bootstrapFile({});
    return /^\/domain\/(example|google)\.com$/.test(path) ? { json: registered() } : NOT_FOUND;
  });
  const urls = { city: "city.mmdb.gz", routes_ipv4: "v4.gz", routes_ipv6: "v6.gz", as_names: "names.txt" };
  const feeds = LISTS.map(([key, name, target, category, confidence]) => {
    const about = { key, name, target, category, confidence };
    return { ...about, format: "plain", url: `${publisher.url}/${key}`, refresh_minutes: 720 };
  });
  return {
    resolver: resolver.address,
    sections: {
      dns: { servers: [resolver.address] },
      rdap: { bootstrap_url: registry.url },
      geo: {
        tables: Object.fromEntries(
          Object.entries(urls).map(([table, file]) => [table, `${publisher.url}/${file}`]),
        ),
      },
      engines: { builtin: false, feeds },
    },
    close: async () => {
      await publisher.close();
      await registry.close();
      await resolver.close();
    },
  };
}
