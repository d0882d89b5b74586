import { domainToASCII } from "node:url";
import { describe, expect, test } from "vitest";
import { parseWhois } from "./parse-whois.ts";

/** Whether the name is registered, by an answer that was read. */
const summary = (text: string, domain: string): string => {
  const reading = parseWhois(text, domain);
  if (reading.state !== "read") return reading.state;
  return reading.registration.registered ? "registered" : "free";
};

describe("parseWhois() of a sentence that names the asked name in its own script", () => {
  const asked: readonly (readonly [string, string])[] = [
    ["an umlaut", "münchen.lab"],
    ["a decomposed umlaut", "mu\u0308nchen.lab"],
    ["a Cyrillic letter with a breve", "йога.lab"],
    ["Arabic", "مثال.lab"],
    ["Arabic with a non-joiner", "نامه\u200cای.lab"],
    ["Hebrew", "דוגמה.lab"],
    ["Chinese and a Chinese TLD", "例子.中国"],
    ["Hangul", "한국.lab"],
    ["Devanagari with vowel marks", "हिन्दी.lab"],
    ["Thai with tone marks", "ที่นี่.lab"],
    ["a Catalan middle dot", "paral·lel.lab"],
  ];
  const sentences: readonly ((name: string) => string)[] = [
    (name) => `Domain ${name} not found.`,
    (name) => `No match for "${name.toUpperCase()}"`,
    (name) => `${name} is free`,
    (name) => `Domain name "\u202b${name}\u202c" is available`,
    (name) => `Message: ${name} does not exist`,
  ];

  test.each(asked)("reads %s as not found", (_why, name) => {
    const domain = domainToASCII(name);
    expect(sentences.map((sentence) => summary(`${sentence(name)}\n`, domain))).toEqual(
      sentences.map(() => "free"),
    );
  });

  test.each([
    ["No entries found in the whois.nic.lab database.\n"],
    ["No match, see www.registry.lab\n"],
    ["No data found at nic.lab\n"],
    ["No match found, write to help@registry.lab\n"],
    ["No match found, write to help@mail.registry.lab\n"],
    ["No match in the database of rs.registry.lab\n"],
  ])("takes the registry's own host in %j for no other domain", (text) => {
    expect(parseWhois(text, "a.lab", "rs.registry.lab")).toMatchObject({
      state: "read",
      registration: { registered: false },
    });
  });
});

describe("parseWhois() of a sentence that points at the asked name", () => {
  test.each([
    ["This domain name has not been registered."],
    ["This domain has not been registered"],
    ["This domain name is not registered."],
    ["This name was not found"],
  ])("reads %j as not found", (text) => {
    expect(summary(`\n    ${text}\n`, "a.lab")).toBe("free");
  });
});

describe("parseWhois() of a free name beside what the registry says of itself", () => {
  test.each([
    ["a.lab is free, and can be registered here\n"],
    ["Domain not found: can be registered here\n"],
    ["Registry DNS servers: ns1.nic.lab\nNo match for a.lab\n"],
    ["Registry hostname: whois.nic.lab\nNo match for a.lab\n"],
    ["Domain host name: whois.nic.lab\nNo match for a.lab\n"],
    ["Record query: b.lab\nNo match\n"],
  ])("reads %j as free", (text) => {
    expect(summary(text, "a.lab")).toBe("free");
  });
});

describe("parseWhois() of a vacancy with the reason for it", () => {
  const noted = (note: string) => `Domain Name: a.lab\nDomain Status: No Object Found\nNotes: ${note}\n`;

  test.each([
    ["The queried object does not exist: This name is reserved by the Registry by its policy.\n", "reserved"],
    ["Domain not found: this name cannot be registered\n", "reserved"],
    [noted("This name is invalid and can not be registered"), "reserved"],
    ["The queried object does not exist: DOMAIN NOT FOUND\n", undefined],
    ["The queried object does not exist: previous registration\n", undefined],
    ["The queried object does not exist: a.lab\n", undefined],
    ["Names in a list: reserved.\nNo match for a.lab\n", undefined],
    ["No match for a.lab\nReserved names are listed at https://registry.lab/reserved\n", undefined],
    ["No match for a.lab\nPremium reserved domain names may be bought by auction.\n", undefined],
    ["No match for a.lab\nProhibited words can be found in the policy.\n", undefined],
    ["No match for a.lab\nReserved name\n", "reserved"],
    [noted("This name can be registered but will require approval"), undefined],
  ])("reads %j as free, with the status %s", (text, status) => {
    expect(parseWhois(text, "a.lab")).toMatchObject({
      registration: { registered: false, statuses: status === undefined ? [] : [status] },
    });
  });
});

describe("parseWhois() takes no vacancy from", () => {
  test.each([
    ["a negation", "Le nom de domaine a.fr n'est pas disponible"],
    ["a negation", "Le domaine a.fr n'est plus libre"],
    ["a negation", "El dominio a.es no esta disponible"],
    ["a negation", "O dominio a.pt nao esta disponivel para registro"],
    ["a negation", "Domain a.lab is no longer available"],
    ["a reason why nothing is shown", "No information is available about a.lab because of privacy"],
    ["a reason why nothing is shown", "No data available for a.lab due to GDPR"],
    ["a reason why nothing is shown", "No domain information is shown to anonymous users."],
    ["a failure", "No data received from the registry"],
    ["a failure", "No results from the backend"],
    ["a failure", "no entries could be loaded"],
    ["a failure", "no information, whois service unavailable"],
    ["a failure", "Not found: file /var/db/whois.db"],
    ["a failure", "Domain not found in local cache"],
    ["a web server", "404 Not Found"],
    ["a failure", "Domain not found: timeout while asking the registry"],
    ["a failure", "ERROR: Domain not found (lookup error)"],
    ["a failure", "No information due to technical problems"],
    ["a failure", "Your request could not be processed at this time. No match."],
    ["a failure", "No match found. The database is being rebuilt."],
    ["a failure", "Nothing found. Maintenance until 12:00 UTC."],
    ["a failure", "No such domain or server failure"],
    ["a failure", "Keine Daten: Datenbank-Fehler"],
    ["a failure", "Domain Status: No Object Found\nError: backend timeout"],
    ["a failure", "NOT FOUND\r\n\r\nError: registry is unreachable"],
    ["a failure", "Status: free\nReason: data base is rebuilding"],
    ["half an answer", "No records found, partial answer"],
    ["a data base for trials", "Domain not found in test database (OT&E)."],
    ["a refusal", "No results. Your IP 192.0.2.1 is not whitelisted."],
    ["a refusal", "No match or access restricted"],
    ["a refusal", "Domain Name: a.lab\nDomain Status: No Object Found because of throttling"],
    ["a record that is kept back", "Domain not found. Please log in to see this record."],
    ["a record that is kept back", "Domain a.lab not found or not public"],
    ["a record that is kept back", "Domain name not found in this registry's public data."],
    ["a proxy", "HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\n\r\nNot Found"],
    ["a web page", "<html><body>\nNot Found\n</body></html>"],
    ["another registrar's word", "Domain a.lab is not registered with us, ask another registrar"],
    ["an offer", "The domain a.lab is available for purchase from its owner"],
    ["a later date", "Domain: a.lab\nStatus: Available on 2027-01-01"],
    ["another name", 'No match for "other.org".'],
    ["another protocol", "No data found over port 43. See https://rdap.registry.lab/ for it."],
    ["another protocol", "No registration data. It is in RDAP alone."],
    ["another page", "No whois information is available for this domain, use our web form."],
    ["another page", "Domain not found. Captcha required."],
    ["another server", "No match here; ask whois.other.lab"],
    ["another server", "No entries found. This zone is served by whois.second-level.lab"],
    ["another registry", "Domain not found. It is registered at another registry."],
    ["another registry, a line below", "Domain not found.\n\nThis domain is registered at another registry."],
    ["another registry, a line above", "The name is managed by a different registry\nNo match"],
    ["a member that says yes", "domain: a.lab\nregistered: yes\nmessage: not found"],
    ["another registrar's word", "a.lab is not registered through us"],
    ["another registrar's word", "Domain a.lab is not registered here."],
    ["another registrar's word", "Domain a.lab is not currently registered here."],
    ["another registrar's word", "a.lab was not found in your portfolio"],
    ["a market", "a.lab is available for backorder"],
    ["a market", "Domain: a.lab\nStatus: available at auction"],
    ["a market", "a.lab is free to transfer"],
    ["a life that has not ended", "No records. The domain is pending delete"],
    ["a life that has not ended", "Domain: a.lab\nStatus: not registered (redemption)"],
    ["a life that has not begun", "No object found (pendingCreate)"],
    ["a zone without it", "Domain a.lab not delegated but registered"],
    ["a longer name", 'No match for "a.lab.com"'],
  ])("%s: %s", (_, text) => {
    const asked = /\ba\.(?:fr|es|pt)\b/.exec(text)?.[0] ?? "a.lab";
    expect(parseWhois(`${text}\n`, asked)).toEqual({ state: "unreadable" });
  });

  test.each([
    ["%ERROR:101: no entries found\n"],
    ["ERROR: Domain not found\n"],
    ["Domain not found\nReason: 404\n"],
    ["Domain not found\nError: No match for time-out.lab\n"],
    ["Error 404: No match for a.lab\n"],
    ["No match for a.lab. Access may be restricted when limits are exceeded.\n"],
    ["No match for a.lab. Please check the spelling and try again.\n"],
    ["No entries found. For technical support contact help@registry.lab\n"],
    ["Domain not found. This is a public service; access is restricted to lawful use.\n"],
    ["% Access to this service is restricted, see our terms.\n\nDomain not found.\n"],
    ["Domain not found.\n\nFor problems with this service write to help@registry.lab\n"],
    ["The WHOIS service will be retired on 28 January 2027.\nNo match for a.lab\n"],
    ["No match for a.lab. Data is also at https://rdap.registry.lab/\n"],
    ["No match for rdap.lab, a.lab.\n"],
    ["Use RDAP for further details of domains.\nNo match for a.lab\n"],
    ["NOTICE: access to the WHOIS service may be terminated at any time.\nNo match for a.lab\n"],
    ["Hosts that exceed the limit will have their WHOIS access terminated.\nNo match for a.lab\n"],
    ["The name a.lab is free to be registered\n"],
  ])("but from %j", (text) => {
    expect(summary(text, "a.lab")).toBe("free");
  });

  test.each([
    "file.lab",
    "privacy.lab",
    "wait.lab",
    "log-in.lab",
    "error.lab",
    "404.lab",
    "note-book.lab",
    "due-to-failure.lab",
  ])("but from a sentence about %s", (domain) => {
    const texts = [
      `No match for ${domain.toUpperCase()}.`,
      `${domain} is free`,
      `Domain ${domain} not found`,
    ];
    expect(texts.map((text) => summary(`${text}\n`, domain))).toEqual(["free", "free", "free"]);
  });

  test.each([
    ["WHOIS was sunset on 28 January 2025; see https://rdap.registry.lab/"],
    ["Port 43 WHOIS has been switched off."],
    ["As of January 2025 this registry no longer provides WHOIS on port 43."],
    ["This WHOIS service no longer returns registration data."],
    ["WHOIS was replaced by RDAP."],
    ["Please use RDAP."],
    ["Se ha excedido el límite de consultas"],
    ["Se ha denegado el acceso"],
    ["Si è superato il limite di richieste"],
  ])("a server that says %j", (line) => {
    for (const text of [`${line}\nNo data found\n`, `No data found\n\n${line}\n`]) {
      expect(parseWhois(text, "a.lab").state).toBe("refused");
    }
  });

  test("another object before the asked one", () => {
    const other = "Domain Name: bar-a.lab\nRegistrar: Other\nCreation Date: 1999-01-01\n\n";
    const own = "Domain Name: a.lab\nRegistrar: Own\nCreation Date: 2026-11-20\n";
    expect(parseWhois(other + own, "a.lab")).toEqual({ state: "unreadable" });
    expect(parseWhois(own, "a.lab")).toMatchObject({ registration: { registrar: { name: "Own" } } });
  });
});

describe("parseWhois() of the asked name with one line that tells nothing certain", () => {
  test.each([
    ["Status: blocked"],
    ["Domain Status: Suspended"],
    ["State: restricted"],
    ["Registered: no"],
    ["Registered: false"],
    ["Creation Date: Not found"],
    ["Expires: never"],
  ])("takes %j neither for a registration nor for a refusal of the asker", (line) => {
    expect(parseWhois(`Domain: a.lab\n${line}\n`, "a.lab")).toEqual({ state: "unreadable" });
  });

  test.each([["Query Status: blocked"], ["Error: blocked"], ["Blocked"]])(
    "takes %j for a refusal",
    (line) => {
      expect(parseWhois(`Domain: a.lab\n${line}\n`, "a.lab").state).toBe("refused");
    },
  );

  test.each([["Registered: 2003"], ["Creation Date: 15. tammikuuta 2003"]])(
    "takes %j for one of a registration",
    (line) => {
      expect(summary(`Domain: a.lab\n${line}\n`, "a.lab")).toBe("registered");
    },
  );
});
