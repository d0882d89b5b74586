import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { READ_WHOIS_BYTES } from "../../net/whois/whois.ts";
import { emptyDomainRegistration } from "../types.ts";
import { parseWhois } from "./parse-whois.ts";

const summary = (text: string, domain: string): string => {
  const reading = parseWhois(text, domain);
  if (reading.state !== "read") return reading.state;
  const { registered, statuses } = reading.registration;
  if (registered === true) return "registered";
  return statuses[0] ?? "not_found";
};

const VERISIGN_TERMS = `>>> Last update of whois database: 2026-11-21T09:00:00Z <<<

NOTICE: The expiration date displayed in this record is the date the
registrar's sponsorship of the domain name registration in the registry is
currently set to expire.

TERMS OF USE: You are not authorized to access or query our Whois
database through the use of electronic processes that are high-volume and
automated. VeriSign reserves the right to restrict your access in its sole
discretion. Access will be denied if the limit is exceeded by you.
`;

describe("parseWhois() of an answer without a record", () => {
  test.each([
    ["com", `No match for domain "FREE.COM".\r\n${VERISIGN_TERMS}`],
    ["org", "Domain not found.\n>>> Last update of WHOIS database: 2026-11-21T09:00:00Z <<<\n"],
    ["info", "NOT FOUND\n"],
    ["xyz", "The queried object does not exist: DOMAIN NOT FOUND\n"],
    ["app", "Domain not found.\n"],
    ["us", "No Data Found\nURL of the ICANN Whois Inaccuracy Complaint Form: https://www.icann.org/wicf/\n"],
    [
      "co.uk",
      '\n    No match for "free.co.uk".\n\n    This domain name has not been registered.\n\n    WHOIS lookup made at 13:00:00 21-Nov-2026\n\n-- \nThis WHOIS information is provided for free by Nominet UK\n',
    ],
    ["de", "% Restricted rights.\n%\n% Terms and Conditions of Use\n\nDomain: free.de\nStatus: free\n"],
    ["fr", "%%\n%% This is the AFNIC Whois server.\n%%\n\n%% NOT FOUND\n"],
    ["nl", "free.nl is free\n"],
    ["eu", "% The WHOIS service offered by EURid\n\nDomain: free.eu\nScript: LATIN\n\nStatus: AVAILABLE\n"],
    ["be", "Domain:\tfree.be\nStatus:\tAVAILABLE\n"],
    ["it", "\nDomain:             free.it\nStatus:             AVAILABLE\n"],
    ["jp", "[ JPRS database provides information on network administration. ]\n\nNo match!!\n"],
    ["br", "\n% Copyright (c) Nic.br\n% 2026-11-21T09:00:00-03:00\n\n% No match for free.br\n"],
    [
      "ru",
      "% TCI Whois Service. Terms of use:\n\nNo entries found for the selected source(s).\n\nLast updated on 2026-11-21T09:01:30Z\n",
    ],
    ["pl", "\nNo information available about domain name free.pl in the Registry NASK database.\n"],
    ["com.au", "Domain not found.\n>>> Last update of WHOIS database: 2026-11-21T09:00:00Z <<<\n"],
    [
      "kr",
      "query : free.kr\n\nThe requested domain was not found in the Registry or Registrar's WHOIS Server.\n",
    ],
    ["se", '# Copyright (c) 1997-\n#\ndomain "free.se" not found.\n'],
    ["fi", "Domain not found\n\n>>> Last update of WHOIS database: 21.11.2026 11:00:13 (EET) <<<\n"],
    ["cz", "%  (c) 2006-2026 CZ.NIC, z.s.p.o.\n%\n\n%ERROR:101: no entries found\n%\n% No entries found.\n"],
    ["ch", "We do not have an entry in our database matching your query.\n"],
    ["at", "% Copyright (c)2026 by NIC.AT (1)\n\n% nothing found\n"],
    ["dk", "# Hello 192.0.2.99.\n\nNo entries found for the selected source.\n"],
    ["no", "% By looking up information\n\n% No match\n"],
    ["pt", "free.pt - No Match\n"],
    ["ca", "Not found: free.ca\n\n%\n% Use of CIRA's WHOIS service is governed by the Terms of Use\n"],
    ["cn", "No matching record.\n"],
    ["tw", "No Found\n"],
    ["hk", "The domain has not been registered.\n"],
    ["in", "Domain not found.\n"],
    ["com.tr", 'No match found for "free.com.tr"\n'],
    ["ua", "% This is the Ukrainian Whois query server #A.\n\n% No entries found for free.ua\n"],
    ["kz", "Whois Server for the KZ top level domain name.\n\n*** Nothing found for this query.\n"],
    ["co.il", "% The data in the WHOIS database\n\n% No data was found to match the request criteria.\n"],
    ["com.mx", "\nNo_Se_Encontro_El_Objeto/Object_Not_Found\n"],
    ["com.ar", "% La informacion\n\nEl dominio no se encuentra registrado en NIC Argentina\n"],
    ["cl", "%%\n%% This is the NIC Chile Whois server (whois.nic.cl).\n\nfree.cl: no entries found.\n"],
    [
      "co.nz",
      "version: 8.6\nquery_datetime: 2026-11-21T22:00:00+13:00\ndomain_name: free.co.nz\nquery_status: 220 Available\n",
    ],
    ["lt", "% Hello\n\nDomain:\t\tfree.lt\nStatus:\t\tavailable\n"],
    ["lv", "[Domain]\nDomain: free.lv\nStatus: free\n"],
    ["bg", "Domain name free.bg does not exist in database!\n"],
    ["rs", "%ERROR:103: Domain is not registered\n"],
    ["is", '% This is the ISNIC Whois server.\n\n% No entries found for query "free.is".\n'],
    ["kg", "Data not found. This domain is available for registration.\n"],
    ["uz", 'Sorry, but domain: "free.uz", not found in database\n'],
    ["lu", "% Access to RESTENA DNS-LU WHOIS\n% No such domain\n"],
    ["tn", "NO OBJECT FOUND!\n"],
  ])("of .%s that it is not registered", (suffix, text) => {
    expect(summary(text, `free.${suffix}`)).toBe("not_found");
    expect(parseWhois(text, `free.${suffix}`)).toEqual({
      state: "read",
      registration: emptyDomainRegistration(`free.${suffix}`, false),
    });
  });

  test.each([
    ["WHOIS LIMIT EXCEEDED - SEE WWW.PIR.ORG/WHOIS FOR DETAILS\n"],
    [
      'Error for "example.co.uk".\n\n    the WHOIS query quota for 192.0.2.1 has been exceeded\n    and will be replenished in 50 seconds\n',
    ],
    ["% Error: 55000000002 Connection refused; access control limit reached.\n"],
    [
      "%ERROR:201: access denied for 192.0.2.1\n%\n% Queries from your IP address have passed the daily limit\n",
    ],
    ["You have exceeded allotted number of whois queries. Try again later.\n"],
    ["Too many requests\n"],
    ["%% Too many requests...\n"],
    ["Requests of this client are not permitted. Please use https://www.nic.ch/whois/ for queries.\n"],
    ["The IP address used to perform the query is not authorised or has exceeded the established limit\n"],
    ["Your connection limit exceeded. Please slow down and try again later.\n"],
    ["-1: Number of allowed queries exceeded.\n"],
    ["Your IP address has been blocked for excessive use\n"],
    ["Rate limited\n"],
    ["Domain not found.\nQuery rate limit exceeded\n"],
    ["The WHOIS service has been retired. Use RDAP.\n"],
    ["Server is busy, please try again later\n"],
  ])("takes %j for a refusal, never for a free name", (text) => {
    expect(summary(text, "example.co.uk")).toBe("refused");
  });

  test.each([
    ["The domain name is reserved by the registry\n", "reserved"],
    ["Reserved Domain Name\n", "reserved"],
    ["This name is reserved by the Registry in accordance with ICANN Policy.\n", "reserved"],
    ["Domain: example.lab\nStatus: reserved\n", "reserved"],
    ["example.lab is withdrawn\n", "reserved"],
    [
      "This name is not available for registration:\nThis name is blocked by a GlobalBlock service\n",
      "blocked",
    ],
    [
      "The registration of this domain is restricted, as it is protected by the Example DPML Brand Protection Policy.\n",
      "blocked",
    ],
  ])("takes %j for a name that cannot be registered", (text, status) => {
    expect(summary(text, "example.lab")).toBe(status);
  });

  test.each([
    [""],
    ["\r\n\r\n"],
    ["Domain Name: EXAM"],
    ["Domain Name: example.lab\n"],
    ["Domain: example.lab\nStatus: invalid\n"],
    ["<html><head><title>404 Not Found</title></head><body>Domain</body></html>\n"],
    ["HTTP/1.1 400 Bad Request\r\nContent-Type: text/html\r\n\r\n"],
    ["Welcome to our WHOIS server. Unregistered users may not be found in here, however available it is.\n"],
    ["Domain Name: other.lab\nRegistrar: Example\nCreation Date: 2003-01-15\n"],
    ["\u0000\u0001\u0002"],
  ])("finds nothing in %j", (text) => {
    expect(summary(text, "example.lab")).toBe("unreadable");
  });
});

test.each<readonly [string, string, string?]>([
  ["CR alone", "\r"],
  ["CR CR LF", "\r\r\n"],
  ["CR alone, and the answer in LF", "\r", "\r\n"],
  ["a break of HTML", "<br>\n"],
  ["a break of XHTML", "<br />\r\n"],
])("lines may end in %s", (_, end, last = "") => {
  const lines = [
    "Domain Name: A.LAB",
    "Registrar: Example Inc.",
    "Creation Date: 2001-02-03",
    "Name Server: NS1.A.LAB",
    "Domain Status: ok",
    "",
  ];
  expect(parseWhois(lines.join(end) + last, "a.lab")).toMatchObject({
    registration: {
      registrar: { name: "Example Inc." },
      creationDate: "2001-02-03T00:00:00Z",
      nameServers: ["ns1.a.lab"],
      statuses: ["ok"],
    },
  });
  expect(summary(["% registry of .lab", "Domain not found.", ""].join(end) + last, "a.lab")).toBe(
    "not_found",
  );
  expect(summary(["Rate limit exceeded", "Domain not found.", ""].join(end) + last, "a.lab")).toBe("refused");
});

test("a bare name with a status of registered domains is a record", () => {
  expect(summary("Domain: example.lab\nStatus: connect\n", "example.lab")).toBe("registered");
});

describe("parseWhois() of any text", () => {
  const line = fc.oneof(
    fc.constantFrom(
      "",
      "Domain Name: example.lab",
      "Registrant:",
      "[Tech-C]",
      "   ns1.example.lab",
      "% x",
      ">>> x <<<",
    ),
    fc.constantFrom(
      "nic-hdl: A1",
      "registrant: A1",
      "Status: ok",
      "DNSSEC: yes",
      "DS Data: 1 8 2 (",
      "** Registrar:",
    ),
    fc.constantFrom(
      "__proto__: x",
      "constructor: y",
      "hasOwnProperty: z",
      "created: 99/99/9999",
      "expires: 9999-12-31",
    ),
    fc.tuple(fc.string(), fc.string()).map(([label, value]) => `${label}: ${value}`),
    fc.string(),
  );
  const text = fc.array(line, { maxLength: 60 }).map((lines) => lines.join("\n"));

  test("never throws, and gives what is sorted, unique and bounded", () => {
    fc.assert(
      fc.property(text, (input) => {
        const reading = parseWhois(input, "example.lab");
        if (reading.state !== "read") return;
        const { nameServers, statuses, emails, redactedFields, dsRecords } = reading.registration;
        for (const values of [nameServers, statuses, emails, redactedFields]) {
          expect(values).toEqual([...new Set(values)].sort());
        }
        expect(dsRecords.length).toBeLessThanOrEqual(50);
        expect(JSON.stringify(reading).length).toBeLessThan(100_000);
      }),
    );
  });

  test("shows no character that a terminal obeys", () => {
    const hostile =
      "Domain Name: example.lab\nRegistrar: A\u001b[2J\u202eB\u0000\nRegistrant Name: x\u200by\n";
    const reading = parseWhois(hostile, "example.lab");
    expect(reading.state === "read" && reading.registration).toMatchObject({
      registrar: { name: "A[2JB" },
      registrant: { name: "xy" },
    });
  });

  test.each([
    ["objects without an end", "Registrar: a\n"],
    ["headings", "Registrant:\n  Name: x\n\n"],
    ["handles and their objects", "nic-hdl: a\nholder: a\n\n"],
    ["comments", "% \n"],
    ["statuses", "Domain Status: ok - ok https://icann.org/epp#ok (ok)\n"],
    ["letters that become longer", `Status: ${"\u0130".repeat(200)}\n`],
    ["signatures of blanks", `DS Record: 0 0 0 (${" ".repeat(460)}0\n`],
    [
      "signatures in brackets over several lines",
      `DS Record: 0 0 0 (\n${`DS Record: ${"a ".repeat(240)}\n`.repeat(5)}`,
    ],
    ["sentences of full stops", `${". ".repeat(140)}x\n`],
    ["sentences of exclamation marks", `${"!".repeat(280)}x\n`],
    ["one label after the other", `${"a-".repeat(140)}\n`],
    ["tabs", `${"\t".repeat(200)}x\n`],
  ])("reads %s, as much as is ever read, in less than 50 ms", (_, piece) => {
    const text = `Domain Name: example.lab\n${piece.repeat(READ_WHOIS_BYTES / piece.length)}`;
    let leastMs = Number.POSITIVE_INFINITY;
    for (let i = 0; i < 5; i++) {
      const before = process.threadCpuUsage();
      parseWhois(text, "example.lab");
      const { user, system } = process.threadCpuUsage(before);
      leastMs = Math.min(leastMs, (user + system) / 1000);
    }
    expect(leastMs).toBeLessThan(50);
  });

  test("keeps a hundred of 50,000 name servers, and reads no further than a record can be long", () => {
    const servers = Array.from({ length: 50_000 }, (_, i) => `Name Server: ns${i}.example.lab`).join("\n");
    const reading = parseWhois(`Domain Name: example.lab\n${servers}`, "example.lab");
    expect(reading.state === "read" && reading.registration.nameServers.length).toBe(100);
  });
});
