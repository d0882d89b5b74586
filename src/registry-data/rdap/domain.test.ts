import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { readRdapDomain } from "./domain.ts";
import { isJson, type Json } from "./json.ts";

const FOLDER = fileURLToPath(new URL("../../../test/fixtures/rdap", import.meta.url));
const recorded = (name: string): Json => {
  const json: unknown = JSON.parse(readFileSync(join(FOLDER, `${name}.json`), "utf8"));
  if (!isJson(json)) throw new Error(`${name} is no object`);
  return json;
};

test.each([
  [{ status: ["available"] }, false],
  [{ status: ["reserved"] }, false],
  [{ status: ["Not Registered"], entities: [] }, false],
  [{ status: ["FREE"] }, false],
  [{ status: ["available for registration"] }, false],
  [{ status: ["prohibited"] }, false],
  [{ status: ["not delegated"] }, true],
  [{ status: ["available for backorder"] }, true],
  [{ status: ["Available at auction"] }, true],
  [{ status: ["client transfer prohibited"] }, true],
  [{ status: ["server renew prohibited", "pending delete"] }, true],
  [{ status: ["quarantine"] }, true],
  [
    {
      status: ["inactive", "blocked"],
      events: [{ eventAction: "last changed", eventDate: "2026-01-02T00:00:00Z" }],
    },
    false,
  ],
  [{ status: ["reserved"], nameservers: [{ ldhName: "ns.registry.example" }] }, true],
  [
    { status: ["reserved"], events: [{ eventAction: "registration", eventDate: "2001-01-02T00:00:00Z" }] },
    true,
  ],
  [{ status: ["reserved"], entities: [{ roles: ["registrar"], handle: "292" }] }, true],
  [{ status: ["inactive"] }, true],
  [{}, true],
])("%j is registered: %s", (members, registered) => {
  const object = { objectClassName: "domain", ldhName: "name.example", ...members };
  expect(readRdapDomain("name.example", object)?.registered).toBe(registered);
});

test.each([
  ["292", null],
  ["9999-1", null],
  ["REG-EXAMPLE", "REG-EXAMPLE"],
  ["1api", "1api"],
])("a registrar without a card and with the handle %j is called %j", (handle, name) => {
  const entities = [{ roles: ["registrar"], handle }];
  const object = { objectClassName: "domain", ldhName: "name.example", entities };
  expect(readRdapDomain("name.example", object)?.registrar.name).toBe(name);
});

describe("readRdapDomain()", () => {
  test.each([
    [
      "a thin gTLD registry's answer",
      "gtld-thin",
      {
        registrar: {
          name: "Example Registrar, Inc.",
          ianaId: "376",
          url: null,
          abuseEmail: "abuse@registrar.example",
          abusePhone: "+1.7035551234",
        },
        creationDate: "1995-08-14T04:00:00Z",
        expirationDate: "2027-08-13T04:00:00Z",
        updatedDate: "2025-08-14T07:01:39Z",
        nameServers: ["a.iana-servers.net", "b.iana-servers.net"],
        statuses: ["clientDeleteProhibited", "clientTransferProhibited", "clientUpdateProhibited"],
        privacyProtected: null,
        dnssec: "signedDelegation",
        dsRecords: [
          {
            keyTag: 370,
            algorithm: 13,
            digestType: 2,
            digest: "BE74359954660069D5C63D200C39F5603827D7DD02B56F120EE9F3A86764247C",
          },
        ],
        referral: "https://rdap.registrar.example/rdap/domain/EXAMPLE.COM",
        termsOfServiceUrl: "https://registry.example/terms",
      },
    ],
    [
      "a registrar's answer with RFC 9537 members",
      "gtld-registrar-9537",
      {
        registrant: {
          name: null,
          organization: "Example Holdings",
          state: "CA",
          country: "US",
          emailDomain: null,
        },
        privacyProtected: true,
        redactedFields: ["Registrant Street", "Tech Name", "registrant_email_domain", "registrant_name"],
        expirationDate: null,
        registrar: {
          name: "Example Registrar, Inc.",
          ianaId: "376",
          url: "https://registrar.example/",
          abuseEmail: "abuse@registrar.example",
          abusePhone: "+1.7035551234 ext. 2",
        },
      },
    ],
    [
      "a thick gTLD registry's answer with redaction in words",
      "gtld-thick-words",
      {
        registrant: {
          name: null,
          organization: "Internet Example Society",
          state: "VA",
          country: "US",
          emailDomain: null,
        },
        privacyProtected: true,
        creationDate: "1998-12-31T05:00:00Z",
        updatedDate: "2026-01-02T03:04:05Z",
        statuses: ["autoRenewPeriod", "serverDeleteProhibited"],
        nameServers: ["ns1.example.org", "ns2.example.org"],
        dnssec: "unsigned",
        emails: ["abuse@registrar.example"],
        termsOfServiceUrl: "https://thenew.example/terms",
      },
    ],
    [
      "a privacy service in the registrant's place",
      "gtld-privacy-service",
      {
        registrant: {
          name: "Domain Admin",
          organization: null,
          state: "MA",
          country: "US",
          emailDomain: null,
        },
        privacyProtected: true,
        registrar: {
          name: "Other Registrar",
          ianaId: null,
          url: null,
          abuseEmail: "abuse@other.example",
          abusePhone: null,
        },
        dnssec: null,
      },
    ],
    [
      "an answer of .nl's kind",
      "cctld-nl",
      {
        registrant: {
          name: "Voorbeeld B.V.",
          organization: "Voorbeeld B.V.",
          state: null,
          country: null,
          emailDomain: null,
        },
        privacyProtected: false,
        creationDate: "1999-05-27T00:00:00Z",
        expirationDate: null,
        updatedDate: "2023-03-08T09:11:12Z",
        statuses: ["ok"],
        emails: ["abuse@registrar.example", "tech@voorbeeld.example"],
        dsRecords: [{ keyTag: 34112, algorithm: 8, digestType: 2, digest: "3B9E3C1FAA00" }],
        termsOfServiceUrl: "https://www.example.nl/terms",
      },
    ],
    [
      "an answer of .br's kind",
      "cctld-br",
      {
        registrant: {
          name: "Exemplo Comércio Ltda",
          organization: null,
          state: null,
          country: null,
          emailDomain: null,
        },
        emails: ["fulano@exemplo.com.br"],
        expirationDate: "2027-01-10T12:00:00Z",
        dsRecords: [{ keyTag: 52471, algorithm: 13, digestType: 2, digest: "ABCDEF0123" }],
      },
    ],
    [
      "an answer of .uk's kind, which says nothing of a registrant",
      "cctld-uk",
      {
        privacyProtected: null,
        statuses: ["linked"],
        dnssec: "unsigned",
        updatedDate: "2025-07-03T09:00:00Z",
      },
    ],
    [
      "an answer of .cz's kind, signed without DS data",
      "cctld-cz",
      {
        registrar: { name: "REG-PRIKLAD", ianaId: null, url: null, abuseEmail: null, abusePhone: null },
        registrant: {
          name: "Jan Příklad",
          organization: null,
          state: null,
          country: "CZ",
          emailDomain: null,
        },
        dnssec: "signedDelegation",
        dsRecords: [],
        expirationDate: "2027-06-08T22:00:00Z",
      },
    ],
    [
      "JSContact cards",
      "jscontact",
      {
        registrant: {
          name: "Erika Mustermann",
          organization: "Beispiel GmbH",
          state: "BE",
          country: "DE",
          emailDomain: "gmx.de",
        },
        registrar: {
          name: "Registrar AG",
          ianaId: null,
          url: "https://registrar.example/",
          abuseEmail: null,
          abusePhone: null,
        },
        emails: ["erika@gmx.de"],
      },
    ],
    [
      "single values in place of lists, nulls, broken dates",
      "sloppy-server",
      {
        statuses: ["ok"],
        nameServers: ["ns1.example.shop"],
        creationDate: "2021-01-01T00:00:00Z",
        updatedDate: null,
        registrar: { name: "One Registrar", ianaId: null, url: null, abuseEmail: null, abusePhone: null },
      },
    ],
  ])("reads %s", (_what, name, expected) => {
    expect(readRdapDomain("example.com", recorded(name))).toMatchObject(expected);
  });

  test("is null of another kind of object", () => {
    expect(readRdapDomain("example.com", recorded("arin-network"))).toBeNull();
    expect(readRdapDomain("example.com", {})).toBeNull();
  });
});

test.each([
  ["https://registrar.example", "https://registrar.example"],
  ["http://Registrar.Example:80/a/../b", "http://Registrar.Example:80/a/../b"],
  ["www.registrar.example", "www.registrar.example"],
  ["javascript:alert(1)", null],
])("readRdapDomain() shows the registrar's link %s as %j", (link, url) => {
  const vcardArray = ["vcard", [["url", {}, "uri", link]]];
  const object = {
    objectClassName: "domain",
    ldhName: "example.com",
    entities: [{ roles: ["registrar"], vcardArray }],
    notices: [
      { title: "Terms of Use", links: [{ href: "https://registry.example", rel: "terms-of-service" }] },
    ],
  };
  const registration = readRdapDomain("example.com", object);
  expect(registration?.registrar.url).toBe(url);
  expect(registration?.termsOfServiceUrl).toBe("https://registry.example");
});

test.each([
  [["registration 2001-01-02", "registration 2026-11-01"], "2026-11-01T00:00:00Z"],
  [["registration 2026-11-01", "registration 2001-01-02"], "2026-11-01T00:00:00Z"],
  [["reregistration 2026-11-01", "registration 2001-01-02"], "2026-11-01T00:00:00Z"],
  [["registration 2001-01-02", "transfer 2026-11-01", "last changed 2026-11-01"], "2001-01-02T00:00:00Z"],
])("a domain with the events %j was created at %s", (texts, created) => {
  const events = texts.map((text) => {
    const at = text.lastIndexOf(" ");
    return { eventAction: text.slice(0, at), eventDate: `${text.slice(at + 1)}T00:00:00Z` };
  });
  const object = { objectClassName: "domain", ldhName: "name.example", events };
  expect(readRdapDomain("name.example", object)?.creationDate).toBe(created);
});
