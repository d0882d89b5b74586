import { describe, expect, test } from "vitest";
import type { DomainRegistration } from "../types.ts";
import { parseWhois } from "./parse-whois.ts";

const read = (lines: string, domain = "example.lab"): DomainRegistration =>
  readWhole(`Domain Name: ${domain}\nCreation Date: 2003-01-15\n${lines}`, domain);

function readWhole(text: string, domain = "example.lab"): DomainRegistration {
  const reading = parseWhois(text, domain);
  if (reading.state !== "read") throw new Error(`The answer is ${reading.state}`);
  return reading.registration;
}

describe("the registrar of a WHOIS record", () => {
  test.each([
    ["Registrar: Example Inc. (292)", "Example Inc."],
    ["Registrar: Example Inc. (R12-LAB)", "Example Inc."],
    ["Sponsoring Registrar:Example Inc. (R12-LAB) (292)", "Example Inc."],
    ["Registrar: Example Inc. [1234]", "Example Inc."],
    ["Registrar: Example Ltd t/a Example Names [Tag = EXAMPLE]", "Example Ltd t/a Example Names"],
    ["Registrar: Example (Schweiz) AG", "Example (Schweiz) AG"],
    ["Registrar: 1API GmbH", "1API GmbH"],
    ["Registrar: (292)", null],
    ["Registrar: NONE", null],
    ["Registrar: Not Applicable", null],
    ["Sponsoring Registrar Organization: Example Inc.", "Example Inc."],
    ["Registrar Information\n  Registrar Name: Example Inc.\n  Boise, ID 83704", "Example Inc."],
    ["\nRegistrar:\n1 Example Way\nRegistrar Name: Example Inc.\n", "Example Inc."],
    ["\nRegistrar:\n   Example Inc.\n   Boise, ID 83704\n", "Example Inc."],
  ])("of %j is %j", (lines, name) => {
    expect(read(lines).registrar.name).toBe(name);
  });

  test.each([
    ["http://registrar.example", "http://registrar.example"],
    ["https://registrar.example/", "https://registrar.example/"],
    ["www.registrar.example", "www.registrar.example"],
    ["RegistrarURL", null],
    ["javascript:alert(1)", null],
  ])("has the link %s as %j", (text, url) => {
    expect(read(`Registrar URL: ${text}\n`).registrar.url).toBe(url);
  });
});

test.each(["..........", " ......... ", "...", ". . . . . "])(
  "a value is read behind the leader %j",
  (leader) => {
    const text = ["Domain", "Registrar", "Creation Date"].map((label, i) => {
      return `${label}:${leader}${["example.lab", "Example Ltd.", "2003-01-15"][i]}`;
    });
    const registration = readWhole(text.join("\n"));
    expect(registration).toMatchObject({
      registrar: { name: "Example Ltd." },
      creationDate: "2003-01-15T00:00:00Z",
    });
  },
);

test("lettered fields are read, with a dot behind the letter and without", () => {
  const lines = [
    "a [Domain Name]                example.lab",
    "c [Record Created]             20-OCT-2008",
    "d [Record Expired]             20-OCT-2027",
    "e [Record Last Modified]       24-SEP-2024",
  ].join("\n\n");
  const dates = ["2008-10-20T00:00:00Z", "2027-10-20T00:00:00Z", "2024-09-24T00:00:00Z"];
  for (const text of [lines, lines.replace(/^([a-e]) /gm, "$1. ")]) {
    const reading = parseWhois(text, "example.lab");
    if (reading.state !== "read") throw new Error(`The answer is ${reading.state}`);
    const { creationDate, expirationDate, updatedDate } = reading.registration;
    expect([creationDate, expirationDate, updatedDate]).toEqual(dates);
  }
});

test.each([
  ["NA", "NA"],
  ["na", "NA"],
  ["N/A", null],
  ["Namibia", "Namibia"],
])("the registrant's country %j is %j", (text, country) => {
  expect(read(`Registrant Name: Jane\nRegistrant Country: ${text}\n`).registrant.country).toBe(country);
});

describe("the dates of a WHOIS record", () => {
  test.each([
    ["Updated: -\nRegistrar: X\nLast updated: 2024-02-02\n", "2024-02-02T00:00:00Z"],
    ["Updated: N/A\nStatus: ok\nLast updated: 2024-02-02\n", "2024-02-02T00:00:00Z"],
    ["Updated: never\nStatus: ok\nLast updated: 2024-02-02\n", "2024-02-02T00:00:00Z"],
    ["Updated: 0000-00-00\nStatus: ok\nLast updated: 2024-02-02\n", "2024-02-02T00:00:00Z"],
    ["changed: 2024-02-02\nchanged: -\nchanged: 2024-03-03\n", "2024-03-03T00:00:00Z"],
    ["changed: 2024-02-02\nstatus: ok\nchanged: 2024-03-03\n", "2024-02-02T00:00:00Z"],
    ["Updated: -\n", null],
  ])("have of %j the last change %j", (lines, updatedDate) => {
    expect(read(lines).updatedDate).toBe(updatedDate);
  });

  test.each([
    ["Technical Contact: ABC-1\nName: Jane\nPhone: +1"],
    ["Technical Contact:\n  Name: Jane"],
    ["contact: ABC-1\nname: Jane"],
    ["Registrar: REG-1\nOrganization: Example Inc."],
    ["nserver: ns1.example.net"],
    ["DNSSEC:\ndnskey: 257 3 13 abc"],
    ["keyset: KEY-1\ntech-c: ABC-1"],
    ["Zone Support: ABC-1\nPhone: +1 555 0100"],
  ])("are not those below %j", (object) => {
    const indent = object.includes("\n  ") ? "  " : "";
    const dates = ["created: 2001-01-01", "changed: 2026-01-01", "updated: 2026-02-02", "status: linked"];
    const lines = `Domain Status: ok\n\n${object}\n${dates.map((line) => indent + line).join("\n")}\n`;
    expect(read(lines)).toMatchObject({
      creationDate: "2003-01-15T00:00:00Z",
      updatedDate: null,
      statuses: ["ok"],
    });
    expect(read(`Updated: 2024-03-21\n${lines}`).updatedDate).toBe("2024-03-21T00:00:00Z");
  });

  test("are the domain's in a block that only begins with a registrar or a contact", () => {
    const lines = "\nRegistrar: Example Inc.\nexpires: 2027-01-15\nlast updated: 2024-03-21\nstatus: ok\n";
    expect(read(lines)).toMatchObject({
      registrar: { name: "Example Inc." },
      expirationDate: "2027-01-15T00:00:00Z",
      updatedDate: "2024-03-21T00:00:00Z",
      statuses: ["ok"],
    });
  });

  test("are none in the years of the Buddhist era", () => {
    const { creationDate, expirationDate } = readWhole(
      "Domain: example.lab\nRegistrar: Lab\nCreated: 2546-01-15\nExpires: 2570-01-15\n",
    );
    expect([creationDate, expirationDate]).toEqual([null, null]);
  });

  test("are the last of those that stand together", () => {
    expect(read("changed: 2020-01-01\nchanged: 2022-01-01\nchanged: 2021-01-01\n").updatedDate).toBe(
      "2022-01-01T00:00:00Z",
    );
  });

  test.each([
    ["Domain record last updated: 2024-03-21"],
    ["Record last updated on: 2024-03-21"],
    ["Domain Last Updated Date: 2024-03-21"],
    ["Record last modified on 2024-03-21."],
    ["\n[Whois]\nUpdated: 2024-03-21"],
  ])("know an update by %j", (line) => {
    expect(read(`${line}\n`).updatedDate).toBe("2024-03-21T00:00:00Z");
  });

  test.each([
    ["Domain expires: 2027-01-15"],
    ["Domain Currently Expires: 2027-01-15"],
    ["Record will expire on: 2027-01-15"],
    ["Record will expire on 2027-01-15"],
    ["renewal: 2027-01-15"],
    ["Expired Date: 2027-01-15"],
  ])("know an expiry by %j", (line) => {
    expect(read(`${line}\n`).expirationDate).toBe("2027-01-15T00:00:00Z");
  });
});

describe("the name servers of a WHOIS record", () => {
  test.each([
    ["NS 1 : ns1.example.net\nNS 2 : ns2.example.net"],
    ["Domain server 1 : ns1.example.net\nDomain server 2 : ns2.example.net"],
    ["Name Server: ns1.example.net\nName Server: ns2.example.net\nName Server: not.defined."],
    ["Name Server: ns1.example.net.\nName Server: none\nName Server: N/A\nName Server: ns2.example.net."],
    ["\nDomain Servers in listed order:\nns1.example.net\nns2.example.net"],
  ])("of %j", (lines) => {
    expect(read(`${lines}\n`).nameServers).toEqual(["ns1.example.net", "ns2.example.net"]);
  });
});

describe("the holder of a WHOIS record", () => {
  test.each([
    [
      "Holder English Name (It should be the same as on the certificate): JANE EXAMPLE",
      { name: "JANE EXAMPLE" },
    ],
    ["\nRegistrant:\n\n   Example Inc.\n   TW\n", { name: "Example Inc." }],
    [
      "\n% Registrant:\n% ===========\nperson: n/a\norganization-loc: ТОВ Приклад\n",
      { organization: "ТОВ Приклад" },
    ],
    ["b. [Network Service Name]       Example Net", { name: null, organization: null }],
    ["\nRegistrant:\nNO OBJECT FOUND!\n", { name: null, organization: null }],
  ])("of %j", (lines, holder) => {
    expect(read(lines).registrant).toMatchObject(holder);
  });

  test("is private where a blank line and a redaction follow the heading", () => {
    expect(read("   Registrant:\n\n      Not displayed due to GDPR\n      TW\n").privacyProtected).toBe(true);
  });
});

test.each([
  ["Registrant Type: Natural person"],
  ["Registrant Contact Type: Private"],
  ["Registrant Legal Form: Osoba fizyczna"],
  ["\n[Holder]\nType: Natural person\nName: Jane"],
])("what kind of holder it is, is no redaction: %j", (lines) => {
  const shown = read(`Registrant Name: Jane\n${lines}\n`);
  expect(shown).toMatchObject({ registrant: { name: "Jane" }, privacyProtected: false, redactedFields: [] });
  expect(read("Registrant Name: Natural person\nRegistrant Type: Natural person\n")).toMatchObject({
    registrant: { name: null },
    privacyProtected: true,
    redactedFields: ["registrant_name"],
  });
});

test.each(["\nAbuse Contact:\nDNSSEC: yes\n", "\nAbuse Contact:\n\nDNSSEC:      yes\n"])(
  "DNSSEC below the empty heading of %j is the domain's",
  (lines) => {
    expect(read(lines).dnssec).toBe("signedDelegation");
  },
);

describe("the dates of a WHOIS record", () => {
  const DAY = "2004-05-06T00:00:00Z";

  test.each([
    ["Domain created on", { creationDate: DAY }],
    ["Record created", { creationDate: DAY }],
    ["Domain Activation Date", { creationDate: DAY }],
    ["Fecha de alta", { creationDate: DAY }],
    ["Domain Record Last Updated On", { updatedDate: DAY }],
    ["Record modified", { updatedDate: DAY }],
    ["Registry Expiration Date", { expirationDate: DAY }],
    ["Domain renewal date", { expirationDate: DAY }],
    ["Registration valid to", { expirationDate: DAY }],
    ["Data de expiração / Expiration Date (dd/mm/yyyy)", { expirationDate: DAY }],
  ])("behind the label %j", (label, date) => {
    const told = readWhole(`Domain: example.lab\nRegistrar: Example\n${label}: 06.05.2004\n`);
    expect(told).toMatchObject({ creationDate: null, updatedDate: null, expirationDate: null, ...date });
  });

  test.each([
    ["Domain holder"],
    ["Registry contact"],
    ["Registry updated"],
    ["Registry last updated"],
    ["Domain transferred"],
    ["Record"],
    ["Domain"],
  ])("are not behind the label %j", (label) => {
    const { creationDate, updatedDate, expirationDate } = read(`${label} on: 06.05.2004\n`);
    expect([creationDate, updatedDate, expirationDate]).toEqual(["2003-01-15T00:00:00Z", null, null]);
  });
});

test.each([
  ["Registrar. . . . . . . . . . . . . . . Example", "Example"],
  ["Registrar#. . . . . . . . . . . . . . .Example: A Company", "Example: A Company"],
  ["Registrar..................... Example", "Example"],
  [`Registrar  ${".".repeat(90)} Example`, "Example"],
  ["Enregistreur / Registrar: Example", "Example"],
  ["Note. . . and then Registrar Example", null],
  ["Registrar. . . . . . . . . . . . . . .", null],
])("the registrar in the line %j is %j", (line, name) => {
  expect(read(`${line}\n`).registrar.name).toBe(name);
});
