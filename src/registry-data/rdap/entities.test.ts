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
