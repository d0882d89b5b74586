import { afterEach, expect, test } from "vitest";
import { writeBody } from "../../exports/bodies.ts";
import { createTestWorld, type TestWorld } from "../../exports/test-world.ts";
import { formatOf, nothingIn, type Variant, variantOf } from "../../exports/variant.ts";
import { fileHeaders, hasAlready } from "./question.ts";

const worlds: TestWorld[] = [];
afterEach(() => {
  for (const world of worlds.splice(0)) world.close();
});

function variant(ext: string, query: Readonly<Record<string, string>> = {}): Variant {
  const format = formatOf(ext);
  if (format === null) throw new Error(ext);
  return variantOf(format, query, "ip");
}

/** A file as a process with a data folder of its own makes it, in the same second as any other here. */
async function made(lines: readonly string[], ext = "txt") {
  const world = createTestWorld([{ name: "edge" }]);
  worlds.push(world);
  await world.make({ block: { nets: { lines, more: { format: "netset" } } } });
  const generation = world.generation("edge");
  const info = await writeBody(world.files("edge"), generation, variant(ext));
  return { facts: generation.facts, info, variant: variant(ext), coding: null };
}

const tagOf = (version: Awaited<ReturnType<typeof made>>): string => fileHeaders(version)["ETag"] ?? "";

test.each(["txt", "nft", "csv"])(
  "processes that share no folder take no file of one another for their own: %s",
  async (ext) => {
    const [one, same, other] = [
      await made(["45.1.1.1", "45.1.1.9"], ext),
      await made(["45.1.1.1", "45.1.1.9"], ext),
      await made(["45.1.1.1", "45.1.1.7"], ext),
    ];
    expect(new Set([one, same, other].map(({ facts }) => facts.generation)).size).toBe(1);
    expect(hasAlready({ "if-none-match": tagOf(one) }, same)).toBe(true);
    expect(hasAlready({ "if-none-match": tagOf(one) }, other)).toBe(false);
    expect(hasAlready({ "if-none-match": tagOf(other) }, one)).toBe(false);
  },
);

test("of a family without addresses there is nothing to send", async () => {
  const { facts } = await made(["45.1.1.1"]);
  const [four, six] = [variant("txt", { v: "4" }), variant("rsc", { v: "6", v6syntax: "1" })];
  expect([four, six, variant("rbl6")].map((one) => nothingIn(facts, one))).toEqual([
    null,
    'The export "edge" has no IPv6 entries',
    null,
  ]);
});
