import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatIpv4, formatIpv6 } from "../targets/ip.ts";
import { type AddressEntry, readAddressEntries } from "./addresses.ts";

const textOf = (entry: AddressEntry): string => {
  if (entry.family === "asn") return `AS${entry.asn}`;
  return `${entry.family === "v4" ? formatIpv4(entry.value) : formatIpv6(entry.words)}/${entry.prefix}`;
};

describe("readAddressEntries()", () => {
  test.each([
    ["192.0.2.7", ["192.0.2.7/32"], "an address"],
    ["192.0.2.0/24", ["192.0.2.0/24"], "a CIDR"],
    ["192.0.2.9/24", ["192.0.2.0/24"], "host bits set"],
    ["001.002.003.004", ["1.2.3.4/32"], "leading zeros are decimal"],
    ["198.51.100.010/32", ["198.51.100.10/32"], "leading zeros in a CIDR"],
    ["192[.]0[.]2[.]7", ["192.0.2.7/32"], "defanged"],
    ["192(dot)0(dot)2(dot)7", ["192.0.2.7/32"], "defanged with words"],
    ["192.0.2.7:8080", ["192.0.2.7/32"], "a port"],
    ["[2001:db8::7]:443", ["2001:db8::7/128"], "brackets and a port"],
    ["2001:DB8:0::7", ["2001:db8::7/128"], "upper case"],
    ["fe80::1%eth0", ["fe80::1/128"], "a zone id"],
    ["::ffff:192.0.2.7", ["192.0.2.7/32"], "mapped IPv6"],
    ["::ffff:192.0.2.0/120", ["192.0.2.0/24"], "a mapped network"],
    ["2001:db8::1/64", ["2001:db8::/64"], "an IPv6 network"],
    ["198.51.100.4-198.51.100.9", ["198.51.100.4/30", "198.51.100.8/31"], "a range"],
    ["0.0.0.0-255.255.255.255", ["0.0.0.0/0"], "the whole range is /0"],
    ["2001:db8::-2001:db8::3", ["2001:db8::/126"], "an IPv6 range"],
    ["198.51.100.*", ["198.51.100.0/24"], "a last number left open"],
    ["198.51.*.*", ["198.51.0.0/16"], "two of them"],
    ["198[.]051[.]*[.]*", ["198.51.0.0/16"], "defanged, with a leading zero"],
    ["192.0.2.9/255.255.255.0", ["192.0.2.0/24"], "a mask of the network"],
    ["192.0.2.9/0.0.0.15", ["192.0.2.0/28"], "a mask of the hosts"],
    ["192.0.2.9/255.255.255.255", ["192.0.2.9/32"], "the mask of one address"],
    ["192.0.2.9/0.0.0.0", ["0.0.0.0/0"], "the mask of all addresses"],
    ["AS64500", ["AS64500"], "an AS number"],
    ["as64500", ["AS64500"], "an AS number in lower case"],
  ])("reads %s", (text, found) => {
    expect(readAddressEntries(text).map(textOf)).toEqual(found);
  });

  test.each([
    ["198.51.100.9-198.51.100.4", "reversed"],
    ["192.0.2.0/33", "too long a prefix"],
    ["192.0.2.0/", "no prefix"],
    ["192.0.2.256", "an octet too large"],
    ["192.0.2", "three octets"],
    ["*.*.*.*", "every address"],
    ["192.0.*.7", "a number left open that is not at the end"],
    ["192.*.*", "a wildcard of three numbers"],
    ["192.0.2.7*", "a number with a sign behind it"],
    ["192.0.2.256.*", "a wildcard of five numbers"],
    ["300.0.2.*", "a wildcard with a number too large"],
    ["2001:db8::*", "an IPv6 wildcard"],
    ["*.bad.example", "a wildcard of a name"],
    ["192.0.2.0/255.0.255.0", "a mask with a gap"],
    ["192.0.2.0/255.255.255", "a mask of three numbers"],
    ["2001:db8::/255.255.255.0", "a mask of the other family"],
    ["::ffff:192.0.2.0/255.255.255.0", "a mask of a mapped address"],
    ["64500", "a bare number"],
    ["AS0", "no AS"],
    ["AS4294967296", "beyond 32 bits"],
    ["bad.example", "a name"],
    ["192.0.2.1-2001:db8::1", "two families"],
    ["", "nothing"],
  ])("does not understand %s", (text) => {
    expect(readAddressEntries(text)).toEqual([]);
  });

  test("a range comes out as CIDRs that cover exactly its addresses, in order", () => {
    const address = fc.integer({ min: 0, max: 0xffff_ffff });
    fc.assert(
      fc.property(address, fc.integer({ min: 0, max: 100_000 }), (from, length) => {
        const to = Math.min(from + length, 0xffff_ffff);
        let next = from;
        for (const entry of readAddressEntries(`${formatIpv4(from)}-${formatIpv4(to)}`)) {
          if (entry.family !== "v4") throw new Error("not IPv4");
          expect(entry.value).toBe(next);
          next += 2 ** (32 - entry.prefix);
        }
        expect(next).toBe(to + 1);
      }),
    );
  });
});
