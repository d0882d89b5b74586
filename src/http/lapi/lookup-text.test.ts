import { afterEach, expect, test } from "vitest";
import { createRowFinder } from "../../exports/decisions/lookup.ts";
import { createTestWorld, type TestWorld } from "../../exports/test-world.ts";
import { lookupText } from "./lookup-text.ts";
import { readLapiQuestion } from "./question.ts";

let world: TestWorld | null = null;
afterEach(() => world?.close());

/** A /24 and an IPv6 network that are blocked, an address that is challenged. */
async function ask(query: string): Promise<unknown> {
  const policies = { edge: { block_at: 75, challenge_at: 50 } };
  world = createTestWorld([{ name: "edge", policy: "edge" }], { policies });
  const netset = { more: { format: "netset" } };
  await world.make({
    block: {
      c2: { lines: ["45.1.0.0/24", "2a01:5::/48"], category: "c2", ...netset },
      attack: { lines: ["45.2.0.7"], category: "attack", ...netset },
    },
  });
  const generation = world.generation("edge");
  const question = readLapiQuestion(`/lapi/v1/decisions?${query}`, "test/1");
  return JSON.parse(lookupText(question, generation.facts, createRowFinder(generation)));
}

test.each([
  ["ip=45.1.0.9", "ban", "Range", "45.1.0.0/24"],
  ["ip=45.1.0.9&type=ban", "ban", "Range", "45.1.0.0/24"],
  ["ip=45.2.0.7", "captcha", "Ip", "45.2.0.7"],
  ["value=45.2.0.7&type=captcha", "captcha", "Ip", "45.2.0.7"],
  ["ip=2a01:5:0:7::1", "ban", "Range", "2a01:5::/48"],
  ["range=2a01:5:0:7::/64&scopes=range", "ban", "Range", "2a01:5::/48"],
  ["ip=::ffff:45.1.0.9", "ban", "Range", "45.1.0.0/24"],
  ["ip=45.1.0.9&scenarios_containing=c2", "ban", "Range", "45.1.0.0/24"],
  ["ip=45.1.0.9&scenarios_not_containing=spam,", "ban", "Range", "45.1.0.0/24"],
  ["ip=45.1.0.9&banned=true", "ban", "Range", "45.1.0.0/24"],
  ["ip=45.1.0.9&scope=ip", "ban", "Ip", "45.1.0.9"],
  ["ip=45.1.0.9&scopes=ip&type=ban", "ban", "Ip", "45.1.0.9"],
  ["ip=::ffff:45.1.0.9&scopes=ip", "ban", "Ip", "45.1.0.9"],
  ["ip=2a01:5:0:7::1&scopes=ip,country", "ban", "Ip", "2a01:5:0:7::1"],
  ["range=45.1.0.9/32&scopes=ip", "ban", "Ip", "45.1.0.9"],
])("%s", async (query, type, scope, value) => {
  expect(await ask(query)).toMatchObject([{ type, scope, value }]);
});

test.each([
  ["ip=45.1.0.9&type=captcha"],
  ["ip=45.2.0.7&type=ban"],
  ["ip=45.1.0.9&type=throttle"],
  ["range=45.1.0.0/25&scopes=ip"],
  ["value=45.1.0.9&scopes=ip"],
  ["ip=45.2.0.7&scopes=range"],
  ["ip=45.1.0.9&scenarios_not_containing=c2"],
  ["ip=2a01:5:1::1"],
  ["value=45.1.0.9"],
])("%s: nothing is decided", async (query) => {
  expect(await ask(query)).toBeNull();
});
