import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readRdapAutnum } from "./asn.ts";
import { readBootstrap } from "./bootstrap-table.ts";
import { readRdapAbsence, readRdapDomain } from "./domain.ts";
import { readRdapNetwork } from "./ip.ts";
import type { Json } from "./json.ts";

const url = "https://rdap.example/";

/** Names that RDAP knows, so that random values land where they hurt. */
const MEMBERS = [
  "__proto__",
  "constructor",
  "cidr0_cidrs",
  "description",
  "digest",
  "dsData",
  "endAddress",
  "entities",
  "eventAction",
  "eventDate",
  "events",
  "handle",
  "href",
  "jscard",
  "keyTag",
  "ldhName",
  "links",
  "nameservers",
  "notices",
  "objectClassName",
  "publicIds",
  "redacted",
  "rel",
  "remarks",
  "roles",
  "secureDNS",
  "startAddress",
  "startAutnum",
  "status",
  "vcardArray",
];
const WORDS = [
  "domain",
  "ip network",
  "autnum",
  "registration",
  "registrant",
  "registrar",
  "vcard",
  "adr",
  "::",
  "0.0.0.0",
];

const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom(null, true, -1, 4e9, "", ...WORDS),
    fc.string({ unit: "binary", maxLength: 30 }),
    fc.array(tie("tree"), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...MEMBERS), tie("tree"), { maxKeys: 6 }),
  ),
}));
const object = fc.dictionary(fc.constantFrom(...MEMBERS), tree, { maxKeys: 12 });

describe("whatever a registry sends", () => {
  test("no reader throws, and what it gives has no control characters", () => {
    fc.assert(
      fc.property(object, fc.constantFrom("domain", "ip network", "autnum"), (members, kind) => {
        const json: Json = { ...members, objectClassName: kind };
        const read = [
          readRdapDomain("example.com", json),
          readRdapNetwork(json, url),
          readRdapAutnum(1, json, url),
        ];
        // None when the members name another object than the asked one, or a network that is none.
        const names = (one: string) => Object.hasOwn(members, one);
        const isOfAnother =
          ["startAutnum", "endAutnum"].some(names) || ["startAddress", "endAddress"].every(names);
        const least = isOfAnother ? 0 : 1;
        const taken = read.filter((one) => one !== null).length;
        expect([least, 1]).toContain(taken);
        // Remarks keep their line breaks.
        expect(JSON.stringify(read).replaceAll("\\n", "")).not.toMatch(/\\u00[01]|\\u007f|\\[bfrt]/);
      }),
      { numRuns: 500 },
    );
  });

  test("a bootstrap file of any shape is a table or nothing", () => {
    fc.assert(
      fc.property(tree, (services) => {
        const table = readBootstrap("dns", { services }, () => true);
        expect(table === null || table.find({ kind: "domain", name: "example.com" }) !== undefined).toBe(
          true,
        );
      }),
    );
  });

  const huge = (members: object): Json => ({ objectClassName: "domain", ldhName: "a.com", ...members });
  test.each<[string, Json]>([
    [
      "50,000 name servers",
      huge({ nameservers: Array.from({ length: 50_000 }, (_, i) => ({ ldhName: `n${i}.com` })) }),
    ],
    [
      "50,000 entities",
      huge({ entities: Array.from({ length: 50_000 }, () => ({ roles: ["registrant"] })) }),
    ],
    [
      "entities inside entities",
      huge({
        entities: Array.from({ length: 20_000 }).reduce<object[]>((inner) => [{ entities: inner }], []),
      }),
    ],
    ["statuses without end", huge({ status: Array.from({ length: 50_000 }, (_, i) => `status ${i}`) })],
    ["a text of a megabyte", huge({ handle: "x".repeat(1 << 20), status: ["y".repeat(1 << 20)] })],
  ])("%s become a small answer", (_what, json) => {
    expect(JSON.stringify(readRdapDomain("a.com", json)).length).toBeLessThan(64 * 1024);
  });

  test("a network with all that fits becomes an answer of bounded size", () => {
    const texts = Array.from({ length: 2000 }, () => "z".repeat(2000));
    const mail = ["email", {}, "text", `${"m".repeat(60)}@example.com`];
    const entity = {
      roles: texts,
      handle: texts[0],
      vcardArray: ["vcard", Array.from({ length: 2000 }, () => mail)],
    };
    const json = {
      objectClassName: "ip network",
      startAddress: "::1",
      endAddress: "ffff:ffff:ffff:ffff:ffff:ffff:ffff:fffe",
      remarks: Array.from({ length: 2000 }, () => ({ description: texts })),
      entities: Array.from({ length: 2000 }, (_, i) => ({ ...entity, handle: `${i}`, entities: [entity] })),
      status: texts,
    };
    expect(JSON.stringify(readRdapNetwork(json, url)).length).toBeLessThan(512 * 1024);
  });

  test.each([
    [100, { statuses: ["reserved"] }],
    [140, null],
  ])("a 404 is read as far as an answer of WHOIS: %i lines before the reason", (lines, absence) => {
    const description = [...Array.from({ length: lines }, () => "x".repeat(500)), "Registry Reserved"];
    const read = readRdapAbsence("a.lab", { errorCode: 404, description });
    if (absence === null) expect(read).toBeNull();
    else expect(read).toMatchObject(absence);
  });

  test.each([
    ["9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z"],
    ["+275760-09-13T00:00:00Z", null],
    ["0000-00-00T00:00:00Z", null],
    ["2020-02-30", null],
  ])("the date %s is %s", (eventDate, expirationDate) => {
    const json = huge({ events: [{ eventAction: "expiration", eventDate }] });
    expect(readRdapDomain("a.com", json)).toMatchObject({ expirationDate });
  });
});
