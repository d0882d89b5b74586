import { describe, expect, test } from "vitest";
import { readRecord } from "./record.ts";
import { shapeOf } from "./shapes.ts";

const readWhole = (text: string, domain = "example.lab") =>
  readRecord(text, domain, shapeOf(domain)).registration;

describe("the dates of a WHOIS record", () => {
  test.each([
    ["Created: 04/03/2003\nExpires: 04/25/2027", "2003-04-03", "2027-04-25"],
    ["Created: 4/3/2003 1:02:03 PM\nExpires: 4/3/2027\nUpdated: 12/31/2025", "2003-04-03", "2027-04-03"],
    ["Created: 03-04-2003\nExpires: 03-25-2027", "2003-03-04", "2027-03-25"],
    ["Created: 04/03/2003\nExpires: 25/03/2027", "2003-03-04", "2027-03-25"],
    ["Created: 04/03/2003\nExpires: 04/03/2027", undefined, undefined],
    ["Created (dd/mm/yyyy): 04/03/2003\nExpires: 04/03/2027", "2003-03-04", "2027-03-04"],
    ["Created: 04/03/2003\nExpires: 04/03/2027 (MM/DD/YYYY)", "2003-04-03", "2027-04-03"],
    ["Criado: x\nCreated: 04/03/2003 (DD/MM/AAAA)\nExpires: 04/03/2027", "2003-03-04", "2027-03-04"],
    // An answer that has both is of two minds; what can be read in one way alone is.
    ["Created: 04/03/2003\nExpires: 25/03/2027\nUpdated: 12/31/2025", undefined, "2027-03-25"],
    ["Created: 04/03/2003 (dd/mm/yyyy)\nExpires: 04/03/2027 (mm/dd/yyyy)", undefined, undefined],
    // What a holder may write says nothing about the registry's order, nor does a year of two digits.
    ["Created: 04/03/2003\nExpires: 04/03/2027\nAddress: 12/25/2020", undefined, undefined],
    ["Created: 04/03/2003\nExpires: 15-03-24", undefined, undefined],
  ])("of %j have one order of day and month", (lines, created, expires) => {
    const { creationDate, expirationDate } = readWhole(`Domain Name: example.lab\n${lines}\n`);
    expect([creationDate, expirationDate].map((date) => date?.slice(0, 10))).toEqual([created, expires]);
  });

  test.each([
    ["bg", "2003-03-04"],
    ["im", "2003-03-04"],
    ["sm", "2003-03-04"],
    ["tk", "2003-04-03"],
    ["ml", undefined],
    ["xn--lgbbat1ad8j", "2003-03-04"],
    ["xn--p1ai", "2003-03-04"],
    ["xn--kprw13d", undefined],
    ["uk", "2003-03-04"],
    ["com.mx", "2003-03-04"],
    ["us", undefined],
    ["ph", undefined],
    ["com", undefined],
  ])("have the order of the registry of .%s or of its country where it is known", (tld, created) => {
    const domain = `example.${tld}`;
    const { creationDate } = readWhole(`Domain: ${domain}\nRegistrar: Lab\nCreated: 04/03/2003\n`, domain);
    expect(creationDate?.slice(0, 10)).toBe(created);
  });

  test.each([
    ["ml", "05/31/2027", "2003-04-03"],
    ["ga", "25/12/2027", "2003-03-04"],
    ["tk", "31/05/2027 (dd/mm/yyyy)", "2003-03-04"],
    ["hk", "12/25/2027", "2003-04-03"],
    ["de", "12/25/2027", "2003-04-03"],
  ])(
    "have the order that the answer tells, whatever the registry of .%s mostly writes",
    (tld, expires, created) => {
      const domain = `example.${tld}`;
      const text = `Domain: ${domain}\nRegistrar: Lab\nCreated: 04/03/2003\nExpires: ${expires}\n`;
      expect(readWhole(text, domain).creationDate?.slice(0, 10)).toBe(created);
    },
  );

  test.each([
    "Expires: 12/25/2027\nUpdated: 25/12/2026",
    "Expires: 25/12/2027 (mm/dd/yyyy)",
    "% DD/MM/YYYY or MM/DD/YYYY",
  ])("are of no certain order where the answer tells two: %j", (lines) => {
    for (const tld of ["de", "tk", "ml", "com"]) {
      const text = `Domain: example.${tld}\nRegistrar: Lab\nCreated: 04/03/2003\n${lines}\n`;
      expect([tld, readWhole(text, `example.${tld}`).creationDate]).toEqual([tld, null]);
    }
  });
});
