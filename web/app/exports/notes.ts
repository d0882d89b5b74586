/** The pages of the documentation, by consumer. */
const PAGES: Readonly<Record<string, string>> = {
  nftables: "consumers/nftables.md",
  "nftables, beside another export": "consumers/nftables.md",
  ipset: "consumers/ipset.md",
  "ipset, beside another export": "consumers/ipset.md",
  pf: "consumers/pf.md",
  HAProxy: "consumers/haproxy.md",
  nginx: "consumers/nginx.md",
  Apache: "consumers/apache.md",
  Postfix: "consumers/postfix.md",
  "FortiGate, OPNsense, pfSense": "consumers/fortigate.md and opnsense.md",
  "PAN-OS": "consumers/pan-os.md",
  MikroTik: "consumers/mikrotik.md",
  BIND: "consumers/bind.md",
  Unbound: "consumers/unbound.md",
  "PowerDNS Recursor": "consumers/powerdns.md",
  "Knot Resolver": "consumers/knot-resolver.md",
  dnsmasq: "consumers/dnsmasq.md",
  "Pi-hole": "consumers/dnsmasq.md",
  "AdGuard Home": "consumers/dnsmasq.md",
  rspamd: "consumers/rspamd.md",
  Squid: "consumers/squid.md",
  rbldnsd: "consumers/rbldnsd.md",
  "rbldnsd, IPv6": "consumers/rbldnsd.md",
  Splunk: "consumers/splunk.md",
  Elastic: "consumers/elastic.md",
  Graylog: "consumers/graylog.md",
  fail2ban: "consumers/fail2ban.md",
  "Another Repute": "exports.md",
  "CrowdSec bouncers": "bouncers.md",
};

/** Files that are fetched stay where they are while nothing comes; of what a program fetches by itself its page tells. */
export function noteOf(consumer: string, isFetched: boolean): string {
  const page = `docs/${PAGES[consumer] ?? "consumers/README.md"}`;
  return isFetched
    ? `While Repute is away the old file stays. A timer, and how to see that it works: ${page}`
    : `The program fetches by itself. How often, what it does while Repute is away, and how to see that it works: ${page}`;
}
