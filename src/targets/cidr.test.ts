import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { InvalidValue } from "../base/failure.ts";
import { cidrContains, createNetworkSet, parseCidr, readCidr } from "./cidr.ts";
import { ipv4Of, ipv6Of, parseIp } from "./ip.ts";

const reasonOf = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    if (error instanceof InvalidValue) return error.reason;
    throw error;
  }
  return "accepted";
};

describe("parseCidr()", () => {
  test.each([
    ["198.51.100.0/24", "198.51.100.0/24"],
    ["0.0.0.0/0", "0.0.0.0/0"],
    ["203.0.113.7", "203.0.113.7/32"],
    ["2001:DB8:0::/32", "2001:db8::/32"],
    ["::/0", "::/0"],
    ["2001:db8::1", "2001:db8::1/128"],
    ["::ffff:10.0.0.0/104", "10.0.0.0/8"],
    ["::ffff:10.0.0.1", "10.0.0.1/32"],
  ])("reads %s as %s", (text, canonical) => {
    expect(parseCidr(text).text).toBe(canonical);
  });

  test.each(["10.0.0.1/8", "2001:db8::1/32", "192.0.2.128/24", "::ffff:10.0.0.1/104"])(
    "refuses host bits set: %s",
    (text) => {
      expect(reasonOf(() => parseCidr(text))).toBe("host_bits");
    },
  );

  test.each([
    "",
    "/",
    "/8",
    "10.0.0.0/",
    "10.0.0.0/33",
    "10.0.0.0/-1",
    "10.0.0.0/08",
    "10.0.0.0/ 8",
    "10.0.0.0/8/8",
    "10.0.0.0/255.0.0.0",
    "10/8",
    "010.0.0.0/8",
    "2001:db8::/129",
    "[2001:db8::]/32",
    "fe80::%eth0/64",
    "example.com/24",
  ])("refuses %j", (text) => {
    expect(reasonOf(() => parseCidr(text))).toBe("invalid_cidr");
  });
});

describe("readCidr()", () => {
  test("drops host bits when told to", () => {
    expect(readCidr("10.1.2.3/8", { hostBits: "drop" })?.text).toBe("10.0.0.0/8");
    expect(readCidr("2001:db8::1/33", { hostBits: "drop" })?.text).toBe("2001:db8::/33");
    expect(readCidr("10.1.2.3/8")).toBeNull();
  });

  test("gives a text that reads as the same network again", () => {
    const v4 = fc
      .tuple(fc.nat(0xffffffff), fc.nat(32))
      .map(([value, prefix]) => `${ipv4Of(value).text}/${prefix}`);
    const word = fc.nat(0xffffffff);
    const v6 = fc
      .tuple(word, word, word, word, fc.nat(128))
      .map(([a, b, c, d, prefix]) => `${ipv6Of([a, b, c, d]).text}/${prefix}`);
    fc.assert(
      fc.property(fc.oneof(v4, v6), (text) => {
        const cidr = readCidr(text, { hostBits: "drop" });
        expect(cidr).not.toBeNull();
        if (cidr) expect(parseCidr(cidr.text)).toEqual(cidr);
      }),
    );
  });
});

describe("cidrContains()", () => {
  test("holds exactly the addresses whose first bits are the network's", () => {
    fc.assert(
      fc.property(fc.nat(0xffffffff), fc.nat(0xffffffff), fc.nat(32), (network, value, prefix) => {
        const cidr = readCidr(`${ipv4Of(network).text}/${prefix}`, { hostBits: "drop" });
        const bits = (number: number) => number.toString(2).padStart(32, "0").slice(0, prefix);
        expect(cidr && cidrContains(cidr, ipv4Of(value))).toBe(bits(network) === bits(value));
      }),
    );
  });

  test("compares IPv6 over word borders", () => {
    const cidr = parseCidr("2001:db8:0:8000::/49");
    expect(cidrContains(parseCidr("2001:db8::/48"), parseIp("2001:db8:0:ffff::1"))).toBe(true);
    expect(cidrContains(cidr, parseIp("2001:db8:0:8001::"))).toBe(true);
    expect(cidrContains(cidr, parseIp("2001:db8:0:7fff::"))).toBe(false);
  });

  test("keeps the versions apart", () => {
    expect(cidrContains(parseCidr("::/0"), parseIp("8.8.8.8"))).toBe(false);
    expect(cidrContains(parseCidr("0.0.0.0/0"), parseIp("::8.8.8.8"))).toBe(false);
    expect(cidrContains(parseCidr("10.0.0.0/8"), parseIp("::ffff:10.1.1.1"))).toBe(true);
  });
});

describe("createNetworkSet()", () => {
  test("holds the addresses of each network", () => {
    const set = createNetworkSet(["10.0.0.0/8", "fd00::/8", "203.0.113.7"]);
    expect(["10.9.9.9", "fd00::1", "203.0.113.7"].every((text) => set.has(parseIp(text)))).toBe(true);
    expect(["11.0.0.0", "fc00::1", "203.0.113.8"].some((text) => set.has(parseIp(text)))).toBe(false);
  });

  test("is empty without networks", () => {
    expect(createNetworkSet([]).has(parseIp("127.0.0.1"))).toBe(false);
  });

  test("refuses a text that is no network", () => {
    expect(reasonOf(() => createNetworkSet(["10.0.0.0/8", "localhost"]))).toBe("invalid_cidr");
  });
});
