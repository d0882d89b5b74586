import { describe, expect, test } from "vitest";
import { CANARY_HOST } from "../../../test/servers/dialing.ts";
import { createStoppedClock, until } from "../../../test/servers/dns-client.ts";
import { serveWhois, whoisClient } from "../../../test/servers/whois-client.ts";
import type { TestWhoisBehaviour, TestWhoisServer } from "../../../test/servers/whois-server.ts";
import { type Clock, systemClock } from "../../base/clock.ts";
import type { WhoisLookup } from "../outcome.ts";
import { createWhoisLookup } from "./lookup-whois-domain.ts";
import { createWhoisServers } from "./servers.ts";

type World = {
  readonly servers: Readonly<Record<string, string>>;
  readonly root?: TestWhoisServer;
  readonly clock?: Clock;
};

async function lookupOf({ servers, root, clock = systemClock }: World): Promise<WhoisLookup> {
  const rootServer = root && { server: { host: root.host, port: root.port }, isOperatorsWord: true };
  return createWhoisLookup({
    whois: await whoisClient({ clock }),
    servers: createWhoisServers(servers, new Map()),
    clock,
    ...(rootServer && { rootServer }),
  });
}

const context = (clock: Clock = systemClock, ms = 30_000) => ({
  signal: new AbortController().signal,
  deadlineMs: clock.monotonicMs() + ms,
});

async function lookUp(world: World, name = "example.lab") {
  return (await lookupOf(world))(name, context(world.clock));
}

const THIN = `Domain Name: EXAMPLE.LAB
Registrar: Example Registrar
Creation Date: 2003-01-15T00:00:00Z
Registry Expiry Date: 2027-01-15T00:00:00Z
Domain Status: ok
Registrar WHOIS Server: `;

describe("the WHOIS lookup of a domain", () => {
  test("asks the operator's server and gives its record", async () => {
    const registry = await serveWhois(
      () => "domain: example.lab\ncreated: 15-Jan-2003\nregistrar: Example\n",
    );
    const answer = await lookUp({ servers: { lab: registry.address } });
    expect(answer).toMatchObject({
      state: "answered",
      value: {
        server: registry.address,
        registrarServer: null,
        registration: {
          registered: true,
          creationDate: "2003-01-15T00:00:00Z",
          registrar: { name: "Example" },
        },
      },
    });
    expect(registry.questions).toEqual(["example.lab\r\n"]);
  });

  test("says that a name is free when the registry says so", async () => {
    const registry = await serveWhois((question) => `No match for ${question}`);
    const answer = await lookUp({ servers: { lab: registry.address } });
    expect(answer).toMatchObject({ state: "answered", value: { registration: { registered: false } } });
  });

  test.each<[string, TestWhoisBehaviour, string, string]>([
    ["is closed mid-answer", "Domain Name: EXAM", "error", "The answer is not a record of this domain"],
    ["is broken off mid-answer", { beforeReset: THIN }, "error", "The connection broke"],
    ["is empty", "hang_up", "error", "The server closed the connection without an answer"],
    [
      "is HTML",
      "<html><title>404 Not Found</title></html>",
      "error",
      "The answer is not a record of this domain",
    ],
    [
      "is of another domain",
      "Domain Name: OTHER.LAB\nRegistrar: X\n",
      "error",
      "The answer is not a record of this domain",
    ],
    ["is a refusal", "Query limit exceeded\n", "refused", "The server refuses to answer now"],
  ])("gives nothing, and not a free name, of an answer that %s", async (_, behaviour, reason, detail) => {
    const registry = await serveWhois(() => behaviour);
    const answer = await lookUp({ servers: { lab: registry.address } });
    expect(answer).toEqual({ state: "unavailable", upstream: registry.address, reason, detail });
  });

  test("ends at its deadline", async () => {
    const clock = createStoppedClock();
    const registry = await serveWhois(() => "silence");
    const lookup = await lookupOf({ servers: { lab: registry.address }, clock });
    const answer = lookup("example.lab", context(clock, 2000));
    await until(() => registry.questions.length === 1);
    clock.advance(2000);
    expect(await answer).toMatchObject({ reason: "timeout", detail: "No whole answer within 2000 ms" });
    expect(await lookup("example.lab", context(clock, 0))).toMatchObject({
      reason: "timeout",
      detail: "No time is left to ask the server",
    });
  });

  test("leaves a server that refused alone for a minute", async () => {
    const clock = createStoppedClock();
    const registry = await serveWhois(() => "Too many requests\n");
    const lookup = await lookupOf({ servers: { lab: registry.address }, clock });
    await lookup("a.lab", context(clock));
    registry.use(() => "No match\n");
    clock.advance(59_999);
    expect(await lookup("b.lab", context(clock))).toMatchObject({ state: "unavailable", reason: "refused" });
    clock.advance(1);
    expect(await lookup("b.lab", context(clock))).toMatchObject({ state: "answered" });
    expect(registry.questions).toEqual(["a.lab\r\n", "b.lab\r\n"]);
  });

  test("leaves a server alone for as long as it asks", async () => {
    const clock = createStoppedClock();
    const registry = await serveWhois(() => "Please go away for 13 Seconds\n");
    const lookup = await lookupOf({ servers: { lab: registry.address }, clock });
    await lookup("a.lab", context(clock));
    registry.use(() => "No match\n");
    clock.advance(12_999);
    expect(await lookup("b.lab", context(clock))).toMatchObject({ state: "unavailable", reason: "refused" });
    clock.advance(1);
    expect(await lookup("b.lab", context(clock))).toMatchObject({ state: "answered" });
  });

  test("goes on asking a server whose terms speak of limits", async () => {
    const registry = await serveWhois(
      () => "% Access to the whois service is rate limited.\n\nDomain not found.\n",
    );
    const lookup = await lookupOf({ servers: { sk: registry.address } });
    for (const name of ["a.sk", "b.sk"]) {
      const answer = await lookup(name, context());
      expect(answer).toMatchObject({ state: "answered", value: { registration: { registered: false } } });
    }
    expect(registry.questions).toEqual(["a.sk\r\n", "b.sk\r\n"]);
  });

  test.each(["ru", "tr", "kr", "pl", "hk"])("reads a Latin-1 answer of .%s in Latin letters", async (tld) => {
    const text = `domain: a.${tld}\ncreated: 2003-01-15\nregistrar: Société du Nom\n`;
    const registry = await serveWhois(() => Buffer.from(text, "latin1"));
    const answer = await lookUp({ servers: { [tld]: registry.address } }, `a.${tld}`);
    expect(answer).toMatchObject({ value: { registration: { registrar: { name: "Société du Nom" } } } });
  });

  test("reads what is not UTF-8 as its registry sends it", async () => {
    const text = Buffer.from(
      "domain: example.de\nNserver: ns1.example.de\nStatus: connect\nHolder: M\xfcller\n",
      "latin1",
    );
    const registry = await serveWhois(() => text);
    const answer = await lookUp({ servers: { de: registry.address } }, "example.de");
    expect(answer).toMatchObject({ value: { registration: { registrant: { name: "Müller" } } } });
  });
});

test("a registrar's answer is not read in the registry's character set", async () => {
  const shown = "domain: a.ru\ncreated: 2003-01-15\nwhois server: ";
  const holder = "Domain: a.ru\nRegistrar: X\nRegistrant Organization: Łódź\n";
  const registrar = await serveWhois(() => Buffer.from(holder));
  const registry = await serveWhois(() => `${shown}${registrar.address}\n`);
  const answer = await lookUp({ servers: { ru: registry.address, x: registrar.address } }, "a.ru");
  expect(answer).toMatchObject({ value: { registration: { registrant: { organization: "Łódź" } } } });
});

describe("the WHOIS lookup's referral to a registrar", () => {
  const referring = async (
    text: (registrar: TestWhoisServer) => string,
    registrarSays: TestWhoisBehaviour,
  ) => {
    const registrar = await serveWhois(() => registrarSays);
    const registry = await serveWhois(() => `${THIN}${text(registrar)}\n`);
    const answer = await lookUp({ servers: { lab: registry.address, registrar: registrar.address } });
    return { answer, registrar, registry };
  };
  const FULL = `Domain Name: EXAMPLE.LAB
Registrar: Another Name
Creation Date: 1999-01-01T00:00:00Z
Domain Status: clientHold
Registrant Organization: Example Ltd
Registrant Email: info@example.com
Registrar WHOIS Server: `;

  test("fills what the registry left empty, the registry's dates and status winning", async () => {
    const { answer, registrar } = await referring(({ address }) => address, FULL);
    expect(answer).toMatchObject({
      value: {
        registrarServer: registrar.address,
        registration: {
          creationDate: "2003-01-15T00:00:00Z",
          statuses: ["ok"],
          registrar: { name: "Example Registrar" },
          registrant: { organization: "Example Ltd", emailDomain: "example.com" },
        },
      },
    });
  });

  test("is followed once: the registrar's own referral is not", async () => {
    const third = await serveWhois(() => FULL);
    const { answer, registrar, registry } = await referring(({ address }) => address, FULL + third.address);
    expect(answer.state).toBe("answered");
    expect([registry, registrar, third].map(({ questions }) => questions.length)).toEqual([1, 1, 0]);
  });

  test("is not followed back to the same server", async () => {
    const registry = await serveWhois(() => `${THIN}${registry.address}\n`);
    const answer = await lookUp({ servers: { lab: registry.address } });
    expect(answer).toMatchObject({ value: { registrarServer: null, registration: { registered: true } } });
    expect(registry.questions.length).toBe(1);
  });

  test.each<[string, (registrar: TestWhoisServer) => string]>([
    ["an address that is not configured", ({ port }) => `${CANARY_HOST}:${port}`],
    ["a URL", ({ address }) => `whois://${address}`],
    ["another protocol", ({ address }) => `rwhois://${address}`],
    ["a name with a port", ({ port }) => `whois.registrar.example:${port}`],
  ])("is not followed to %s", async (_, text) => {
    const { answer, registrar } = await referring(text, FULL);
    expect(answer).toMatchObject({ value: { registrarServer: null, registration: { registered: true } } });
    expect(registrar.questions).toEqual([]);
  });

  test.each<[string, TestWhoisBehaviour]>([
    ["knows nothing of the domain", "No match for example.lab\n"],
    ["breaks off", { beforeReset: "Domain" }],
    ["talks of another domain", "Domain Name: OTHER.LAB\nRegistrar: X\nRegistrant Name: Y\n"],
    ["refuses", "Access denied\n"],
  ])("leaves the registry's answer as it is when the registrar %s", async (_, behaviour) => {
    const { answer } = await referring(({ address }) => address, behaviour);
    expect(answer).toMatchObject({
      value: {
        registrarServer: null,
        registration: { registered: true, registrant: { name: null, organization: null } },
      },
    });
  });
});

describe("the WHOIS lookup's discovery of a registry's server", () => {
  test("asks IANA where no server is known, and keeps what it says", async () => {
    const registry = await serveWhois(() => "domain: example.lab\ncreated: 2003-01-15\n");
    const root = await serveWhois(
      () => `% IANA WHOIS server\n\nrefer:        ${registry.address}\n\ndomain:       LAB\n`,
    );
    const lookup = await lookupOf({ servers: { other: registry.address }, root });
    expect(await lookup("example.lab", context())).toMatchObject({ value: { server: registry.address } });
    expect(await lookup("example.lab", context())).toMatchObject({ value: { server: registry.address } });
    expect(root.questions).toEqual(["lab\r\n"]);
    expect(registry.questions).toEqual(["example.lab\r\n", "example.lab\r\n"]);
  });

  test.each([
    [
      "names none",
      "domain:       LAB\nstatus:       ACTIVE\nremarks:      Registration information: http://nic.lab\n",
    ],
    ["names one inside", "domain:       LAB\nwhois:        127.0.0.1:4343\n"],
  ])("gives nothing where IANA %s", async (_, text) => {
    const root = await serveWhois(() => text);
    expect(await lookUp({ servers: {}, root })).toMatchObject({
      state: "unavailable",
      reason: "error",
      detail: "No WHOIS server is known for .lab",
    });
  });

  test("asks IANA anew after an answer that says nothing of the TLD", async () => {
    const registry = await serveWhois(() => "No match\n");
    const root = await serveWhois(() => "% This query returned 0 objects.\n");
    const lookup = await lookupOf({ servers: { other: registry.address }, root });
    expect(await lookup("example.lab", context())).toMatchObject({ state: "unavailable", reason: "error" });
    root.use(() => `domain: LAB\nwhois: ${registry.address}\n`);
    expect(await lookup("example.lab", context())).toMatchObject({ state: "answered" });
  });
});
