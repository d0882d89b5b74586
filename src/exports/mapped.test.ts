import { expect, test } from "vitest";
import { numberOfWords } from "../blocklist-index/regions.ts";
import { cidrContains, parseCidr } from "../targets/cidr.ts";
import { eachRow } from "./rows.ts";
import { createTestWorld } from "./test-world.ts";

/** Networks, and how many times 2^32 addresses are left out of each: `::/8` holds those of NAT64 too. */
const AROUND_MAPPED = [
  ["::/8", 2n],
  ["::/64", 1n],
  ["::/80", 1n],
  ["::fffe:0:0/95", 1n],
  ["::fff0:0:0/92", 1n],
  ["::2:0:0:0/79", 0n],
] as const;

test.each(AROUND_MAPPED)(
  "no network of IPv6 holds IPv4 written as IPv6: of %s the rest is exported",
  async (network, out) => {
    const world = createTestWorld([{ name: "edge", subtract: [] }]);
    await world.make({ block: { nets: { lines: [network, "2a01:5::/32"] } } });
    const values = [...eachRow(world.generation("edge"))].map(({ value }) => value);
    world.close();
    const whole = parseCidr(network);
    const sizeOf = (text: string) => 1n << BigInt(128 - parseCidr(text).prefix);
    const exported = values.filter((value) => value !== "2a01:5::/32");
    expect(exported.reduce((sum, value) => sum + sizeOf(value), 0n)).toBe(sizeOf(network) - (out << 32n));
    for (const value of exported) {
      expect(cidrContains(whole, parseCidr(value).network)).toBe(true);
      expect(coversMapped(value), value).toBe(false);
    }
  },
);

/** Whether a network of IPv6 has an address in common with `::ffff:0:0/96`. */
function coversMapped(text: string): boolean {
  const { network, prefix } = parseCidr(text);
  if (network.version === "v4") return true;
  const first = numberOfWords(network.words);
  return first <= 0xffff_ffff_ffffn && first + (1n << BigInt(128 - prefix)) > 0xffff_0000_0000n;
}
