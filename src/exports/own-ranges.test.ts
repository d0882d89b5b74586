import { expect, test } from "vitest";
import { eachRow } from "./rows.ts";
import { createTestWorld } from "./test-world.ts";

const exportedOf = async (...lines: readonly string[]): Promise<readonly string[]> => {
  const world = createTestWorld([{ name: "edge", subtract: [] }]);
  await world.make({ block: { nets: { lines: [...lines, "45.1.2.3"] } } });
  const values = [...eachRow(world.generation("edge"))].map(({ value }) => value);
  world.close();
  return values.filter((value) => value !== "45.1.2.3");
};

test.each([
  "127.0.0.1",
  "127.0.0.0/8",
  "127.5.5.5",
  "0.0.0.0",
  "0.0.0.0/8",
  "169.254.1.1",
  "224.0.0.1",
  "239.255.255.0/24",
  "255.255.255.255",
  "::1",
  "::/127",
  "fe80::1",
  "fe80::/10",
  "ff02::1",
])("what machines need for themselves and on their link is in no export: %s", async (value) => {
  expect(await exportedOf(value)).toEqual([]);
});

test.each([
  ["126.0.0.0/7", ["126.0.0.0/8"]],
  ["10.1.2.3", ["10.1.2.3"]],
  ["192.168.0.0/16", ["192.168.0.0/16"]],
  ["168.0.0.0/7", ["168.0.0.0/8", "169.0.0.0/9", "169.128.0.0/10", "169.192.0.0/11", "169.224.0.0/12"]],
  ["255.255.255.254/31", ["255.255.255.254"]],
  ["240.0.0.0/5", ["240.0.0.0/5"]],
  ["fd00::/8", ["fd00::/8"]],
  ["::/126", ["::2/127"]],
  ["fe00::/9", ["fe00::/9"]],
])("of %s the rest is", async (network, rest) => {
  const values = await exportedOf(network);
  expect(values.slice(0, rest.length)).toEqual(rest);
});
