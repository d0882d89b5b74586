import { afterEach, expect, test } from "vitest";
import { parseCidr } from "../../targets/cidr.ts";
import { eachRow } from "../rows.ts";
import { createTestWorld, type TestWorld } from "../test-world.ts";
import { createRowFinder } from "./lookup.ts";

let world: TestWorld | null = null;
afterEach(() => world?.close());

const MIXED = [
  ...["5.6.7.8", "45.1.0.0/16", "45.3.0.128/25", "199.255.255.255"],
  ...["2a01:5::/32", "2a01:7:0:8000::/49", "2a01:8::1", "2a0f::/29"],
];

test.each([
  ["both families", MIXED],
  ["IPv4 alone", MIXED.slice(0, 4)],
  ["IPv6 alone", MIXED.slice(4)],
])("every row is found by its value and by the addresses at its ends: %s", async (_, lines) => {
  world = createTestWorld([{ name: "edge" }]);
  await world.make({ block: { nets: { lines, more: { format: "netset" } } } });
  const generation = world.generation("edge");
  const finder = createRowFinder(generation);
  const values = [...eachRow(generation)].map(({ value }) => value);
  expect(values).toEqual(lines);
  for (const value of values) {
    expect([value, finder.exact(parseCidr(value))?.value]).toEqual([value, value]);
    const [address = ""] = value.split("/");
    expect([address, finder.covering(parseCidr(address))?.value]).toEqual([address, value]);
  }
});

test.each([
  ["45.2.0.0", null],
  ["45.1.255.255", "45.1.0.0/16"],
  ["45.3.0.127", null],
  ["45.3.0.255", "45.3.0.128/25"],
  ["2a01:5:ffff:ffff:ffff:ffff:ffff:ffff", "2a01:5::/32"],
  ["2a01:6::", null],
  ["2a01:7:0:7fff::", null],
  ["2a01:7:0:ffff::1", "2a01:7:0:8000::/49"],
  ["2a01:8::2", null],
  ["2a0f:7::1", "2a0f::/29"],
  ["2a0f:8::", null],
  ["::", null],
  ["2a01:5:1::/48", "2a01:5::/32"],
  ["2a01:4::/31", null],
])("%s is in %s", async (text, value) => {
  world = createTestWorld([{ name: "edge" }]);
  await world.make({ block: { nets: { lines: MIXED, more: { format: "netset" } } } });
  expect(createRowFinder(world.generation("edge")).covering(parseCidr(text))?.value ?? null).toBe(value);
});
