import { afterAll, expect, test } from "vitest";
import type { EngineTarget } from "./target.ts";
import { ask, domain, feed, matches, open, removeWorlds } from "./test-world.ts";

afterAll(removeWorlds);

const LISTED = { value: "bad.example", level: "registered_domain" };
const below = (name: string) => domain(name, "bad.example");
const pageOf = (host: string): EngineTarget => ({
  kind: "url",
  url: `https://${host}/`,
  host: below(host),
});

const RULES = `! a list
||bad.example^
@@||good.bad.example^
||worst.bad.example^
@@||deep.er.bad.example^$important
||x.good.bad.example^
||still.good.bad.example^$important
@@||not.still.good.bad.example^
`;

test.each<[target: EngineTarget, rules: object | null, why: string]>([
  [domain("bad.example"), { value: "bad.example", level: "domain" }, "the name itself"],
  [below("www.bad.example"), LISTED, "a name below it"],
  [below("good.bad.example"), null, "an excepted name"],
  [below("a.b.good.bad.example"), null, "names below an excepted one"],
  [below("notgood.bad.example"), LISTED, "a name that only ends like it"],
  [below("worst.bad.example"), { value: "worst.bad.example", level: "domain" }, "a rule of its own"],
  [below("er.bad.example"), LISTED, "a name above an excepted one"],
  [below("deep.er.bad.example"), null, "an excepted name further down"],
  [below("x.good.bad.example"), null, "a rule below an exception"],
  [
    below("still.good.bad.example"),
    { value: "still.good.bad.example", level: "domain" },
    "an important rule below an exception",
  ],
  [pageOf("good.bad.example"), null, "a page of an excepted name"],
  [pageOf("www.bad.example"), LISTED, "a page of another one"],
])("what a list excepts of a domain it does not name, and other lists do: %#, $2", async (target, rules) => {
  const world = await open({
    engines: {
      feeds: [
        feed("rules", { target: "domain", format: "adblock" }),
        feed("other", { target: "domain", format: "plain" }),
      ],
    },
    lists: { "rules.txt": RULES, "other.txt": "bad.example\n" },
  });
  const found = matches(await ask(world, target));
  expect(found["rules"]).toEqual(rules);
  expect(found["other"]).not.toBeNull();
  expect(world.listings.lists.map(({ key, entries, dropped }) => [key, entries, dropped])).toEqual([
    ["other", 1, 0],
    ["rules", 3, 0],
  ]);
});

test("what an allowlist excepts it does not clear", async () => {
  const world = await open({
    engines: {},
    allowlists: [feed("ours", { target: "domain", format: "adblock" })],
    lists: { "ours.txt": "||bad.example^\n@@||users.bad.example^\n" },
  });
  const cleared = async (name: string) =>
    (await ask(world, below(name))).allowlists.map(({ engine }) => engine.key);
  expect(await cleared("www.bad.example")).toEqual(["ours"]);
  expect(await cleared("joe.users.bad.example")).toEqual([]);
});
