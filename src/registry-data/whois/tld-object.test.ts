import { describe, expect, test } from "vitest";
import { parseWhois } from "./parse-whois.ts";

const DOMAIN = "example.lab";

/** IANA's object of a TLD. */
const ofTld = (name: string): string =>
  `refer: whois.nic.lab\n\ndomain: ${name}\n\norganisation: Lab\naddress: 1 Lab Street\n\ncontact: technical\nname: Ana\ne-mail: t@nic.example\n\nnserver: A.NIC.LAB 192.0.2.1\n\nwhois: whois.nic.lab\n\nstatus: ACTIVE\nremarks: https://nic.lab\n\ncreated: 1993-02-27\nchanged: 2020-11-04\n`;

describe("parseWhois() of the TLD's own object", () => {
  const WITHOUT_END = `${ofTld("LAB")}\n`;
  const TLD = `${ofTld("LAB")}source: IANA\n\n`;

  test.each([WITHOUT_END, TLD])("leaves it out before the record of the domain", (tld) => {
    const text = `${tld}# whois.nic.lab\n\nDomain Name: example.lab\nCreation Date: 2011-09-20\nName Server: ns1.example.com\n`;
    expect(parseWhois(text, DOMAIN)).toMatchObject({
      registration: {
        creationDate: "2011-09-20T00:00:00Z",
        updatedDate: null,
        nameServers: ["ns1.example.com"],
      },
    });
  });

  test.each([WITHOUT_END, TLD])("takes it for no record of the domain", (tld) => {
    expect(parseWhois(tld, DOMAIN)).toEqual({ state: "unreadable" });
  });

  test.each([
    ["Created: 2003-01-15\nExpires: 2027-05-31\nNS: ns1.example.com\n"],
    ["Registrar: Lab\ncreated: 2003-01-15\n"],
    ["No match for example.lab\n"],
    ["Domain: example.lab\nStatus: free\n"],
    ["Domeeni ei leitud\n"],
    ["Message: nicht gefunden\n"],
    ["Sunucu hatası\nAlan adı bulunamadı\n"],
    ["Error: backend timeout\nNo match for example.lab\n"],
    ["Message: access denied\nNot found\n"],
    ["Rate limit exceeded\nNot found\n"],
    ["Registered: yes\nNot found\n"],
    ["Premium: yes\nNot found\n"],
    ["Status: reserved\nNot found\n"],
    ["Reserved name\nNot found\n"],
    ["example.lab is in quarantine\n"],
    ["Updated: 2024-03-21\nNot found\n"],
    ["Domain: other.lab\nStatus: free\n"],
    ["Available: yes\nTier: premium\n"],
    ["nothing known\n"],
  ])("reads %j behind it as alone", (answer) => {
    expect(parseWhois(TLD + answer, DOMAIN)).toEqual(parseWhois(answer, DOMAIN));
    // Where it has no end, what follows may be its own.
    const unended = parseWhois(WITHOUT_END + answer, DOMAIN);
    if (unended.state === "read") expect(unended).toEqual(parseWhois(answer, DOMAIN));
  });

  test("knows it in letters of any script", () => {
    const domain = "example.xn--80asehdb";
    const record = `Domain Name: ${domain}\nCreation Date: 2011-09-20\n`;
    for (const name of ["ОНЛАЙН", "онлайн", "XN--80ASEHDB", "ОНЛАЙН\ndomain-ace: XN--80ASEHDB"]) {
      const tld = `${ofTld(name)}source: IANA\n\n`;
      expect(parseWhois(tld, domain)).toEqual({ state: "unreadable" });
      expect(parseWhois(tld + record, domain)).toMatchObject({
        registration: { creationDate: "2011-09-20T00:00:00Z", nameServers: [] },
      });
      expect(parseWhois(`${tld}Not found\n`, domain)).toMatchObject({ registration: { registered: false } });
    }
  });

  test("takes the TLD behind the domain's name for a part of its record", () => {
    const text = "Domain: example.lab\nDomain: lab\nRegistrar: Foo\nCreated: 2003-01-15\n";
    expect(parseWhois(text, DOMAIN)).toMatchObject({
      registration: { registrar: { name: "Foo" }, creationDate: "2003-01-15T00:00:00Z" },
    });
  });
});
