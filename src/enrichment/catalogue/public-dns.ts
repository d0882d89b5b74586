/** Operator of a public resolver. */
export type PublicDns = { readonly name: string; readonly domain: string };

const OPERATORS: readonly (PublicDns & { readonly addresses: string })[] = [
  {
    name: "Google Public DNS",
    domain: "dns.google",
    addresses:
      "8.8.8.8 8.8.4.4 2001:4860:4860::8888 2001:4860:4860::8844 2001:4860:4860::64 2001:4860:4860::6464",
  },
  {
    name: "Cloudflare DNS",
    domain: "one.one.one.one",
    addresses:
      "1.1.1.1 1.0.0.1 2606:4700:4700::1111 2606:4700:4700::1001 2606:4700:4700::64 2606:4700:4700::6400 " +
      "1.1.1.2 1.0.0.2 2606:4700:4700::1112 2606:4700:4700::1002 " +
      "1.1.1.3 1.0.0.3 2606:4700:4700::1113 2606:4700:4700::1003",
  },
  {
    name: "Quad9",
    domain: "quad9.net",
    addresses:
      "9.9.9.9 149.112.112.112 2620:fe::fe 2620:fe::9 9.9.9.10 149.112.112.10 2620:fe::10 2620:fe::fe:10 " +
      "9.9.9.11 149.112.112.11 2620:fe::11 2620:fe::fe:11 9.9.9.12 149.112.112.12 2620:fe::12 2620:fe::fe:12",
  },
  {
    name: "OpenDNS",
    domain: "opendns.com",
    addresses:
      "208.67.222.222 208.67.220.220 2620:119:35::35 2620:119:53::53 208.67.222.123 208.67.220.123 " +
      "2620:119:35::123 2620:119:53::123",
  },
  {
    name: "AdGuard DNS",
    domain: "adguard-dns.io",
    addresses:
      "94.140.14.14 94.140.15.15 2a10:50c0::ad1:ff 2a10:50c0::ad2:ff 94.140.14.15 94.140.15.16 " +
      "2a10:50c0::bad1:ff 2a10:50c0::bad2:ff 94.140.14.140 94.140.14.141 2a10:50c0::1:ff 2a10:50c0::2:ff",
  },
  {
    name: "Control D",
    domain: "controld.com",
    addresses: "76.76.2.0 76.76.10.0 76.76.2.1 76.76.10.1 76.76.2.2 76.76.10.2 2606:1a40:: 2606:1a40:1::",
  },
  {
    name: "Yandex DNS",
    domain: "dns.yandex.com",
    addresses:
      "77.88.8.8 77.88.8.1 77.88.8.88 77.88.8.2 77.88.8.7 77.88.8.3 2a02:6b8::feed:ff 2a02:6b8:0:1::feed:ff",
  },
  {
    name: "AliDNS",
    domain: "alidns.com",
    addresses: "223.5.5.5 223.6.6.6 2400:3200::1 2400:3200:baba::1",
  },
  { name: "DNSPod", domain: "dnspod.cn", addresses: "119.29.29.29 119.28.28.28 2402:4e00::" },
  { name: "114DNS", domain: "114dns.com", addresses: "114.114.114.114 114.114.115.115" },
  {
    name: "CleanBrowsing",
    domain: "cleanbrowsing.org",
    addresses:
      "185.228.168.9 185.228.169.9 2a0d:2a00:1::2 2a0d:2a00:2::2 185.228.168.10 185.228.169.11 " +
      "185.228.168.168 185.228.169.168",
  },
  {
    name: "UltraDNS Public",
    domain: "vercara.com",
    addresses: "64.6.64.6 64.6.65.6 156.154.70.1 156.154.71.1 2620:74:1b::1:1 2620:74:1c::2:2",
  },
  { name: "Lumen", domain: "lumen.com", addresses: "4.2.2.1 4.2.2.2 4.2.2.3 4.2.2.4 4.2.2.5 4.2.2.6" },
  { name: "DNS.WATCH", domain: "dns.watch", addresses: "84.200.69.80 84.200.70.40" },
  {
    name: "Mullvad DNS",
    domain: "mullvad.net",
    addresses: "194.242.2.2 194.242.2.3 194.242.2.4 2a07:e340::2",
  },
  { name: "Hurricane Electric", domain: "he.net", addresses: "74.82.42.42 2001:470:20::2" },
  {
    name: "Quad101",
    domain: "twnic.tw",
    addresses: "101.101.101.101 101.102.103.104 2001:de4::101 2001:de4::102",
  },
  {
    name: "CIRA Canadian Shield",
    domain: "cira.ca",
    addresses: "149.112.121.10 149.112.122.10 2620:10a:80bb::10 2620:10a:80bc::10",
  },
  {
    name: "DNS4EU",
    domain: "joindns4.eu",
    addresses: "86.54.11.1 86.54.11.11 86.54.11.12 86.54.11.13 86.54.11.100",
  },
];

const BY_ADDRESS: ReadonlyMap<string, PublicDns> = new Map(
  OPERATORS.flatMap(({ name, domain, addresses }) =>
    addresses.split(" ").map((address) => [address, { name, domain }] as const),
  ),
);

/** Operator of the public resolver at exactly this address (canonical text), else null. */
export const publicDnsAt = (address: string): PublicDns | null => BY_ADDRESS.get(address) ?? null;

/** Every address of the table, in its canonical spelling. */
export const publicDnsAddresses = (): readonly string[] => [...BY_ADDRESS.keys()];
