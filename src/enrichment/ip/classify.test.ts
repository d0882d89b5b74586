import { describe, expect, test } from "vitest";
import { type UsageInput, usageOf } from "./classify.ts";
import { type Coverage, type Flag, loadNetworkLists, type NetworkHit } from "./networks.ts";

const LISTS = loadNetworkLists();
const FLAGS: readonly Flag[] = [
  "is_vpn",
  "is_hosting",
  "is_relay",
  "is_proxy",
  "search_engine_bot",
  "vendor_bot",
  "mail_sender",
  "vendor_service",
];

const complete: Coverage = {
  flags: new Set(FLAGS),
  networks: LISTS.length,
  missing: [],
  asOfMs: 0,
  stale: false,
};

/** A hit of a list in the catalogue; of any other key, one of an engine's list that sets `flag`. */
function hit(key: string, prefix = 24, flag: Flag = "is_proxy", brand: string | null = null): NetworkHit {
  const network = LISTS.find((list) => list.key === key) ?? null;
  return {
    ...{ key, network, prefix, builtin: true },
    flags: network?.flags ?? [flag],
    provider: network === null ? brand : (network.provider ?? null),
  };
}

const usage = (hits: readonly NetworkHit[], fields: Partial<UsageInput> = {}) =>
  usageOf({
    hits,
    coverage: complete,
    address: "203.0.113.7",
    asn: 64500,
    isAsnKnown: true,
    asnType: "",
    ...fields,
  });

describe("usageOf() names the service", () => {
  test.each([
    ["the most specific range", [hit("ranges_google", 16), hit("ranges_github", 20)], "GitHub", "saas"],
    [
      "of equal ranges a crawler before a cloud",
      [hit("ranges_amazon"), hit("ranges_googlebot")],
      "Googlebot",
      "crawler",
    ],
    [
      "of equal ranges a crawler before an AI crawler",
      [hit("ranges_duckassistbot"), hit("ranges_duckduckbot")],
      "DuckDuckBot",
      "crawler",
    ],
    ["an edge as a CDN", [hit("ranges_cloudflare")], "Cloudflare", "cdn"],
    ["a cloud", [hit("ranges_amazon")], "AWS", "cloud"],
    ["a VPN provider", [hit("ranges_protonvpn")], "Proton VPN", "vpn"],
    ["none for networks without an operator", [hit("x4bnet_datacenter")], "", ""],
  ])("%s", (_why, hits, name, type) => {
    const { related_service_name, related_service_type } = usage(hits).information;
    expect([related_service_name, related_service_type]).toEqual([name, type]);
  });

  test("a public resolver before every range around it", () => {
    const { information } = usage([hit("ranges_google")], { address: "8.8.8.8" });
    expect(information).toMatchObject({
      is_public_dns: true,
      related_service_name: "Google Public DNS",
      related_service_domain: "dns.google",
      related_service_type: "dns",
    });
  });
});

describe("usageOf() names cloud and edge", () => {
  test("by the published range before the AS", () => {
    const { information } = usage([hit("ranges_vultr")], { asn: 24940 });
    expect([information.cloud_provider, information.cloud_provider_domain]).toEqual(["Vultr", "vultr.com"]);
  });

  test("by the AS where no range is published", () => {
    expect(usage([], { asn: 24940 }).information.cloud_provider).toBe("Hetzner");
    expect(usage([], { asn: 20940 }).information.edge_service).toBe("Akamai");
  });

  test("and no edge where a narrower range is let to a cloud's customers", () => {
    const [whole, customers] = [hit("ranges_akamai", 12), hit("ranges_linode", 20)];
    expect(usage([whole]).information.edge_service).toBe("Akamai");
    expect(usage([whole, customers]).information).toMatchObject({
      edge_service: "",
      cloud_provider: "Linode",
    });
    expect(usage([hit("ranges_bunny_net", 32), customers]).information.edge_service).toBe("bunny.net");
    expect(usage([hit("ranges_aws_cloudfront", 16)]).information.edge_service).toBe("CloudFront");
  });

  test("and calls Google's space a service of its own only outside the customers' ranges", () => {
    expect(usage([hit("ranges_google")]).information.is_vendor_service).toBe(true);
    expect(usage([hit("ranges_google"), hit("ranges_google_cloud")]).information.is_vendor_service).toBe(
      false,
    );
  });

  test("and says that the bundled ranges of AWS do not tell the service, so not CloudFront either", () => {
    expect(usage([hit("ranges_amazon")]).unknown).toEqual(
      expect.arrayContaining(["information.cloud_vendor_service", "information.edge_service"]),
    );
  });

  test("and does not know the cloud of a vendor's space when the cloud's own list is missing", () => {
    const coverage = { ...complete, missing: ["ranges_azure"] };
    expect(usage([hit("ranges_microsoft")], { coverage }).unknown).toContain("information.cloud_provider");
    expect(usage([hit("ranges_google")], { coverage }).unknown).not.toContain("information.cloud_provider");
  });
});

describe("usageOf() judges anonymity", () => {
  test.each([
    ["a network on a VPN list is VPN", [hit("x4bnet_vpn")], 64500, true, null],
    [
      "a privacy relay on a VPN list is no VPN",
      [hit("x4bnet_vpn"), hit("ranges_icloud_private_relay")],
      64500,
      false,
      "iCloud Private Relay",
    ],
    [
      "a Tor exit on a VPN list is no VPN",
      [hit("x4bnet_vpn"), hit("tor_exits", 32, "is_tor")],
      64500,
      false,
      null,
    ],
    ["a Tor operator's network on a VPN list is no VPN", [hit("x4bnet_vpn")], 60729, false, null],
    ["a named provider's exit is VPN", [hit("ranges_protonvpn")], 64500, true, "Proton VPN"],
    ["an engine's list of VPN exits stands", [hit("my_vpn", 32, "is_vpn")], 60729, true, null],
    ["with its provider's name", [hit("my_vpn", 32, "is_vpn", "Acme VPN")], 60729, true, "Acme VPN"],
    [
      "of two providers the smaller network's",
      [hit("my_vpn", 24, "is_vpn", "Acme VPN"), hit("ranges_protonvpn", 28)],
      64500,
      true,
      "Proton VPN",
    ],
  ])("%s", (_why, hits, asn, isVpn, provider) => {
    const { anonymity } = usage(hits, { asn });
    expect([anonymity.is_vpn, anonymity.provider]).toEqual([isVpn, provider]);
    expect(anonymity.sources["is_vpn"] !== undefined).toBe(isVpn);
  });

  test("a listed proxy is a proxy, save behind a shared edge", () => {
    const proxy = usage([hit("open_proxies", 32)]).anonymity;
    expect([proxy.is_proxy, proxy.sources]).toEqual([true, { is_proxy: ["open_proxies"] }]);
    expect(usage([hit("open_proxies", 32), hit("ranges_cloudflare")]).anonymity.is_proxy).toBe(false);
  });

  test("a Tor exit has its role", () => {
    const { is_tor, tor_role } = usage([hit("tor_exits", 32, "is_tor")]).anonymity;
    expect([is_tor, tor_role]).toEqual([true, "exit"]);
  });

  test.each([
    ["a data-centre list", [hit("x4bnet_datacenter")], 64500, "", ["x4bnet_datacenter"]],
    ["an edge", [hit("ranges_fastly")], 64500, "", ["ranges_fastly"]],
    ["a known hosting AS", [], 24940, "", ["asn_type"]],
    ["an AS named for hosting", [], 64500, "hosting", ["asn_type"]],
  ] as const)("%s is hosting", (_why, hits, asn, asnType, sources) => {
    const { information, anonymity } = usage(hits, { asn, asnType });
    expect([information.is_hosting, anonymity.is_hosting, information.address_type]).toEqual([
      true,
      true,
      "hosting",
    ]);
    expect(anonymity.sources["is_hosting"]).toEqual(sources);
  });
});

describe("usageOf() says what it cannot know", () => {
  test("flags without a list of their kind", () => {
    expect(usage([]).unknown).toEqual(
      expect.arrayContaining([
        "anonymity.is_tor",
        "anonymity.tor_role",
        "anonymity.is_residential_proxy",
        "anonymity.is_webproxy",
        "information.is_vendor_drop",
      ]),
    );
    expect(usage([]).unknown).not.toContain("anonymity.is_vpn");
  });

  test("nothing of a flag that one list sets while another cannot answer", () => {
    const coverage = { ...complete, flags: new Set<Flag>() };
    const { unknown } = usage([hit("ranges_protonvpn"), hit("ranges_smtp_sending")], { coverage });
    expect(unknown).not.toContain("anonymity.is_vpn");
    expect(unknown).not.toContain("information.is_major_provider_spf_ip");
    expect(unknown).toContain("anonymity.is_proxy");
  });

  test("everything that hangs on lists when there is none", () => {
    const coverage = { ...complete, flags: new Set<Flag>(), networks: 0 };
    const { unknown } = usage([], { coverage, isAsnKnown: false, asn: null });
    for (const field of ["anonymity.is_vpn", "information.is_hosting", "information.is_satellite"]) {
      expect(unknown).toContain(field);
    }
    expect(unknown).toContain("information.related_service_name");
    expect(unknown).not.toContain("information.is_public_dns");
  });

  test.each([
    ["isp", "unknown"],
    ["", "unknown"],
    ["education", "education"],
    ["government", "government"],
    ["business", "business"],
  ] as const)("an AS of type %j makes the address %s", (asnType, type) => {
    const { information, unknown } = usage([], { asnType });
    expect(information.address_type).toBe(type);
    expect(unknown.includes("information.address_type")).toBe(type === "unknown");
  });
});

test("usageOf() knows satellite operators and mail senders", () => {
  expect(usage([], { asn: 14593 }).information.is_satellite).toBe(true);
  expect(usage([hit("ranges_smtp_sending")]).information.is_major_provider_spf_ip).toBe(true);
  expect(usage([hit("drop", 24, "vendor_drop")]).information.is_vendor_drop).toBe(true);
});
