import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { DAY_MS } from "../../base/durations.ts";
import { emptyListings } from "../../blocklist-index/open-index.ts";
import type { Listing, Listings, ListState } from "../../blocklist-index/types.ts";
import { parseIp, readIp } from "../../targets/ip.ts";
import { publicDnsAddresses } from "../catalogue/public-dns.ts";
import { createNetworks, flagOfCategory, loadNetworkLists } from "./networks.ts";

const NOW = Date.parse("2026-11-21T00:00:00Z");

const daysAgo = (days: number): string => new Date(NOW - days * DAY_MS).toISOString();

const stateOf = (key: string, fields: Partial<ListState> = {}): ListState => ({
  key,
  entries: 1,
  dropped: 0,
  seed: true,
  retrievedAt: null,
  publishedAt: daysAgo(90),
  changedAt: null,
  lastAttempt: null,
  lastError: null,
  loaded: true,
  contentHash: null,
  families: ["v4"],
  ...fields,
});

/** An index in which every list names every IPv4 address, with these entries. */
const indexOf = (lists: readonly ListState[], values: readonly string[]): Listings => ({
  ...emptyListings(),
  lists,
  findIpv4: () =>
    values.map((value, list): Listing => ({ list, value, exact: !value.includes("/"), detail: null })),
});

const openProxies = {
  key: "open_proxies",
  flag: "is_proxy",
  builtin: true,
  refreshMinutes: 60,
  provider: null,
} as const;
const networks = createNetworks(loadNetworkLists(), [openProxies]);
const ip = parseIp("203.0.113.7");

describe("loadNetworkLists()", () => {
  test("has an address to renew each list from: shipped data counts for 400 days", () => {
    expect(loadNetworkLists().filter(({ url }) => url === undefined)).toEqual([]);
  });

  test("gives lists with keys of their own, each with a seed file or a place to be retrieved from", () => {
    const lists = loadNetworkLists();
    expect(new Set(lists.map(({ key }) => key)).size).toBe(lists.length);
    const missing = lists.filter(({ seed, url }) =>
      seed === undefined
        ? url === undefined
        : !existsSync(new URL(`../../../seed/${seed}.br`, import.meta.url)),
    );
    expect(missing).toEqual([]);
  });

  test("gives lists that each say something", () => {
    for (const { flags, service, cloud, edge } of loadNetworkLists()) {
      expect(flags.length > 0 || service || cloud || edge).toBeTruthy();
    }
  });
});

describe("find()", () => {
  test("reads the prefix of each entry, the whole length for the address itself", () => {
    const index = indexOf(
      [stateOf("ranges_amazon"), stateOf("open_proxies")],
      ["203.0.113.0/24", "203.0.113.7"],
    );
    expect(networks.find(index, ip, null, NOW).map(({ key, prefix, flags }) => [key, prefix, flags])).toEqual(
      [
        ["ranges_amazon", 24, ["is_hosting"]],
        ["open_proxies", 32, ["is_proxy"]],
      ],
    );
  });

  test("passes over lists that classify nothing", () => {
    expect(networks.find(indexOf([stateOf("ipsum")], ["203.0.113.7"]), ip, null, NOW)).toEqual([]);
  });

  test("takes entries of AS numbers as the least specific", () => {
    const index = {
      ...emptyListings(),
      lists: [stateOf("open_proxies")],
      findAsn: () => [{ list: 0, value: "AS64500", exact: true, detail: null }],
    };
    expect(networks.find(index, ip, 64500, NOW)[0]?.prefix).toBe(-1);
  });

  test.each([
    ["a seed of 399 days", { publishedAt: daysAgo(399) }, 1],
    ["a seed of 401 days", { publishedAt: daysAgo(401) }, 0],
    ["a retrieval of 8 days, refreshed hourly", { seed: false, retrievedAt: daysAgo(8) }, 0],
    [
      "a retrieval of 6 days whose publisher dates it 90 days back",
      { seed: false, retrievedAt: daysAgo(6) },
      0,
    ],
    ["a retrieval of 6 days", { seed: false, retrievedAt: daysAgo(6), publishedAt: null }, 1],
    ["no date at all", { publishedAt: null }, 0],
    ["no content", { loaded: false }, 0],
  ] as const)("lets %s answer %#", (_why, fields, count) => {
    const index = indexOf([stateOf("open_proxies", fields)], ["203.0.113.7"]);
    expect(networks.find(index, ip, null, NOW)).toHaveLength(count);
  });
});

describe("coverage()", () => {
  const vpnLists = [
    ...["x4bnet_vpn", "x4bnet_vpn_v6"],
    ...["ranges_protonvpn", "mullvad_relays", "bgptools_vpn_asns"],
  ];
  test("says for each family which flags have a list, and which lists cannot answer", () => {
    const index = indexOf(
      [
        ...vpnLists.map((key) => stateOf(key, { families: ["v4", "v6"] })),
        stateOf("open_proxies"),
        stateOf("ranges_azure", { publishedAt: daysAgo(700) }),
      ],
      [],
    );
    const v4 = networks.coverage(index, "v4", NOW);
    const v6 = networks.coverage(index, "v6", NOW);
    expect([...v4.flags].toSorted()).toEqual(["is_proxy", "is_vpn"]);
    expect([...v6.flags]).toEqual(["is_vpn"]);
    expect(v4.missing).toContain("ranges_azure");
    expect(v4.missing).not.toContain("x4bnet_vpn");
    expect([v4.asOfMs, v4.stale]).toEqual([NOW - 90 * DAY_MS, true]);
  });

  test.each([
    ["expired", { publishedAt: daysAgo(500) }, { v4: false, v6: false }],
    ["without content", { loaded: false }, { v4: false, v6: false }],
    [
      "expired, of the other family",
      { publishedAt: daysAgo(500), families: ["v6"] },
      { v4: true, v6: false },
    ],
    ["of the other family", { families: ["v6"] }, { v4: true, v6: true }],
  ] as const)("knows a flag only when every list answers; one is %s", (_, fields, known) => {
    const both = { families: ["v4", "v6"] } as const;
    const index = indexOf(
      vpnLists.map((key) => stateOf(key, key === "mullvad_relays" ? { ...both, ...fields } : both)),
      [],
    );
    const knows = (family: "v4" | "v6") => networks.coverage(index, family, NOW).flags.has("is_vpn");
    expect({ v4: knows("v4"), v6: knows("v6") }).toEqual(known);
  });

  test("is the same object while only the states of lists change, another with their contents or ages", () => {
    const tried = { lastAttempt: daysAgo(0), lastError: "No route" };
    const before = indexOf([stateOf("x4bnet_vpn")], []);
    const later = { ...before, lists: [stateOf("x4bnet_vpn", tried)] };
    const renewed = { ...later, fingerprint: "another" };
    const younger = { ...renewed, lists: [stateOf("x4bnet_vpn", { publishedAt: daysAgo(1) })] };
    const seen = [before, later, renewed, younger].map((index) => networks.coverage(index, "v4", NOW));
    expect(seen[1]).toBe(seen[0]);
    expect(seen[2]).not.toBe(seen[1]);
    expect(seen[3]).not.toBe(seen[2]);
  });

  test("grows old with time", () => {
    const index = indexOf([stateOf("x4bnet_vpn")], []);
    expect(networks.coverage(index, "v4", NOW).networks).toBe(1);
    expect(networks.coverage(index, "v4", NOW + 400 * DAY_MS).networks).toBe(0);
  });
});

describe("flagOfCategory()", () => {
  test.each([
    ["proxy", "is_proxy"],
    ["tor", "is_tor"],
    ["vpn", "is_vpn"],
    ["hijacked", "vendor_drop"],
    ["spam", null],
    ["constructor", null],
  ])("reads the category %s as %s", (category, flag) => {
    expect(flagOfCategory(category)).toBe(flag);
  });
});

test("the table of public resolvers holds canonical addresses", () => {
  for (const address of publicDnsAddresses()) expect(readIp(address)?.text).toBe(address);
});
