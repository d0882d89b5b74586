import { renderBody } from "../src/exports/bodies.ts";
import { buildExports } from "../src/exports/build.ts";
import { createTestWorld } from "../src/exports/test-world.ts";
import { formatsFor, variantOf } from "../src/exports/variant.ts";
import { formatIpv4 } from "../src/targets/ip.ts";

// `node bin/node.cjs bench/exports.ts [ENTRIES]`: how long a build of one export takes beside the compile of the index, and
// each of its bodies. The entries are single addresses and networks, a third of which two lists name.

const count = Number(process.argv[2] ?? "300000");
const mixed = (i: number): number => Math.imul(i + 1, 0x9e3779b1) >>> 0;
const addresses = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, i) => formatIpv4((0x2d000000 + (mixed(i + from) >>> 7)) >>> 0));

const world = createTestWorld([{ name: "edge" }]);
await world.make({
  block: {
    one: { lines: addresses(0, Math.floor((count * 2) / 3)) },
    two: { lines: addresses(Math.floor(count / 3), count), category: "abuse" },
  },
});
const { build } = world;
const timed = async (what: string, work: () => unknown): Promise<void> => {
  const startMs = performance.now();
  const made = await work();
  const more = typeof made === "number" ? `, ${(made / 1e6).toFixed(1)} MB` : "";
  process.stdout.write(`${what}: ${Math.round(performance.now() - startMs)} ms${more}\n`);
};
const generation = world.generation("edge");
process.stdout.write(`${generation.facts.entries} entries\n`);
await timed("build, nothing changed", () => buildExports({ ...build, nowMs: build.nowMs + 3_600_000 }));
for (const format of formatsFor("ip")) {
  await timed(format.ext, () => renderBody(generation, variantOf(format, {}, "ip")).content.byteLength);
}
world.close();
