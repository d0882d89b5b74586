import { expect, test } from "vitest";
import { createAsked } from "./asked.ts";

test("one token's many variants push out its own, not what others ask for", () => {
  const asked = createAsked();
  asked.note("nft", { asker: "firewall", atMs: 1 });
  asked.note("stream", { asker: "bouncer", atMs: 1 });
  for (let i = 0; i < 200; i++) asked.note(`rpz~origin=${i}`, { asker: "greedy", atMs: 2 });
  const wanted = asked.since(3);
  expect(wanted).toHaveLength(32);
  expect(wanted).toEqual(expect.arrayContaining(["nft", "stream", "rpz~origin=199"]));
  // Asking for another one's body does not take it over.
  asked.note("nft", { asker: "greedy", atMs: 4 });
  for (let i = 200; i < 400; i++) asked.note(`rpz~origin=${i}`, { asker: "greedy", atMs: 4 });
  expect(asked.since(5)).toContain("nft");
});

test("what was not asked for in seven days is not wanted", () => {
  const asked = createAsked();
  asked.note("txt", { asker: "a", atMs: 0 });
  asked.note("csv", { asker: "a", atMs: 1000 });
  expect(asked.since(7 * 86_400_000)).toEqual(["csv"]);
});
