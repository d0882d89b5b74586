import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { afterEach, expect, test } from "vitest";
import { writeSnapshot } from "../blocklist-index/snapshot.ts";
import { readBodyInfo, writeBody } from "./bodies.ts";
import { buildExports } from "./build.ts";
import { parseViewId } from "./decisions/stream-view.ts";
import { writeNamedBody } from "./named-bodies.ts";
import { createTestWorld, type TestWorld } from "./test-world.ts";
import { variantWithId } from "./variant.ts";

let world: TestWorld | null = null;
afterEach(() => world?.close());

const STREAM = `stream~no~ir~${"1".repeat(15)}~14400`;
const HOUR_MS = 3_600_000;

/** Four generations, each without an address of the one before, and three differences. */
async function makeFour(): Promise<TestWorld> {
  const made = createTestWorld([{ name: "edge" }]);
  world = made;
  for (let i = 0; i < 4; i++) {
    const lines = Array.from({ length: 8 - i }, (_, j) => `45.1.${j}.1`);
    await made.make({ block: { hosts: { lines } } }, new Date(made.now.getTime() + i * HOUR_MS));
  }
  return made;
}

const streamOf = (made: TestWorld) => {
  const { generation } = made.generation("edge").facts;
  const text = readFileSync(made.files("edge").body(generation, STREAM), "utf8");
  const { new: came, deleted }: Record<string, { readonly value: string }[]> = JSON.parse(text);
  return { new: came?.map(({ value }) => value), deleted: deleted?.map(({ value }) => value) };
};

const DAMAGES: Record<string, (path: string) => unknown> = {
  "is damaged": (path) => {
    const octets = readFileSync(path);
    octets.fill(0xff, octets.length - 8);
    writeFileSync(path, octets);
  },
  "is cut": (path) => writeFileSync(path, readFileSync(path).subarray(0, 100)),
  "is gone": (path) => rmSync(path),
  "is of another version": (path) =>
    writeSnapshot(path, {
      ...{ kind: "export difference", version: 99, fingerprint: "", meta: {} },
      sections: { odd: new Uint8Array(4) },
    }),
};

test.each(Object.entries(DAMAGES))(
  "a difference that %s: bouncers start, and builds go on",
  async (_, damage) => {
    const made = await makeFour();
    const files = made.files("edge");
    const [first, second, third] = made.state("edge").differences;
    if (first === undefined || second === undefined || third === undefined)
      throw new Error("There are fewer");
    await damage(files.difference(second.to));
    expect(parseViewId(STREAM)).not.toBeNull();
    await writeNamedBody(files, made.generation("edge"), { id: STREAM, ...made.state("edge") });
    const left = [0, 1, 2, 3, 4].map((j) => `45.1.${j}.1`);
    expect(streamOf(made)).toEqual({ new: left, deleted: ["45.1.5.1"] });
    // Nothing changes: the bouncers that are further behind are told everything.
    const build = { ...made.build, wanted: { edge: [STREAM] } };
    await buildExports({ ...build, nowMs: made.now.getTime() + 4 * HOUR_MS });
    expect(made.state("edge")).toMatchObject({ fault: null, differences: [third] });
    // The next one has an address less.
    await damage(files.difference(third.to));
    const lines = left.slice(1);
    await made.make({ block: { hosts: { lines } } }, new Date(made.now.getTime() + 5 * HOUR_MS));
    expect(made.state("edge").fault).toBeNull();
    expect(made.state("edge").differences).toEqual([
      { from: third.to, to: made.generation("edge").facts.generation },
    ]);
  },
);

test("a generation that asks for streams is made beside a difference that cannot be read", async () => {
  const made = await makeFour();
  const [, , third] = made.state("edge").differences;
  rmSync(made.files("edge").difference(third?.to ?? 0));
  const wanting = { ...made.build, wanted: { edge: [STREAM] }, nowMs: made.now.getTime() + 4 * HOUR_MS };
  // Another version made it: it is made anew.
  const { state } = made.files("edge");
  writeFileSync(state, JSON.stringify({ ...made.state("edge"), madeBy: "0.0.1" }));
  await buildExports(wanting);
  expect(made.state("edge")).toMatchObject({ fault: null, differences: [] });
  expect(streamOf(made).deleted).toEqual([]);
});

test.each([['{"octets":5}'], ["{"], ["null"]])(
  "what is told of a body as %s is written anew",
  async (text) => {
    const made = await makeFour();
    const generation = made.generation("edge");
    const variant = variantWithId("txt", "ip");
    if (variant === null) throw new Error("There is no such body");
    const info = await writeBody(made.files("edge"), generation, variant);
    const read = () => readBodyInfo(made.files("edge"), generation.facts.generation, "txt");
    expect(read()).toEqual(info);
    writeFileSync(`${made.files("edge").body(generation.facts.generation, "txt")}.json`, text);
    expect(read()).toBeNull();
  },
);
