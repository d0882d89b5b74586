import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseWhois } from "./parse-whois.ts";

const DOMAIN = "example.lab";
const FIELDS: readonly (readonly [string, string])[] = [
  ["Domain Name", DOMAIN],
  ["Creation Date", "2003-01-15"],
  ["Updated Date", "2024-03-21"],
  ["Expiry Date", "2027-05-31"],
  ["Registrar", "Lab & Sons"],
  ["Name Server", "ns1.example.com"],
  ["Name Server", "ns2.example.com"],
];
const WHOLE = {
  state: "read",
  registration: {
    creationDate: "2003-01-15T00:00:00Z",
    updatedDate: "2024-03-21T00:00:00Z",
    expirationDate: "2027-05-31T00:00:00Z",
    registrar: { name: "Lab & Sons" },
    nameServers: ["ns1.example.com", "ns2.example.com"],
  },
};

const written = (line: (label: string, value: string) => string, end = "\n"): string =>
  FIELDS.map(([label, value]) => line(label, value) + end).join("");

describe("parseWhois() of one record in many layouts", () => {
  test.each<[string, string]>([
    ["a dotted leader and a colon", written((label, value) => `${label}......: ${value}`)],
    ["a dotted leader", written((label, value) => `${label} ...... ${value}`)],
    ["a leader of hyphens", written((label, value) => `${label} ------ ${value}`)],
    ["a leader of low lines", written((label, value) => `${label} _____ ${value}`)],
    ["tabs", written((label, value) => `${label}\t${value}`)],
    ["tabs and a colon", written((label, value) => `${label}:\t\t${value}`)],
    ["columns", written((label, value) => label.padEnd(24) + value)],
    ["signs of equality", written((label, value) => `${label}=${value}`)],
    ["signs of equality between blanks", written((label, value) => `${label} = ${value}`)],
    ["arrows", written((label, value) => `${label} => ${value}`)],
    ["a table of lines", written((label, value) => `| ${label} | ${value} |`)],
    ["a colon for full-width letters", written((label, value) => `${label}：${value}`)],
    ["values below their labels", written((label, value) => `${label}:\n${value}`)],
    ["line ends of two kinds", written((label, value) => `${label}: ${value}`, "\r\n").replace("\r\n", "\n")],
    ["line ends of CR alone", written((label, value) => `${label}: ${value}`, "\r")],
    ["a byte order mark", `\ufeff${written((label, value) => `${label}: ${value}`)}`],
  ])("reads it with %s", (_, text) => {
    expect(parseWhois(text, DOMAIN)).toMatchObject(WHOLE);
  });

  const html = (text: string): string => text.replaceAll("&", "&amp;");
  test.each<[string, string]>([
    ["a preformatted part", `<pre>\n${html(written((label, value) => `${label}: ${value}`))}</pre>`],
    ["one line", html(written((label, value) => `${label}: ${value}`, "<br>"))],
    ["bold labels", html(written((label, value) => `<b>${label}:</b> ${value}<br />`))],
    [
      "a table",
      `<table>${html(written((label, value) => `<tr><td>${label}</td><td>${value}</td></tr>`))}</table>`,
    ],
    ["a page", `<html><body>\n${html(written((label, value) => `<p>${label}: ${value}</p>`))}</body></html>`],
    ["a list", `<ul>${written((label, value) => `<li>${label}:&nbsp;${html(value)}</li>`)}</ul>`],
  ])("reads it out of the elements of a web page: %s", (_, text) => {
    expect(parseWhois(text, DOMAIN)).toMatchObject(WHOLE);
  });

  test("takes no address between signs for an element", () => {
    const text = "Domain Name: example.lab\nRegistrar: Lab\nRegistrant Email: <p@mail.example>\n";
    expect(parseWhois(text, DOMAIN)).toMatchObject({ registration: { emails: ["p@mail.example"] } });
  });

  test("reads a value that goes on below the column of the first", () => {
    const text =
      "Domain Name    example.lab\nName Servers   ns1.example.com\n               ns2.example.com\n";
    expect(parseWhois(text, DOMAIN)).toMatchObject({
      registration: { nameServers: ["ns1.example.com", "ns2.example.com"] },
    });
  });

  test("reads it whatever layout each line has", () => {
    const layout = fc.constantFrom<(label: string, value: string) => string>(
      (label, value) => `${label}: ${value}`,
      (label, value) => `${label.toUpperCase()}:\t${value}`,
      (label, value) => `${label.replaceAll(" ", "_")}....: ${value}`,
      (label, value) => `${label}\t\t${value}`,
      (label, value) => `${label} = ${value}`,
      (label, value) => `[${label}]  ${value}`,
    );
    fc.assert(
      fc.property(
        fc.array(layout, { minLength: FIELDS.length, maxLength: FIELDS.length }),
        fc.constantFrom("\n", "\r\n"),
        (layouts, end) => {
          const text = FIELDS.map(([label, value], i) => `${layouts[i]?.(label, value)}${end}`).join("");
          expect(parseWhois(text, DOMAIN)).toMatchObject(WHOLE);
        },
      ),
    );
  });
});

/** What an answer may say of something else than the domain. */
const NO_RECORD = [
  "No match",
  "Not found",
  "[holder] No object found",
  "dominio disponible",
  "未注册",
  "Available: yes",
  "",
];

describe("parseWhois() of one record in the blocks of a registrar", () => {
  test("reads what is the domain's below its holder, and no deeper than its name", () => {
    const text = [
      "Registrant:",
      "   Lab Holdings",
      "   1 Lab Street",
      "",
      "   Registered through: Lab Registrar",
      "   Domain Name: EXAMPLE.LAB",
      "      Created on: 02-Mar-99",
      "      Expires on: 01-Nov-27",
      "      Last Updated on: 01-Nov-11",
      "",
      "   Administrative Contact:",
      "      Lab, Ana  ana@mail.example",
      "",
      "   Domain servers in listed order:",
      "      NS1.EXAMPLE.COM",
      "",
    ].join("\n");
    expect(parseWhois(text, DOMAIN)).toMatchObject({
      registration: {
        registrar: { name: "Lab Registrar" },
        creationDate: "1999-03-02T00:00:00Z",
        expirationDate: "2027-11-01T00:00:00Z",
        updatedDate: "2011-11-01T00:00:00Z",
        nameServers: ["ns1.example.com"],
        registrant: { name: "Lab Holdings" },
      },
    });
  });

  test("reads blocks that no blank line parts, each below its heading", () => {
    const text = [
      "DOMAIN INFORMATION",
      "",
      " Complete Domain Name........: example.lab",
      "Organization Using Domain Name",
      " Organization Name..........: Lab Holdings",
      " Country....................: US",
      "Administrative Contact",
      " Organization Name..........: Other Lab",
      "Nameservers",
      " Primary Server Hostname....: ns1.example.com",
      " Secondary Server Hostname..: ns2.example.com",
      " Third Server Hostname......: ns3.example.com",
      "",
    ].join("\n");
    expect(parseWhois(text, DOMAIN)).toMatchObject({
      registration: {
        nameServers: ["ns1.example.com", "ns2.example.com", "ns3.example.com"],
        registrant: { organization: "Lab Holdings", country: "US" },
      },
    });
  });

  test("takes a part of a record, whatever it is, for no vacancy", () => {
    const record = FIELDS.slice(1).map(([label, value]) => `${label}: ${value}\n`);
    const first = fc.constantFrom(`Domain Name: ${DOMAIN}\n`, `Domain Name: ${DOMAIN}\n\n`, "");
    const part = fc.subarray(record, { minLength: 1 });
    fc.assert(
      fc.property(first, part, fc.constantFrom(...NO_RECORD), fc.boolean(), (name, lines, said, isBefore) => {
        const text = `${name}${lines.join("")}`;
        const reading = parseWhois(isBefore ? `${said}\n\n${text}` : `${text}\n${said}\n`, DOMAIN);
        expect(reading).not.toMatchObject({ state: "read", registration: { registered: false } });
      }),
    );
  });

  test("takes a sentence for no registrar", () => {
    const text =
      "Domain name:\n    example.lab\n\nRegistrar:\n    No registrar listed. Registered directly with Lab.\n\nCreated: 2003-01-15\n";
    expect(parseWhois(text, DOMAIN)).toMatchObject({ registration: { registrar: { name: null } } });
  });
});

describe("parseWhois() of a text in columns that is no record", () => {
  test.each([
    ["Created   by the registry of example names"],
    ["Expires   soon"],
    ["Domain    names are sold here"],
    ["Nameserver = none"],
    ["a = b"],
  ])("takes %j for none", (text) => {
    expect(parseWhois(`${text}\n`, DOMAIN)).toEqual({ state: "unreadable" });
  });
});

describe("parseWhois() of an answer to a question about availability", () => {
  test.each([
    ["Available: yes\n\nDomain Name: example.lab\n", "not registered"],
    ["Domain available: true\n", "not registered"],
    ["Available: no\n\nDomain Name: example.lab\n", "unreadable"],
    ["Available: on request\n\nDomain Name: example.lab\n", "unreadable"],
    ["Available: yes\n\nDomain Name: other.lab\n", "unreadable"],
    ["Available: yes\nPremium: yes\n\nDomain Name: example.lab\n", "unreadable"],
    ["Status: available\nReserved: true\nDomain: example.lab\n", "unreadable"],
    ["Domain Name: example.lab\nDomain Status: Available (premium)\n", "unreadable"],
    ["The domain is available for registration in the premium program.\n", "unreadable"],
    ["Available: yes\n\nDomain Name: example.lab\nCreation Date: 2003-01-15\n", "registered"],
  ])("%j: %s", (text, state) => {
    const reading = parseWhois(text, DOMAIN);
    const found =
      reading.state === "read"
        ? reading.registration.registered
          ? "registered"
          : "not registered"
        : reading.state;
    expect(found).toBe(state);
  });
});
