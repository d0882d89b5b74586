import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cidrContains } from "./cidr.ts";
import { ipv4Of, parseIp } from "./ip.ts";
import { cidrsOf } from "./ip-range.ts";

const textsOf = (first: string, last: string) =>
  cidrsOf(parseIp(first), parseIp(last)).map(({ text }) => text);

describe("cidrsOf()", () => {
  test.each([
    ["192.0.2.0", "192.0.2.255", ["192.0.2.0/24"]],
    ["192.0.2.7", "192.0.2.7", ["192.0.2.7/32"]],
    ["0.0.0.0", "255.255.255.255", ["0.0.0.0/0"]],
    ["198.51.100.0", "198.51.102.255", ["198.51.100.0/23", "198.51.102.0/24"]],
    ["2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", ["2001:db8::/32"]],
    ["2001:db8::1", "2001:db8::3", ["2001:db8::1/128", "2001:db8::2/127"]],
  ])("makes %s to %s into %j", (first, last, networks) => {
    expect(textsOf(first, last)).toEqual(networks);
  });

  test("makes nothing of a range the wrong way round or of two versions", () => {
    expect(textsOf("192.0.2.9", "192.0.2.1")).toEqual([]);
    expect(textsOf("192.0.2.9", "2001:db8::1")).toEqual([]);
  });

  test("holds exactly the range's addresses", () => {
    const value = fc.nat({ max: 0xffff });
    fc.assert(
      fc.property(value, value, value, (a, b, c) => {
        const [first, last] = [Math.min(a, b), Math.max(a, b)];
        const networks = cidrsOf(ipv4Of(first), ipv4Of(last));
        const holders = networks.filter((network) => cidrContains(network, ipv4Of(c)));
        expect(holders).toHaveLength(c >= first && c <= last ? 1 : 0);
      }),
    );
  });
});
