import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseCidr } from "../targets/cidr.ts";
import { ipv4Of, ipv6Of, parseIp, readIp } from "../targets/ip.ts";
import { specialPurposeOf } from "../targets/special-purpose.ts";
import {
  allowedNetworks,
  type ForbiddenReason,
  fetchOptionsSchema,
  forbiddenReason,
  type GuardRules,
} from "./ssrf-guard.ts";

const RULES: GuardRules = { allowNetworks: [], self: [], ownNetworks: [] };
const reasonOf = (text: string, port = 443, rules: Partial<GuardRules> = {}) =>
  forbiddenReason(parseIp(text), port, { ...RULES, ...rules });

/** Hosts as a URL may hold them; the WHATWG parser makes addresses of them. */
const HOSTILE_HOSTS = [
  // 127.0.0.1 in every spelling
  ...["127.0.0.1", "127.1", "127.0.1", "127.000.000.001", "0177.0.0.1"],
  ...["0177.0.0.01", "0x7f.0.0.1", "0x7f.1", "0x7f000001", "0X7F000001", "2130706433", "017700000001"],
  ...["0x7f.0x0.0x0.0x1", "0177.0x0.0.1", "127.0.0.1.", "127.1.", "127.0.0.0x1", "127.0x000001"],
  ...["127。0。0。1", "１２７.0.0.1", "①②⑦.⓪.⓪.①", "127．0．0．1", "%31%32%37.0.0.1", "127.0.0.1%2e"],
  ...["127.255.255.255", "127.127.127.127", "127.0.0.2", "127.8.9.1", "0x7f.255.1"],
  ...["[::1]", "[0:0:0:0:0:0:0:1]", "[0000::0001]", "[::0.0.0.1]", "[0:0::0:1]"],
  ...["[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[0:0:0:0:0:ffff:7f00:1]", "[::FFFF:127.0.0.1]"],
  ...["[::127.0.0.1]", "[::7f00:1]", "[64:ff9b::127.0.0.1]", "[64:ff9b::7f00:1]", "[64:ff9b:1::7f00:1]"],
  ...["[64:ff9b:1:2:3::127.0.0.1]", "[2002:7f00:1::]", "[2002:7f00:1::1]", "[2002:7fff:ffff:1:2:3:4:5]"],
  ...["[2001:0:4136:e378:8000:63bf:80ff:fffe]", "[2001:0:7f00:1:0:0:f7f7:f7f7]", "[2001::80ff:fffe]"],
  ...["[2606:4700::5efe:7f00:1]", "[2606:4700::200:5efe:127.0.0.1]", "[fe80::5efe:127.0.0.1]"],
  // this network and the unspecified address
  ...[
    "0",
    "0.0.0.0",
    "0x0",
    "00",
    "0.1",
    "0.255.255.255",
    "[::]",
    "[0::]",
    "[::ffff:0.0.0.0]",
    "[::0.0.0.0]",
  ],
  // private networks
  ...["10.0.0.1", "10.255.255.255", "10.1", "012.0.0.1", "0xa000001", "167772161", "[::ffff:10.0.0.1]"],
  ...[
    "172.16.0.1",
    "172.31.255.255",
    "0xac100001",
    "192.168.0.1",
    "192.168.1",
    "3232235521",
    "0300.0250.0.1",
  ],
  ...["[::ffff:c0a8:1]", "[64:ff9b::192.168.0.1]", "[2002:c0a8:1::]", "[2002:a00:1::1]", "[2002:ac10:1::]"],
  ...["[2001:0:4136:e378:8000:63bf:f5ff:fffe]", "[2606:4700::5efe:c0a8:1]", "[::10.0.0.1]"],
  ...["100.64.0.1", "100.127.255.255", "[fc00::1]", "[fd00::1]", "[fdff:ffff::1]", "[fec0::1]"],
  // metadata services and their kin
  ...["169.254.169.254", "0xa9fea9fe", "2852039166", "0251.0376.0251.0376", "169.254.43518"],
  ...["[::ffff:169.254.169.254]", "[::ffff:a9fe:a9fe]", "[64:ff9b::a9fe:a9fe]", "[2002:a9fe:a9fe::1]"],
  ...["[fd00:ec2::254]", "[fd20:ce::254]", "100.100.100.200", "192.0.0.192", "168.63.129.16"],
  ...["[64:ff9b::168.63.129.16]", "[2002:a83f:8110::]", "[fe80::1]", "[fe80::a9fe:a9fe]", "[febf::1]"],
  // the rest of the special ranges
  ...["192.0.0.1", "192.0.2.1", "198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.1"],
  ...["224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255", "0xffffffff", "4294967295"],
  ...["[ff02::1]", "[ff05::1:3]", "[2001:db8::1]", "[3fff::1]", "[100::1]", "[2001:2::1]", "[2001:10::1]"],
  ...["[5f00::1]", "[4000::1]", "[64:ff9b::8.8.8.8]", "[::8.8.8.8]", "[1::1]", "[8000::1]", "[e000::1]"],
  ...["[2001:1ff::1]", "[2002:e000:1::]", "[2002::]", "[2002:ffff:ffff::]"],
];

const forbidden = (port: number): [number, ForbiddenReason] => [port, "forbidden_port"];

describe("forbiddenReason()", () => {
  test("is tried on a hundred spellings and more", () => {
    expect(new Set(HOSTILE_HOSTS).size).toBeGreaterThan(130);
  });

  test.each([...new Set(HOSTILE_HOSTS)])("forbids http://%s/", (host) => {
    const { hostname } = new URL(`http://${host}/`);
    const ip = readIp(hostname.replace(/^\[(.*)\]$/, "$1"));
    expect(ip).not.toBeNull();
    if (ip) expect(forbiddenReason(ip, 80, RULES)).toBe("private_address");
  });

  test.each([
    "8.8.8.8",
    "1.1.1.1",
    "9.255.255.255",
    "11.0.0.0",
    "172.15.255.255",
    "172.32.0.0",
    "192.0.0.9",
    "223.255.255.255",
    "2606:4700:4700::1111",
    "2002:808:808::1",
    "2001:0:808:808:0:0:f7f7:f7f7",
    "2606:4700::5efe:8.8.8.8",
    "::ffff:8.8.8.8",
    "2001:200::1",
  ])("lets %s pass", (text) => {
    expect(reasonOf(text)).toBeNull();
  });

  test("forbids every bogon, and every IPv6 address outside 2000::/3", () => {
    const word = fc.nat(0xffffffff);
    const ip = fc.oneof(
      word.map(ipv4Of),
      fc.tuple(word, word, word, word).map(([a, b, c, d]) => ipv6Of([a, b, c, d])),
    );
    fc.assert(
      fc.property(ip, (address) => {
        const isOutside = address.version === "v6" && address.words[0] >>> 29 !== 1;
        if (isOutside || specialPurposeOf(address)?.isBogon) {
          expect(forbiddenReason(address, 443, RULES)).toBe("private_address");
        }
      }),
    );
  });

  test("forbids an address that wraps a forbidden one, in each form of wrapping", () => {
    fc.assert(
      fc.property(fc.nat(0xffffffff), fc.nat(0xffffffff), (value, other) => {
        const inner = ipv4Of(value);
        const wrapped = [
          ipv6Of([(0x20020000 | (value >>> 16)) >>> 0, ((value << 16) | 1) >>> 0, other, other]),
          ipv6Of([0x20010000, value, other, ~0x08080808 >>> 0]),
          ipv6Of([0x20010000, 0x08080808, other, ~value >>> 0]),
          ipv6Of([0x26064700, 0, 0x5efe, value]),
          ipv6Of([0x26064700, 0, 0x02005efe, value]),
        ];
        if (forbiddenReason(inner, 443, RULES) === null) return;
        for (const ip of wrapped) expect(forbiddenReason(ip, 443, RULES)).toBe("private_address");
      }),
    );
  });

  test.each<[number, ForbiddenReason | null]>([
    [80, null],
    [443, null],
    [1024, null],
    [8080, null],
    [65535, null],
    [0, "forbidden_port"],
    [-1, "forbidden_port"],
    [65536, "forbidden_port"],
    [Number.NaN, "forbidden_port"],
    [80.5, "forbidden_port"],
    [1, "forbidden_port"],
    [22, "forbidden_port"],
    [25, "forbidden_port"],
    [43, "forbidden_port"],
    [79, "forbidden_port"],
    [81, "forbidden_port"],
    [442, "forbidden_port"],
    [1023, "forbidden_port"],
    ...[2049, 3306, 3389, 5432, 6379, 9200, 11211, 27017].map(forbidden),
  ])("judges port %d of a global address as %s", (port, reason) => {
    expect(reasonOf("8.8.8.8", port)).toBe(reason);
  });

  test("lets a WHOIS referral reach port 43 of an allowed address only", () => {
    expect(reasonOf("8.8.8.8", 43, { extraPorts: [43] })).toBeNull();
    expect(reasonOf("8.8.8.8", 25, { extraPorts: [43] })).toBe("forbidden_port");
    expect(reasonOf("127.0.0.1", 43, { extraPorts: [43] })).toBe("private_address");
  });

  test("names the address first where address and port are both forbidden", () => {
    expect(reasonOf("127.0.0.1", 22)).toBe("private_address");
  });

  test("opens the operator's networks with all ports above 0, and nothing beside them", () => {
    const rules = { allowNetworks: allowedNetworks(["127.0.0.0/28", "fd00:1::/32"]) };
    expect(reasonOf("127.0.0.15", 22, rules)).toBeNull();
    expect(reasonOf("127.0.0.15", 0, rules)).toBe("forbidden_port");
    expect(reasonOf("::ffff:127.0.0.1", 6379, rules)).toBeNull();
    expect(reasonOf("fd00:1::1", 80, rules)).toBeNull();
    expect(reasonOf("127.0.0.16", 80, rules)).toBe("private_address");
    expect(reasonOf("fd00:2::1", 80, rules)).toBe("private_address");
    expect(reasonOf("::127.0.0.1", 80, rules)).toBe("private_address");
    expect(reasonOf("8.8.8.8", 22, rules)).toBe("forbidden_port");
  });

  test("opens no private address inside an opened network of translated ones", () => {
    const rules = { allowNetworks: allowedNetworks(["64:ff9b::/96"]) };
    expect(reasonOf("64:ff9b::8.8.8.8", 443, rules)).toBeNull();
    expect(reasonOf("64:ff9b::10.0.0.1", 443, rules)).toBe("private_address");
  });

  test("forbids the service itself, also where its network is opened", () => {
    const rules = {
      allowNetworks: allowedNetworks(["127.0.0.0/8"]),
      self: [
        { network: parseCidr("127.0.0.1"), port: 8080 },
        { network: parseCidr("8.8.4.4"), port: 8080 },
      ],
    };
    expect(reasonOf("127.0.0.1", 8080, rules)).toBe("self");
    expect(reasonOf("::ffff:127.0.0.1", 8080, rules)).toBe("self");
    expect(reasonOf("8.8.4.4", 8080, rules)).toBe("self");
    expect(reasonOf("2002:808:404::", 8080, rules)).toBe("self");
    expect(reasonOf("127.0.0.1", 8081, rules)).toBeNull();
    expect(reasonOf("127.0.0.2", 8080, rules)).toBeNull();
  });
});

describe("fetchOptionsSchema", () => {
  test("has the documented defaults", () => {
    expect(fetchOptionsSchema.parse({})).toEqual({
      allow_networks: [],
      ca_file: null,
      timeout_ms: 10_000,
      max_bytes: 5_242_880,
    });
  });

  test.each([
    { allow_networks: ["10.0.0.1/8"] },
    { allow_networks: ["localhost"] },
    { timeout_ms: 0 },
    { user_agent: "a\r\nX: y" },
    { verify: false },
  ])("refuses %j", (options) => {
    expect(fetchOptionsSchema.safeParse(options).success).toBe(false);
  });
});
