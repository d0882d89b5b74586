import { describe, expect, test } from "vitest";
import type { TestReply } from "../../../../test/servers/dns-server.ts";
import { type DnsWorld, lookupTime, openDnsWorld } from "../../../../test/servers/dns-world.ts";
import { lookUpSpf } from "./spf.ts";

const SERVFAIL: TestReply = { rcode: 2 };

async function spfOf(world: DnsWorld) {
  const deps = await openDnsWorld(world);
  const found = await deps.dnsRecords.resolve("example.com", "TXT", lookupTime());
  return lookUpSpf({ name: "example.com", found }, deps, lookupTime());
}

/** An SPF record of these terms at example.com, in a world with two hosts that have addresses. */
const termsOf = (terms: string, world: DnsWorld = {}): DnsWorld => ({
  "TXT example.com": [`v=spf1 ${terms} ?all`],
  "A four.example": ["192.0.2.1"],
  "AAAA six.example": ["2001:db8::1"],
  ...world,
});
const TOO_MANY = "More than 2 DNS lookups find nothing";

describe("lookUpSpf() limits lookups that find nothing", () => {
  test.each<[why: string, world: DnsWorld, expected: object]>([
    ["two names that do not exist", termsOf("a:n1.example a:n2.example"), { valid: true, errors: [] }],
    [
      "three names that do not exist",
      termsOf("a:n1.example a:n2.example a:n3.example"),
      { valid: false, errors: [`${TOO_MANY}: n1.example, n2.example, n3.example`] },
    ],
    [
      "one name in three terms",
      termsOf("a:n1.example a:n1.example/24 exists:n1.example"),
      { valid: false, errors: [`${TOO_MANY}: n1.example, n1.example, n1.example`] },
    ],
    [
      "names without addresses, without mail servers",
      termsOf("a:t.example mx:t.example exists:t.example", { "TXT t.example": ["x"] }),
      { valid: false, errors: [`${TOO_MANY}: t.example, t.example, t.example`] },
    ],
    [
      "the domain itself, which has neither address nor mail server",
      termsOf("a mx exists:n.example"),
      { valid: false, errors: [`${TOO_MANY}: example.com, example.com, n.example`] },
    ],
    ["names of one address family", termsOf("a:four.example a:six.example a:six.example"), { valid: true }],
    [
      "names of included records",
      termsOf("a:n1.example include:i.example", { "TXT i.example": ["v=spf1 a mx -all"] }),
      { valid: false, errors: [`${TOO_MANY}: n1.example, i.example, i.example`] },
    ],
    [
      "names of a redirect",
      {
        "TXT example.com": ["v=spf1 a:n1.example redirect=r.example"],
        "TXT r.example": ["v=spf1 a mx -all"],
      },
      { valid: false, all: "fail", errors: [`${TOO_MANY}: n1.example, r.example, r.example`] },
    ],
    [
      "names behind `all`, which are not looked up",
      termsOf("a:n1.example a:n2.example ?all a:n3.example"),
      { valid: true },
    ],
    [
      "names with macros, which depend on the message",
      termsOf("exists:%{i}.a exists:%{i}.b exists:%{i}.c"),
      { valid: true },
    ],
    [
      "an explanation, which counts for nothing",
      termsOf("a:n1.example a:n2.example exp=n3.example"),
      { valid: true, errors: [] },
    ],
    [
      "a null MX, which is a record",
      termsOf("a:n1.example a:n2.example mx:m.example", {
        "MX m.example": [{ preference: 0, exchange: "." }],
      }),
      { valid: true },
    ],
    [
      "a name without an answer that could be the third",
      termsOf("a:n1.example a:n2.example a:s.example", {
        "A s.example": SERVFAIL,
        "AAAA s.example": SERVFAIL,
      }),
      { valid: null, errors: ["DNS did not answer about s.example"] },
    ],
    [
      "a name without an answer that cannot make it too many",
      termsOf("a:n1.example a:s.example", { "A s.example": SERVFAIL, "AAAA s.example": SERVFAIL }),
      { valid: true, errors: [] },
    ],
    [
      "a name of which only the IPv4 half answers, with nothing",
      termsOf("a:n1.example a:n2.example a:s.example", { "AAAA s.example": SERVFAIL }),
      { valid: null },
    ],
  ])("judges %s", async (_, world, expected) => {
    expect(await spfOf(world)).toMatchObject(expected);
  });

  test.each([
    [10, true, []],
    [11, false, ["m.example: 11 MX records, and receivers ask for 10 at most"]],
  ])("of a name with %i MX records is %s", async (count, valid, errors) => {
    const records = Array.from({ length: count }, (_, i) => ({ preference: i, exchange: `mx${i}.example` }));
    expect(await spfOf(termsOf("mx:m.example", { "MX m.example": records }))).toMatchObject({
      valid,
      errors,
    });
  });

  test("asks for no host of a record that has another error", async () => {
    const { server, dnsRecords } = await openDnsWorld(termsOf("a:n1.example moo"));
    const found = await dnsRecords.resolve("example.com", "TXT", lookupTime());
    await lookUpSpf({ name: "example.com", found }, { dnsRecords }, lookupTime());
    expect(server.questions.map(({ type }) => type)).toEqual(["TXT"]);
  });
});
