import { readFileSync } from "node:fs";
import { afterEach, expect, test } from "vitest";
import { createChance } from "../../../bench/statistics.ts";
import { eachRow } from "../rows.ts";
import { createTestWorld, type TestWorld } from "../test-world.ts";
import { SCENARIOS } from "./decision.ts";
import { writeDeltaStream, writeWholeStream } from "./stream-body.ts";
import { deltaId, type StreamView, viewId } from "./stream-view.ts";

let world: TestWorld | null = null;
afterEach(() => world?.close());

const POLICIES = { edge: { block_at: 75, challenge_at: 50 } };
const open = (more: object = {}): TestWorld => {
  world = createTestWorld([{ name: "edge", policy: "edge", ...more }], { policies: POLICIES });
  return world;
};

/** Scores 90, 60 and 35: blocked, challenged and allowed. */
const lists = (block: readonly string[], challenge: readonly string[], allow: readonly string[] = []) => ({
  block: {
    c2: { lines: block, category: "c2", more: { format: "netset" } },
    attack: { lines: challenge, category: "attack", more: { format: "netset" } },
    scanner: { lines: allow, category: "scanner", more: { format: "netset" } },
  },
});

const NETWORKS: StreamView = {
  ...{ expand: "no", hasIps: true, hasRanges: true },
  scenarios: SCENARIOS.map(() => true),
};
const ADDRESSES: StreamView = { ...NETWORKS, expand: "ip", hasRanges: false };
type Decision = { readonly value: string; readonly type: string };
type Stream = { readonly new: readonly Decision[]; readonly deleted: readonly Decision[] };

async function stream(made: TestWorld, view = NETWORKS, from: number | null = null): Promise<Stream> {
  const [files, generation, { differences }] = [
    made.files("edge"),
    made.generation("edge"),
    made.state("edge"),
  ];
  const telling = { view, durationS: 14_400 };
  if (from === null) await writeWholeStream(files, generation, { ...telling, differences });
  else await writeDeltaStream(files, generation, { ...telling, differences, from });
  const id = from === null ? viewId(telling) : deltaId(telling, from);
  return JSON.parse(readFileSync(files.body(generation.facts.generation, id), "utf8"));
}

const told = (decisions: readonly Decision[]): readonly string[] =>
  decisions.map(({ type, value }) => `${type} ${value}`);

test("what the policy challenges is told as captcha, and is in no file", async () => {
  const made = open();
  await made.make(
    lists(["45.1.0.0/25", "2a01:5::/48"], ["45.1.0.128/25", "45.1.1.7", "2a01:5:1::/48"], ["45.9.9.9"]),
  );
  expect(told((await stream(made)).new)).toEqual([
    ...["ban 45.1.0.0/25", "captcha 45.1.0.128/25", "captcha 45.1.1.7"],
    ...["ban 2a01:5::/48", "captcha 2a01:5:1::/48"],
  ]);
  expect([...eachRow(made.generation("edge"))].map(({ value }) => value)).toEqual([
    ...["45.1.0.0/25", "2a01:5::/48"],
  ]);
  expect(made.body("edge.nft")).not.toContain("45.1.0.128");
  expect(made.state("edge").facts).toMatchObject({
    ...{ entries: 2, ipv4_entries: 1, ipv6_entries: 1, challenged_entries: 3 },
  });
});

test("the firewall's bouncer is told bans alone", async () => {
  const made = open();
  await made.make(lists(["45.1.0.1"], ["45.1.0.3", "45.2.0.0/16"]));
  expect(told((await stream(made, { ...NETWORKS, expand: "24" })).new)).toEqual(["ban 45.1.0.1"]);
});

test("who takes addresses alone is told them out of networks, and of challenges", async () => {
  const made = open();
  await made.make(lists(["45.1.0.0/31", "45.2.0.0/16", "2a01:5::/48"], ["45.1.0.6/31", "45.1.1.7"]));
  expect(told((await stream(made, ADDRESSES)).new)).toEqual([
    ...["ban 45.1.0.0", "ban 45.1.0.1", "captcha 45.1.0.6", "captcha 45.1.0.7", "captcha 45.1.1.7"],
  ]);
});

test("a score that crosses the line goes as one and comes as the other", async () => {
  const made = open();
  await made.make(lists(["45.1.0.1", "45.1.0.5"], ["45.1.0.3", "45.1.0.9"]));
  const from = made.generation("edge").facts.generation;
  await made.make(
    lists(["45.1.0.3", "45.1.0.5"], ["45.1.0.1", "45.1.0.9"]),
    new Date(made.now.getTime() + 3_600_000),
  );
  const { new: came, deleted } = await stream(made, NETWORKS, from);
  expect(told(came)).toEqual(["captcha 45.1.0.1", "ban 45.1.0.3"]);
  expect([...told(deleted)].sort()).toEqual(["ban 45.1.0.1", "captcha 45.1.0.3"]);
});

test("what would only be challenged fills no network, and no export", async () => {
  const made = open({ aggregate: { promote: "24:2" } });
  await made.make(lists(["45.1.1.1", "45.1.2.1", "45.1.2.3"], ["45.1.1.3", "45.1.1.5", "45.1.2.5"]));
  expect(told((await stream(made)).new)).toEqual([
    ...["ban 45.1.1.1", "captcha 45.1.1.3", "captcha 45.1.1.5", "ban 45.1.2.0/24"],
  ]);
  const empty = open();
  await empty.make(lists([], ["45.1.1.3"]));
  expect(empty.state("edge")).toMatchObject({ facts: null, held: { reason: "too_few", entries: 0 } });
});

test("the limit keeps what is blocked first, and counts what it cuts of that", async () => {
  const made = open({ limit: 3 });
  await made.make(lists(["45.1.0.9", "45.1.0.7"], ["45.1.0.1", "45.1.0.3"]));
  expect(told((await stream(made)).new)).toEqual(["captcha 45.1.0.1", "ban 45.1.0.7", "ban 45.1.0.9"]);
  expect(made.state("edge").facts).toMatchObject({ entries: 2, challenged_entries: 1, cut_by_limit: 0 });
});

test.each([
  ["networks", NETWORKS],
  ["addresses", ADDRESSES],
])("a bouncer with any generation has, after its changes, what one that begins has: %s", async (_, view) => {
  const made = open();
  const chance = createChance(51);
  const pick = (share: number): readonly string[] =>
    Array.from({ length: 40 }, (_, i) => `45.3.0.${i}`).filter(() => chance() < share);
  const held: { readonly generation: number; readonly has: Map<string, string> }[] = [];
  for (let round = 0; round < 7; round++) {
    await made.make(
      lists(["45.4.0.0/16", ...pick(0.4)], pick(0.5)),
      new Date(made.now.getTime() + round * 3_600_000),
    );
    const { generation } = made.generation("edge").facts;
    const whole = new Map((await stream(made, view)).new.map(({ value, type }) => [value, type]));
    for (const bouncer of held) {
      const { new: came, deleted } = await stream(made, view, bouncer.generation);
      const has = new Map(bouncer.has);
      for (const { value } of deleted) has.delete(value);
      for (const { value, type } of came) has.set(value, type);
      expect(has).toEqual(whole);
    }
    if (held.at(-1)?.generation !== generation) held.push({ generation, has: whole });
  }
  expect(held.length).toBeGreaterThan(4);
});
