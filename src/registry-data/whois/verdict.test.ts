import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseWhois } from "./parse-whois.ts";

const summary = (text: string, domain: string): string => {
  const reading = parseWhois(text, domain);
  if (reading.state === "refused") return `refused ${reading.restSeconds ?? "-"}`;
  if (reading.state !== "read") return reading.state;
  const { registered, statuses } = reading.registration;
  return [registered ? "registered" : "free", ...statuses].join(" ");
};

describe("parseWhois() of a refusal", () => {
  test.each([
    ["an error code before it", "a.be", "% .be Whois Server 6.1\n%\n-3: IP address blocked\n", "refused -"],
    [
      "a time beyond reason",
      "a.eu",
      "% WHOIS a.eu\n-1: Still in grace period, wait 7777777 seconds\n",
      "refused 3600",
    ],
    ["one sentence", "a.nl", "only 1 request per second allowed, try again later\n", "refused -"],
    ["a status", "a.nz", "version: 8.0\ndomain_name: a.nz\nquery_status: 440 Request Denied\n", "refused -"],
    ["a time", "a.za", "Please go away for 13 Seconds\n", "refused 13"],
    [
      "a time as an adjective",
      "a.hk",
      "Please maintain at least 10-second time before starting another enquiry\n",
      "refused 10",
    ],
    ["a short time", "a.lab", "Excessive querying, grace period of 2 seconds\n", "refused 2"],
    [
      "a rate in a sentence before it",
      "a.lab",
      "% Queries are limited to 1 per 5 seconds\n% Access denied. Try again in 30 minutes.\n",
      "refused 1800",
    ],
    [
      "a rate in the same sentence",
      "a.lab",
      "You have exceeded the limit of 100 queries per 1 s; wait 15 minutes\n",
      "refused 900",
    ],
    [
      "a rate with in",
      "a.lab",
      "You exceeded 20 queries from one address in 60 seconds, retry after 2 minutes\n",
      "refused 120",
    ],
    ["a rate alone", "a.lab", "Limit of 100 queries per 10 minutes exceeded\n", "refused -"],
    ["a rate with a slash", "a.lab", "Rate limit exceeded (10/60s)\n", "refused -"],
    [
      "the time in a sentence after it",
      "a.lab",
      "Access denied.\nService will be restored in 20 minutes.\n",
      "refused 1200",
    ],
    [
      "a time that refuses and one of something else",
      "a.lab",
      "Answers are kept for 5 minutes.\nRate limit exceeded, wait 40 seconds\n",
      "refused 40",
    ],
    ["milliseconds", "a.lab", "Retry after 10 ms\n", "refused 1"],
    ["many milliseconds", "a.lab", "Retry after 2500 milliseconds\n", "refused 3"],
    ["a decimal fraction", "a.lab", "Please wait 1.5 seconds\n", "refused 2"],
    ["a separator of thousands", "a.lab", "Please wait 1,800 seconds\n", "refused 1800"],
    ["minutes", "a.lab", "Rate limit exceeded, retry in 5 minutes\n", "refused 300"],
    ["a unit of one letter", "a.lab", "ERROR: Connection rate limit reached; wait 30s\n", "refused 30"],
    ["the maximum of an hour", "a.lab", "Maximum queries per hour reached\n", "refused -"],
    ["a comment", "a.lu", "% WHOIS a.lu\n%% Maximum query rate reached\n", "refused -"],
    ["two words", "a.lab", "Quota exceeded\n", "refused -"],
    [
      "no leave to connect",
      "a.lab",
      "% Terms of use: see our page\n\nYou are not allowed to connect\n",
      "refused -",
    ],
    ["no leave to ask", "a.lab", "You are not authorised to query this server.\n", "refused -"],
    [
      "two sentences",
      "a.lab",
      "Your connection limit exceeded. Please slow down and try again later.\n",
      "refused -",
    ],
    ["the client as its subject", "a.lab", "You have been banned\n", "refused -"],
    ["the client's address", "a.lab", "Your IP 192.0.2.1 is blacklisted\n", "refused -"],
    ["no capital", "a.lab", "too many requests\n", "refused -"],
    ["one word", "a.lab", "Blacklisted\n", "refused -"],
    ["a day", "a.lab", "Please try again in 24 hours\n", "refused 3600"],
    ["a status of HTTP", "a.lab", "429 Too Many Requests\n", "refused -"],
    ["a judgement of the pace", "a.lab", "You are querying too often.\n", "refused -"],
    ["permission", "a.lab", "Permission denied.\n", "refused -"],
    ["Spanish", "a.lab", "Límite de consultas excedido\n", "refused -"],
    ["Spanish, said of the asker", "a.lab", "Excedió el límite de consultas permitidas\n", "refused -"],
    ["Portuguese, said of the asker", "a.lab", "Você ultrapassou o limite de consultas.\n", "refused -"],
    ["French, said of the asker", "a.lab", "Vous avez dépassé le nombre maximum de requêtes\n", "refused -"],
    ["an apology", "a.lab", "Sorry, you have exceeded the maximum number of queries\n", "refused -"],
    ["an address", "a.lab", "Error: Access denied for 192.0.2.1\n", "refused -"],
    [
      "the time of the refusal's end",
      "a.lab",
      "the WHOIS query quota for 192.0.2.1 has been exceeded\nand will be replenished in 50 seconds\n",
      "refused 50",
    ],
    [
      "a free name below it",
      "a.lab",
      "Query rate limit exceeded. Reduced information.\nNo match for a.lab\n",
      "refused -",
    ],
    ["a free name above it", "a.br", "% No match for a.br\n% Query rate limit exceeded\n", "refused -"],
    [
      "the words of a temporary block",
      "a.lab",
      "% Your access to this service has been temporarily blocked\n",
      "refused -",
    ],
  ])("understands one with %s", (_why, domain, text, expected) => {
    expect(summary(text, domain)).toBe(expected);
  });
});

const TERMS = [
  "% Access to the whois service is rate limited. For more information, please\n% see https://registry.example/limits.\n",
  "% It is prohibited to:\n% - Send high volume WHOIS queries with the effect of downloading part of the\n%   register;\n",
  "The compilation, repackaging, dissemination or other use of this Data is prohibited.\n",
  "Hosts which exceed the limit are blacklisted.\n",
  "% Queries exceeding the limit will be blocked. Access is denied to hosts that exceed the limit.\n",
  "% The number of requests is limited to 100 per day. All rights reserved.\n",
  "You are not authorized to access or query our Whois\ndatabase through the use of electronic processes that are high-volume and\nautomated.\n",
  "Abuse of this service is monitored and\nactions in contravention of these terms will result in being permanently\nblacklisted.\n",
  "# Access may be restricted when the quota has been exceeded.\n",
  "// Your address may be blocked for excessive use\n",
];

describe("parseWhois() of terms of use", () => {
  test.each(TERMS)("takes %j for no statement about the name", (terms) => {
    expect(summary(terms, "a.lab")).toBe("unreadable");
    expect(summary(`${terms}\nDomain not found.\n`, "a.lab")).toBe("free");
    expect(summary(`No match for "a.lab".\n\n${terms}`, "a.lab")).toBe("free");
    expect(summary(`domain: a.lab\nstatus: ok\n\n${terms}`, "a.lab")).toBe("registered ok");
  });

  test.each(["free.nz", "free.cm"])("calls the free name %s free", (domain) => {
    const nz = `${TERMS[1]}%\nversion: 8.0\nquery_datetime: 2026-11-19T10:20:33+13:00\ndomain_name: ${domain}\nquery_status: 220 Available\n`;
    const cm = `${TERMS[2]}\nDomain Information\nQuery: ${domain}\nStatus: Not Registered\n`;
    expect([summary(nz, domain), summary(cm, domain)]).toEqual(["free", "free"]);
  });
});

describe("parseWhois() of a verdict", () => {
  test.each([
    ["a.nl", "a.nl is in quarantine\n", "registered quarantine"],
    [
      "a.nl",
      "Domain name: a.nl\nStatus:      in quarantine\n\nRecord maintained by: NL\n",
      "registered inQuarantine",
    ],
    [
      "a.jp",
      "[ JPRS database ]\nDomain Information:\n[Domain Name]                   A.JP\n\n[Status]                        Reserved\n",
      "free reserved",
    ],
    [
      "a.int",
      "% This query returned 0 objects.\n%\n% You queried for a.int but this server does not have\n% any data for a.int.\n",
      "free",
    ],
    [
      "a.lab",
      ">>> Domain a.lab is available for registration\n>>> Please query the WHOIS server of a registrar\n",
      "free",
    ],
    ["a.es", "There is no information available on the domain consulted.\n", "free"],
    ["a.hu", "% Whois server 3.0 serving the hu ccTLD\n\nNincs találat / No match\n", "free"],
    [
      "a.do",
      "Domain Name: a.do\nDomain Status: No Object Found\n>>> Last update of WHOIS database: 2026-11-18T23:37:40Z <<<\n",
      "free",
    ],
    ["a.sn", "ANOT FOUND\n", "free"],
    ["a.im", "Domain Name:\ta.im\nThe domain a.im was not found.\n", "free"],
    ["a.gf", "# All data copyright\n\nNO OBJECT FOUND!\nobject:     a.gf\ntype:       domain\n", "free"],
    ["a.edu", "Domain Name: A.EDU\n\nNO MATCH\n", "free"],
    ["a.sk", "% Access to the whois service is rate limited.\n\nDomain not found.\n", "free"],
    [
      "a.lab",
      "Not Registered - The domain you have requested is not a registered .LAB domain name.\n",
      "free",
    ],
    ["a.lab", "El dominio a.lab no está registrado\n", "free"],
    ["a.lab", "Le domaine a.lab n'existe pas\n", "free"],
    ["a.lab", "'a.lab' is available for registration.\n", "free"],
    ["a.lab", "Domain a.lab is reserved by the registry\n", "free reserved"],
    ["a.lab", "a.lab cannot be registered\n", "free reserved"],
    ["a.lab", "Prohibited String - Domain Cannot Be Registered\n", "free reserved"],
    [
      "a.name",
      "Not available for second level registration.\nThird level registrations may be available.\n",
      "free reserved",
    ],
    ["a.lab", "The domain a.lab\n is not valid!\n", "unreadable"],
    ["a.lab", "Invalid query or domain name not known in the registry\n", "unreadable"],
  ])("of %s reads %j", (domain, text, expected) => {
    expect(summary(text, domain)).toBe(expected);
  });

  test.each([
    ['No match for "OTHER.COM".\n', "a.com"],
    ["Domain: other.de\nStatus: free\n", "a.de"],
    ["other.nl is free\n", "a.nl"],
    ["munchen.lab is free\n", "xn--mnchen-3ya.lab"],
    ["Domain münster.lab not found.\n", "xn--mnchen-3ya.lab"],
    ["No match for other.lab in the whois.nic.lab database.\n", "a.lab"],
    ["other.nl is in quarantine\n", "a.nl"],
    ["Domain OTHER.KG (ACTIVE)\n\nRecord created: Tue Sep  9 12:48:10 2003\n", "a.kg"],
  ])("does not take %j for one about %s", (text, domain) => {
    expect(summary(text, domain)).toBe("unreadable");
  });
});

describe("parseWhois() of the asked name with lines of its own", () => {
  const vacancy = fc.constantFrom(
    "NO OBJECT FOUND!",
    "Domain not found.",
    "No match for example.gf",
    "% No entries found",
    "example.gf is free",
    "Status: free",
    "not registered",
  );
  const own = fc.constantFrom(
    "mntnr: MQ1-EXAMPLE",
    "changed: 2016-10-14",
    "admin-c: AB1-EXAMPLE",
    "remarks: kept for the holder",
    "provider: Example",
  );
  const heading = fc.constantFrom("[holder]", "[admin-c]", "[tech-c]", "Registrant:", "Technical Contact:");

  test("never calls the name free", () => {
    const text = fc
      .tuple(fc.array(own, { minLength: 1 }), fc.array(fc.tuple(heading, vacancy)))
      .map(([lines, others]) => [
        "domain: example.gf",
        ...lines,
        ...others.flatMap(([title, line]) => ["", title, line]),
      ]);
    fc.assert(
      fc.property(text, (lines) => {
        expect(summary(lines.join("\n"), "example.gf")).not.toMatch(/^free/);
      }),
    );
  });
});

test("a verdict is found in time that grows with the length of the text alone", () => {
  const awkward = [
    "a.",
    "domain ",
    "the domain a ",
    "your ip ",
    "limit ",
    "no ",
    "wait ",
    "- ",
    "is ",
    "% x\n",
    "a.b-",
  ];
  for (const piece of awkward) {
    const text = piece.repeat(Math.ceil(30_000 / piece.length));
    const folded = text.replace(/(.{290})/g, "$1\n");
    let leastMs = Number.POSITIVE_INFINITY;
    for (let i = 0; i < 5; i++) {
      const before = process.threadCpuUsage();
      parseWhois(text, "a.lab");
      parseWhois(folded, "a.lab");
      const { user, system } = process.threadCpuUsage(before);
      leastMs = Math.min(leastMs, (user + system) / 1000);
    }
    expect(leastMs, piece).toBeLessThan(100);
  }
});
