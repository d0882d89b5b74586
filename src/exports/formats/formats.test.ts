import { basename } from "node:path";
import { afterEach, expect, test } from "vitest";
import { InvalidValue } from "../../base/failure.ts";
import { renderBody, writeBody } from "../bodies.ts";
import { createTestWorld, type TestWorld } from "../test-world.ts";
import { variantOf } from "../variant.ts";
import { adblock, dnsmasq } from "./blockers.ts";
import { rpz } from "./rpz.ts";
import { txt } from "./txt.ts";

let world: TestWorld | null = null;
afterEach(() => world?.close());

type Names = {
  readonly lines: readonly string[];
  readonly allow?: readonly string[];
  readonly more?: object;
};

async function namesWorld({ lines, allow = [], more = {} }: Names): Promise<TestWorld> {
  world = createTestWorld([{ name: "names", target: "domain", ...more }]);
  await world.make({
    block: { names: { lines, target: "domain", category: "malware" } },
    allow: { ours: { lines: allow, target: "domain" } },
  });
  return world;
}

/** Lines behind the heads, without answers and texts. */
const owners = (text: string): readonly string[] =>
  text
    .split("\n")
    .filter((line) => line !== "" && !/^(?:[#;$:]|[!@] )/.test(line))
    .map((line) => line.split(" ")[0] ?? "");

test("rbldom: a name with all below it, of a public suffix the name alone", async () => {
  const made = await namesWorld({
    lines: ["com.au", "github.io", "shop.com.au", "evil.github.io", "evil.net"],
  });
  expect(owners(made.body("names.rbldom"))).toEqual([
    ...["TEST", "com.au", ".evil.github.io", ".evil.net", "github.io", ".shop.com.au"],
  ]);
});

test("txt?below=1: a dot where all below a name is listed with it, each name covered once", async () => {
  const made = await namesWorld({
    lines: [
      ...["com.au", "shop.com.au", "www.shop.com.au", "a.b.www.shop.com.au", "github.io", "evil.github.io"],
      ...["evil.net", "notevil.net", "listed.org", "www.listed.org", "bad.www.listed.org"],
    ],
    allow: ["good.listed.org", "x.y.notevil.net"],
  });
  expect(owners(made.body("names.txt", { below: "1" })).toSorted()).toEqual([
    ...[".evil.github.io", ".evil.net", ".shop.com.au", ".www.listed.org"],
    ...["com.au", "github.io", "listed.org", "notevil.net"],
  ]);
  expect(() => variantOf(txt, { below: "1" }, "ip")).toThrow(InvalidValue);
});

test("dnsmasq: names of public suffixes are left out and counted", async () => {
  const made = await namesWorld({ lines: ["com.au", "github.io", "shop.com.au", "evil.net"] });
  const { content, dropped } = renderBody(made.generation("names"), variantOf(dnsmasq, {}, "domain"));
  expect([dropped, owners(content.toString("utf8"))]).toEqual([
    2,
    ["server=/evil.net/", "server=/shop.com.au/"],
  ]);
});

test("adblock: public suffixes below a listed name are exempt, but what is listed of them", async () => {
  const made = await namesWorld({
    lines: ["amazonaws.com", "s3.us-east-2.amazonaws.com", "evil.s3.amazonaws.com", "co.uk"],
  });
  const lines = made.body("names.adblock").split("\n");
  expect(lines).toEqual(
    expect.arrayContaining([
      ...["||amazonaws.com^", "@@||s3.amazonaws.com^", "@@||s3.us-east-2.amazonaws.com^"],
      ...["|s3.us-east-2.amazonaws.com^$important", "||evil.s3.amazonaws.com^$important", "|co.uk^"],
    ]),
  );
  expect(lines.filter((line) => line.startsWith("@@") && !line.includes(".amazonaws."))).toEqual([]);
});

test.each([["allowlists"], ["overrides"]])(
  "what is allowed below a listed name is exempt where %s are cut out",
  async (subtracted) => {
    const made = await namesWorld({
      lines: ["listed.net"],
      allow: ["good.listed.net"],
      more: { subtract: [subtracted] },
    });
    expect(made.body("names.rpz")).toContain("\n*.good.listed.net CNAME rpz-passthru.\n");
    expect(made.body("names.rbldom")).toContain("\n!.good.listed.net\n");
    expect(made.body("names.adblock")).toContain("\n@@||good.listed.net^\n");
    expect(made.body("names.dnsmasq")).toContain("\nserver=/good.listed.net/#\nserver=/listed.net/\n");
  },
);

test("what a list excepts below a listed name is exempt, unless others list enough of it", async () => {
  world = createTestWorld([{ name: "names", target: "domain", subtract: [] }]);
  const rules = ["||listed.net^", "@@||good.listed.net^", "@@||known.listed.net^", "@@||good.other.net^"];
  await world.make({
    block: {
      rules: { lines: rules, target: "domain", category: "malware", more: { format: "adblock" } },
      known: { lines: ["known.listed.net"], target: "domain", category: "malware" },
    },
  });
  expect(world.body("names.adblock").match(/^(@@)?\|\|.*/gm)).toEqual([
    "@@||good.listed.net^",
    "||known.listed.net^",
    "||listed.net^",
  ]);
  expect(world.body("names.rpz")).toContain("\n*.good.listed.net CNAME rpz-passthru.\n");
  expect(world.body("names.rpz")).not.toContain("known.listed.net CNAME rpz-passthru.");
});

test("names below what the limit cut are exempt from nothing", async () => {
  const made = await namesWorld({
    lines: ["a.net", "b.net", "c.net"],
    allow: ["good.a.net", "good.c.net"],
    more: { limit: 2 },
  });
  expect(owners(made.body("names.adblock"))).toEqual(["@@||good.a.net^", "||a.net^", "||b.net^"]);
});

test("adblock: of names listed and allowed in turn, the third listed one is left out, and is counted", async () => {
  const made = await namesWorld({
    lines: ["a.net", "c.b.a.net", "e.d.c.b.a.net", "other.c.b.a.net"],
    allow: ["b.a.net", "d.c.b.a.net"],
  });
  const { content, dropped } = renderBody(made.generation("names"), variantOf(adblock, {}, "domain"));
  expect([dropped, owners(content.toString("utf8"))]).toEqual([
    1,
    [
      ...["@@||b.a.net^", "@@||d.c.b.a.net^$important", "||a.net^", "||c.b.a.net^$important"],
      "||other.c.b.a.net^$important",
    ],
  ]);
});

test("what is listed below an allowed name is blocked all the same", async () => {
  const made = await namesWorld({
    lines: ["listed.net", "bad.good.listed.net", "other.net"],
    allow: ["good.listed.net"],
  });
  expect(owners(made.body("names.adblock"))).toEqual([
    ...["@@||good.listed.net^", "||bad.good.listed.net^$important", "||listed.net^", "||other.net^"],
  ]);
  expect(made.body("names.rpz")).toContain("\n*.bad.good.listed.net CNAME .\n");
  expect(made.body("names.rbldom")).toContain("\n.bad.good.listed.net ");
});

/** A name of `length` characters whose labels have 50 at most. */
const nameOf = (length: number): string => {
  const room = length - ".net".length;
  return `${"a".repeat(room)}`
    .replace(/(.{49})./g, "$1.")
    .replace(/\.$/, "a")
    .concat(".net");
};

test.each([["rpz"], ["rpz."], ["policy.lab.example"], ["policy.lab.example."]])(
  "rpz: names that fit the zone %s to the last octet stay, longer ones are counted",
  async (origin) => {
    const room = 253 - origin.replace(/\.$/, "").length - 1;
    const lines = [room - 3, room - 2, room - 1, room, room + 1, 253].map(nameOf);
    expect(lines.map(({ length }) => length - room)).toEqual([-3, -2, -1, 0, 1, 253 - room]);
    const made = await namesWorld({ lines });
    const { content, dropped } = renderBody(made.generation("names"), variantOf(rpz, { origin }, "domain"));
    const lengths = owners(content.toString("utf8")).map((owner) => owner.length - room);
    expect([dropped, lengths.sort((a, b) => a - b)]).toEqual([2, [-3, -2, -1, -1, 0, 0]]);
  },
);

test("rpz: a listed name never becomes a trigger by address, client or name server", async () => {
  const triggers = ["32.1.0.0.127.rpz-client-ip", "24.0.2.0.192.rpz-ip", "32.7.2.0.192.rpz-nsip"];
  const lines = [
    ...triggers,
    "ns.evil.net.rpz-nsdname",
    "rpz-ip.evil.net",
    "evil.rpz",
    "1.0.0.rpz-client-ip",
  ];
  const made = await namesWorld({ lines, allow: ["24.1.0.0.rpz-client-ip"] });
  const { content, dropped } = renderBody(made.generation("names"), variantOf(rpz, {}, "domain"));
  expect([dropped, owners(content.toString("utf8"))]).toEqual([
    6,
    ["evil.rpz", "*.evil.rpz", "rpz-ip.evil.net", "*.rpz-ip.evil.net"],
  ]);
});

test.each([
  ["cname:garden.example", "CNAME garden.example.\n"],
  ["cname:garden.example.", "CNAME garden.example.\n"],
  ["cname:garden", "CNAME garden.\n"],
  ["tcp-only", "CNAME rpz-tcp-only.\n"],
])("rpz: ?action=%s", async (action, line) => {
  const made = await namesWorld({ lines: ["evil.net"] });
  expect(made.body("names.rpz", { action })).toContain(`\nevil.net ${line}`);
});

test.each([
  ...["cname:", "cname:.", "cname:a..b", "cname:.a", "cname:a:b", "cname:a b", "cname:a\n@ A 1.2.3.4"],
  ...[`cname:${"a".repeat(64)}.net`, `cname:${nameOf(201)}`, "nxdomains", "", "Nodata"],
])("rpz: ?action=%s would be no zone, and is refused", (action) => {
  expect(() => variantOf(rpz, { action }, "domain")).toThrow(InvalidValue);
});

test("edl: a page by http and by https is one entry", async () => {
  world = createTestWorld([{ name: "pages", target: "url" }]);
  const lines = ["http://evil.net/a", "https://evil.net/a", "https://evil.net/b", "http://evil.net:443/a"];
  await world.make({ block: { pages: { lines, target: "url", category: "phishing" } } });
  expect(owners(world.body("pages.edl"))).toEqual(["evil.net/a", "evil.net:443/a", "evil.net/b"]);
  expect(owners(world.body("pages.txt"))).toHaveLength(4);
});

test("all addresses are two networks, as no set and no zone has one of prefix 0", async () => {
  world = createTestWorld([{ name: "all", min_score: 1, subtract: [] }]);
  await world.make({
    block: {
      halves: { lines: ["0.0.0.0/1", "128.0.0.0/1", "2000::/3", "45.1.1.1"], more: { format: "netset" } },
    },
  });
  const rows = (file: string) => owners(world?.body(file) ?? "");
  expect(rows("all.txt").slice(0, 2)).toEqual(["0.0.0.0/1", "128.0.0.0/1"]);
  expect(rows("all.rpz").slice(0, 2)).toEqual(["1.0.0.0.0.rpz-ip", "1.0.0.0.128.rpz-ip"]);
  expect(world.body("all.ipset")).not.toContain("/0");
});

test("options of any length that is taken make a body: names of files have a bound", async () => {
  const made = await namesWorld({ lines: ["evil.net"] });
  const [action, origin] = [`cname:${nameOf(200)}`, nameOf(199)];
  const variant = variantOf(rpz, { action, origin }, "domain");
  const info = await writeBody(made.files("names"), made.generation("names"), variant);
  expect(info.bytes).toBeGreaterThan(200);
  const other = variantOf(rpz, { action, origin: nameOf(198) }, "domain");
  const [one, two] = [variant, other].map(({ id }) => basename(made.files("names").body(1, id)));
  expect(one).not.toBe(two);
  expect(one?.length).toBeLessThan(200);
});
