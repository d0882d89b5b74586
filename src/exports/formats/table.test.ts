import { afterEach, expect, test } from "vitest";
import { feedTextOf } from "../../feeds/feed-text.ts";
import { repute } from "../../feeds/formats/repute.ts";
import type { LISTED_KINDS } from "../../targets/listed-kinds.ts";
import { createTestWorld, type TestWorld } from "../test-world.ts";

let world: TestWorld | null = null;
afterEach(() => world?.close());

const read = (text: string) => [...repute.parse(feedTextOf(Buffer.from(text)), {})];

/** Values of strangers' lists, in their one spelling and in the order of files. */
const VALUES: readonly [target: (typeof LISTED_KINDS)[number], values: readonly string[]][] = [
  ["ip", ["198.51.100.7", "203.0.113.0/25", "2001:db8::/48", "2001:db8:1::1"]],
  ["domain", ["evil.net", "xn--bcher-kva.net"]],
  ["url", ["http://a.net/?a=1,2&b=%22", "http://b.net/;'=1", `http://c.net/${"c".repeat(3000)}`]],
  ["email", ["'+a@evil.net", "''=b@evil.net", "+a@evil.net", "-c@evil.net", "=d@evil.net", "o'e@evil.net"]],
];

test.each(VALUES)("csv and ndjson of %s are read by another Repute as they are", async (target, values) => {
  world = createTestWorld([{ name: "first", target, subtract: [] }]);
  await world.make({ block: { bad_list: { lines: values, target } } });
  const entries = read(world.body("first.ndjson"));
  expect(entries.map((entry) => ("value" in entry ? entry.value : entry)).toSorted()).toEqual(
    values.toSorted(),
  );
  for (const entry of entries)
    expect(entry).toMatchObject({ detail: { reason: expect.stringMatching(/^Score \d+: bad_list$/) } });
  expect(read(world.body("first.csv"))).toEqual(entries);
});
