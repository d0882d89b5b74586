import { afterAll, describe, expect, test } from "vitest";
import { HOUR_MS } from "../base/durations.ts";
import { readIp } from "../targets/ip.ts";
import { tallyOf } from "./tally.ts";
import type { EngineTarget } from "./target.ts";
import { ask, domain, feed, fileUrl, ipTarget, matches, open, removeWorlds } from "./test-world.ts";

afterAll(removeWorlds);

describe("consult() of an address", () => {
  test("finds exact entries, networks, AS numbers and inner addresses at their levels", async () => {
    const world = await open({
      engines: { feeds: ["exact", "net", "asn", "inner"].map((key) => feed(key)) },
      lists: {
        "exact.txt": "20.0.0.7\n20.0.0.0/24\n",
        "net.txt": "20.0.0.0/16\n20.0.0.0/24\n",
        "asn.txt": "AS64500\n",
        "inner.txt": "9.9.9.9\n",
      },
    });
    const found = matches(await ask(world, ipTarget("20.0.0.7", { asn: 64500 })));
    expect(found).toEqual({
      asn: { value: "AS64500", level: "network" },
      exact: { value: "20.0.0.7", level: "ip" },
      inner: null,
      net: { value: "20.0.0.0/24", level: "network" },
    });
    const inner = readIp("9.9.9.9");
    const embeddedIpv4 = inner?.version === "v4" ? inner : null;
    const sixToFour = await ask(world, ipTarget("2002:909:909::1", { embeddedIpv4 }));
    expect(matches(sixToFour)).toMatchObject({
      inner: { value: "9.9.9.9", level: "embedded_ipv4" },
      net: null,
    });
  });

  test("takes the AS of an inner address for no more than that address", async () => {
    const lists = { "asn.txt": "AS64500\n", "both.txt": "AS64500\n9.9.9.0/24\n" };
    const world = await open({ engines: { feeds: [feed("asn"), feed("both")] }, lists });
    const inner = readIp("9.9.9.9");
    const embeddedIpv4 = inner?.version === "v4" ? inner : null;
    expect(matches(await ask(world, ipTarget("64:ff9b::909:909", { embeddedIpv4, asn: 64500 })))).toEqual({
      asn: { value: "AS64500", level: "embedded_ipv4" },
      both: { value: "9.9.9.0/24", level: "embedded_ipv4" },
    });
  });

  test("a list of one family is in neither list for the other", async () => {
    const lists = { "four.txt": "20.0.0.7\n", "six.txt": "2600::1\n" };
    const world = await open({ engines: { feeds: [feed("four"), feed("six")] }, lists });
    expect(Object.keys(matches(await ask(world, ipTarget("20.0.0.9"))))).toEqual(["four"]);
    const six = await ask(world, ipTarget("2600::1"));
    expect(matches(six)).toEqual({ six: { value: "2600::1", level: "ip" } });
    expect(six.absences).toEqual([]);
  });

  test("the publisher's words come along", async () => {
    const world = await open({
      engines: { feeds: [feed("a")] },
      lists: { "a.txt": "20.0.0.7 # scanner.example\n" },
    });
    const { verdicts } = await ask(world, ipTarget("20.0.0.7"));
    expect(verdicts[0]).toMatchObject({
      detected: true,
      reason: "scanner.example",
      codes: [],
      lastSeen: null,
    });
  });

  test("bogons are asked of the operator's lists only", async () => {
    const world = await open({
      engines: { builtin: true, feeds: [feed("mine")] },
      lists: { "mine.txt": "10.0.0.0/8\n" },
    });
    const bogon = await ask(world, ipTarget("10.1.2.3", { isBogon: true }));
    expect(matches(bogon)).toEqual({ mine: { value: "10.0.0.0/8", level: "network" } });
    expect(bogon.absences).toEqual([]);
    expect((await ask(world, ipTarget("8.8.8.8"))).verdicts.length).toBeGreaterThan(7);
  });

  test("every address of a range is in a network, also where the range ends in one address alone", async () => {
    const world = await open({
      engines: { feeds: [feed("a")] },
      lists: { "a.txt": "20.0.0.84-20.0.0.86\n" },
    });
    for (const ip of ["20.0.0.84", "20.0.0.85", "20.0.0.86"]) {
      expect(matches(await ask(world, ipTarget(ip)))).toEqual({
        a: { value: "20.0.0.84-20.0.0.86", level: "network" },
      });
    }
  });

  test("an allowed address inside another one, or an allowed page of a host, clears neither", async () => {
    const world = await open({
      engines: { feeds: [feed("a")] },
      lists: {
        "a.txt": "20.0.0.7\n",
        "good.txt": "9.9.9.9\n",
        "pages.txt": "http://solo.example/ok\n",
      },
      allowlists: [
        { target: "ip", url: fileUrl("good.txt"), format: "plain", name: "Good" },
        { target: "url", url: fileUrl("pages.txt"), format: "plain", name: "Good pages" },
      ],
    });
    const inner = readIp("9.9.9.9");
    const embeddedIpv4 = inner?.version === "v4" ? inner : null;
    expect((await ask(world, ipTarget("2002:909:909::1", { embeddedIpv4 }))).allowlists).toEqual([]);
    expect((await ask(world, domain("solo.example"))).allowlists).toEqual([]);
  });

  test("an allowlist that names the target stands apart and adds no hit", async () => {
    const allow = { target: "ip", url: fileUrl("good.txt"), format: "plain", name: "Good" };
    const lists = { "good.txt": "20.0.0.0/24\n", "a.txt": "20.0.0.7\n" };
    const world = await open({ engines: { feeds: [feed("a")] }, lists, allowlists: [allow] });
    const { allowlists, verdicts } = await ask(world, ipTarget("20.0.0.7"));
    expect(allowlists).toMatchObject([
      { detected: false, matched: { value: "20.0.0.0/24", level: "network" } },
    ]);
    expect(verdicts.map(({ engine }) => engine.key)).toEqual(["a"]);
    expect((await ask(world, ipTarget("9.9.9.9"))).allowlists).toEqual([]);
  });
});

test("consult() tells engines that are off apart from those that gave no answer", async () => {
  const lists = { "a.txt": "20.0.0.7\n", "good.txt": "20.0.0.8\n" };
  const allow = { target: "ip", url: fileUrl("good.txt"), format: "plain", name: "Good" };
  const feeds = [
    feed("a"),
    feed("away", { url: fileUrl("none.txt") }),
    feed("off", { enabled: false }),
    feed("names", { target: "domain", format: "plain", enabled: false }),
  ];
  const world = await open({ engines: { feeds }, lists, allowlists: [allow] });
  for (const address of ["20.0.0.7", "20.0.0.8", "9.9.9.9", "2600::7"]) {
    const found = await ask(world, ipTarget(address));
    expect(found.disabled.map(({ key }) => key)).toEqual(["off"]);
    expect(found.absences.map(({ engine }) => engine.key)).toEqual(["away"]);
    expect(tallyOf(found).total).toBe(found.verdicts.length + 1);
  }
});

describe("consult() of names, URLs and mailboxes", () => {
  const lists = {
    "names.txt": "bad.example\nhost.good.example\ngithub.io\n",
    "urls.txt": "http://pages.example/login\nhttp://pages.example/q?x=1\n",
    "mails.txt": "spam@mail.example\nthrowaway.example\nkim@mail.example\nJ\u00d6RG@mail.example\n",
    "ips.txt": "20.0.0.7\n",
  };
  const feeds = () => [
    feed("names", { target: "domain", format: "plain" }),
    feed("urls", { target: "url", format: "plain" }),
    feed("mails", { target: "email", format: "plain" }),
    feed("ips"),
  ];

  test.each<[string, EngineTarget, Record<string, unknown>]>([
    [
      "the same name",
      domain("bad.example"),
      { names: { value: "bad.example", level: "domain" }, urls: null },
    ],
    [
      "the registered domain of a host",
      domain("a.bad.example", "bad.example"),
      { names: { value: "bad.example", level: "registered_domain" }, urls: null },
    ],
    ["a listed host, asked for its parent", domain("good.example"), { names: null, urls: null }],
    ["a listed host's sibling", domain("x.good.example", "good.example"), { names: null, urls: null }],
    [
      "a name under a listed public suffix",
      domain("x.github.io", "x.github.io"),
      { names: null, urls: null },
    ],
    [
      "a public suffix itself",
      domain("github.io", null),
      { names: { value: "github.io", level: "domain" }, urls: null },
    ],
    [
      "a URL on exactly this host",
      domain("pages.example"),
      { names: null, urls: { value: "http://pages.example/login", level: "url_host" } },
    ],
    [
      "a URL on the registered domain",
      domain("x.pages.example", "pages.example"),
      { names: null, urls: null },
    ],
    [
      "the same URL",
      { kind: "url", url: "http://pages.example/login", host: domain("pages.example") },
      { names: null, urls: { value: "http://pages.example/login", level: "url" } },
    ],
    [
      "a URL with a query where the entry has none",
      { kind: "url", url: "http://pages.example/login?id=7", host: domain("pages.example") },
      { names: null, urls: { value: "http://pages.example/login", level: "url" } },
    ],
    [
      "a URL without the entry's query",
      { kind: "url", url: "http://pages.example/q", host: domain("pages.example") },
      { names: null, urls: { value: "http://pages.example/login", level: "url_host" } },
    ],
    [
      "a URL on an address",
      { kind: "url", url: "http://20.0.0.7/", host: ipTarget("20.0.0.7") },
      { ips: { value: "20.0.0.7", level: "ip" }, urls: null },
    ],
    [
      "a mailbox",
      { kind: "email", email: "spam@mail.example", domain: domain("mail.example") },
      { mails: { value: "spam@mail.example", level: "email" }, names: null, urls: null },
    ],
    [
      "a mailbox in capitals",
      { kind: "email", email: "Spam@mail.example", domain: domain("mail.example") },
      { mails: { value: "spam@mail.example", level: "email" }, names: null, urls: null },
    ],
    [
      "no mailbox that differs in a letter beyond ASCII",
      { kind: "email", email: "\u212aim@mail.example", domain: domain("mail.example") },
      { mails: null, names: null, urls: null },
    ],
    [
      "a mailbox with letters beyond ASCII as its list spells it",
      { kind: "email", email: "j\u00d6rg@mail.example", domain: domain("mail.example") },
      { mails: { value: "j\u00d6rg@mail.example", level: "email" }, names: null, urls: null },
    ],
    [
      "a mailbox by another spelling of it",
      {
        kind: "email",
        email: "s.pam+tag@mail.example",
        otherSpellings: ["s.pam@mail.example", "spam@mail.example"],
        domain: domain("mail.example"),
      },
      { mails: { value: "spam@mail.example", level: "email" }, names: null, urls: null },
    ],
    [
      "a mailbox by its domain",
      { kind: "email", email: "x@throwaway.example", domain: domain("throwaway.example") },
      { mails: { value: "throwaway.example", level: "domain" }, names: null, urls: null },
    ],
  ])("matches %s", async (_, target, found) => {
    const world = await open({ engines: { feeds: feeds() }, lists });
    expect(matches(await ask(world, target))).toEqual(found);
  });
});

test("version() counts changes of engines and lists, and nothing else", async () => {
  const same = await open({ engines: { feeds: [feed("mine")] }, lists: { "mine.txt": "20.0.0.7\n" } });
  const version = same.engines.version();
  await ask(same, ipTarget("20.0.0.7"));
  same.clock.ms += HOUR_MS;
  expect(same.engines.version()).toBe(version);
  // This world has its lists made anew each time that they are asked for.
  const lists = { "mine.txt": "20.0.0.7\n" };
  const changing = await open({ engines: { feeds: [feed("mine")] }, lists, retrievals: () => ({}) });
  expect(changing.engines.version()).toBeLessThan(changing.engines.version());
});
