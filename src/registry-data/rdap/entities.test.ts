import { expect, test } from "vitest";
import { readRdapDomain } from "./domain.ts";

const card = (name: string) => ["vcard", [["fn", {}, "text", name]]];
const person = (role: string, name: string, entities: readonly unknown[] = []) => ({
  roles: [role],
  vcardArray: card(name),
  entities,
});

test.each([
  ["the domain's", [person("registrant", "Owner")], "Owner"],
  [
    "beside the registrar's",
    [person("registrar", "R", [person("registrant", "R staff")]), person("registrant", "Owner")],
    "Owner",
  ],
  ["inside a reseller", [person("reseller", "S", [person("registrant", "Owner")])], "Owner"],
  ["the registrar's alone", [person("registrar", "R", [person("registrant", "R staff")])], null],
  [
    "deep inside the registrar",
    [person("registrar", "R", [person("abuse", "A", [person("registrant", "R staff")])])],
    null,
  ],
])("a registrant's card: %s", (_, entities, name) => {
  const read = readRdapDomain("name.example", {
    objectClassName: "domain",
    ldhName: "name.example",
    entities,
  });
  expect(read?.registrant.name ?? null).toBe(name);
});

test.each([
  [
    "a list around its properties",
    [
      "vcard",
      [
        ["version", {}, "text", "4.0"],
        ["fn", {}, "text", "Owner"],
      ],
    ],
  ],
  ["no list around its properties", ["vcard", ["version", {}, "text", "4.0"], ["fn", {}, "text", "Owner"]]],
  ["parameters in a list", ["vcard", [["fn", [], "text", "Owner"]]]],
  [
    "a property without a value",
    [
      "vcard",
      [
        ["lang", { type: "language-tag" }, "en"],
        ["fn", {}, "text", "Owner"],
      ],
    ],
  ],
])("a card with %s is read", (_, vcardArray) => {
  const read = readRdapDomain("name.example", {
    objectClassName: "domain",
    ldhName: "name.example",
    entities: [{ roles: ["registrant"], vcardArray }],
  });
  expect(read?.registrant.name).toBe("Owner");
});
