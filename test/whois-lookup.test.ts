import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bootstrapFile, NOT_FOUND, startRdapServer, type TestRdapServer } from "./servers/rdap-server.ts";
import { startWhoisServer, type TestWhoisServer } from "./servers/whois-server.ts";
import { callPatiently, startTestService, type TestAccount, type TestService } from "./service.ts";

const recorded = (name: string) => ({
  json: JSON.parse(
    readFileSync(fileURLToPath(new URL(`fixtures/rdap/${name}.json`, import.meta.url)), "utf8"),
  ),
});

/** One machine plays IANA and the registries, another the registrar. */
function registryAnswer(path: string, { url }: TestRdapServer, registrarUrl: string) {
  switch (path) {
    case "/dns.json":
      return bootstrapFile({ com: url, broken: url });
    case "/ipv4.json":
      return bootstrapFile({ "8.0.0.0/8": url, "198.41.0.0/16": url });
    case "/ipv6.json":
      return bootstrapFile({ "2001:600::/23": url });
    case "/asn.json":
      return bootstrapFile({ "1-64000": url, "131072-140000": url });
    case "/domain/example.com": {
      const { json } = recorded("gtld-thin");
      return { json: { ...json, links: [{ rel: "related", href: `${registrarUrl}domain/example.com` }] } };
    }
    case "/domain/moved.com":
      return { body: "", status: 302, headers: { location: `${url}elsewhere/domain/moved.com` } };
    case "/elsewhere/domain/moved.com":
      return { json: { ...recorded("gtld-thin").json, ldhName: "MOVED.COM" } };
    case "/domain/kept.com":
      return { json: { objectClassName: "domain", ldhName: "KEPT.COM", status: ["reserved"] } };
    case "/domain/mistaken.com":
      return recorded("gtld-thin");
    case "/domain/round.com":
      return { body: "", status: 302, headers: { location: `${url}domain/round.com` } };
    case "/domain/example.broken":
    case "/ip/8.1.1.1":
      return { body: "<html>", status: 502 };
    case "/ip/8.8.8.8":
    case "/ip/8.8.4.4":
    case "/ip/8.8.8.0/24":
      return recorded("arin-network");
    case "/ip/8.8.0.0/16":
      return {
        json: { ...recorded("arin-network").json, startAddress: "8.8.0.0", endAddress: "8.8.255.255" },
      };
    case "/autnum/15169":
    case "/autnum/15168":
      return recorded("arin-autnum");
    case "/autnum/131080":
      return recorded("apnic-autnum-block");
    default:
      return NOT_FOUND;
  }
}

let registry: TestRdapServer;
let registrar: TestRdapServer;
let whois: TestWhoisServer;
let service: TestService;
let account: TestAccount;
beforeAll(async () => {
  registry = await startRdapServer();
  registrar = await startRdapServer(() => recorded("gtld-registrar-9537"));
  registry.use((path) => registryAnswer(path, registry, registrar.url));
  whois = await startWhoisServer((question) =>
    question.includes("free")
      ? "No match for domain\r\n"
      : `Domain Name: ${question}\r\nRegistrar: Lab Registrar\r\nCreation Date: 2019-05-06T07:08:09Z\r\n` +
        "Name Server: ns1.example.net\r\nDomain Status: ok\r\n",
  );
  service = await startTestService({
    file: {
      rdap: { bootstrap_url: registry.url },
      whois: { servers: { lab: whois.address, broken: whois.address } },
      fetch: { allow_networks: ["127.0.0.0/8"] },
    },
  });
  account = await service.openAccount();
});
afterAll(async () => {
  await service.close();
  await registry.close();
  await registrar.close();
  await whois.close();
});

const ask = (body: unknown) => callPatiently(service, { path: "/api/whois-lookup", key: account.key, body });
const dataOf = async (body: unknown) => {
  const answer = await ask(body);
  expect(answer.status).toBe(200);
  return answer.of("data");
};

describe("whois-lookup", () => {
  test("describes a domain by its registry, completed by its registrar, for one credit", async () => {
    const before = await service.balanceOf(account);
    expect(await dataOf({ query: "www.Example.com" })).toMatchObject({
      type: "domain",
      query: "www.example.com",
      domain: "www.example.com",
      registered_domain: "example.com",
      registered: true,
      registrar: "Example Registrar, Inc.",
      registrar_url: "https://registrar.example/",
      creation_date: "1995-08-14T04:00:00Z",
      registrant_organization: "Example Holdings",
      privacy_protected: true,
      dnssec: "signedDelegation",
      source: "rdap",
      lookup_status: "ok",
      provenance: { server: registry.host, rdap_status: 200, registrar_server: registrar.host },
    });
    expect(await service.balanceOf(account)).toBe(before - 1);
  });

  test("falls back to WHOIS where the registry has no RDAP, or a broken one", async () => {
    expect(await dataOf({ query: "example.lab" })).toMatchObject({
      source: "whois",
      creation_date: "2019-05-06T07:08:09Z",
      provenance: { server: whois.address, url: null, fallback_reason: "no_rdap" },
    });
    expect(await dataOf({ query: "example.broken" })).toMatchObject({
      source: "whois",
      provenance: { fallback_reason: "server_error", rdap_status: 502 },
    });
    expect(await dataOf({ query: "free.lab" })).toMatchObject({
      registered: false,
      lookup_status: "not_found",
    });
  });

  test("follows redirects, and gives up on those that go round", async () => {
    expect(await dataOf({ query: "moved.com" })).toMatchObject({ source: "rdap", lookup_status: "ok" });
    expect(await dataOf({ query: "round.com" })).toMatchObject({
      lookup_status: "error",
      provenance: { fallback_reason: "unreachable" },
    });
  });

  test.each([
    ["mistaken.com", "domain"],
    ["8.8.4.4", "ip"],
    ["8.8.4.0/22", "ip"],
    ["AS15168", "asn"],
  ])(
    "calls an answer about something else than %s an error, and does not charge for it",
    async (query, type) => {
      const before = await service.balanceOf(account);
      const path = "/ip/8.8.4.0/22";
      registry.use((asked) =>
        asked === path ? recorded("arin-network") : registryAnswer(asked, registry, registrar.url),
      );
      expect(await dataOf({ query })).toMatchObject({
        type,
        lookup_status: "error",
        error: { code: "invalid_response" },
      });
      expect(await service.balanceOf(account)).toBe(before);
    },
  );

  test("charges for what is not registered, and not for what could not be found out", async () => {
    const before = await service.balanceOf(account);
    expect(await dataOf({ domain: "free.com" })).toMatchObject({
      registered: false,
      lookup_status: "not_found",
    });
    expect(await service.balanceOf(account)).toBe(before - 1);
    // An answer of its own kind instead of a 404.
    expect(await dataOf({ domain: "kept.com" })).toMatchObject({
      registered: false,
      lookup_status: "not_found",
      status: ["reserved"],
    });
    expect(await service.balanceOf(account)).toBe(before - 2);
    const answer = await ask({ query: "8.1.1.1" });
    expect(answer.headers["x-credits-charged"]).toBe("0");
    expect(answer.of("data")).toMatchObject({
      type: "ip",
      lookup_status: "error",
      error: { code: "server_error" },
      network: null,
    });
    expect(await service.balanceOf(account)).toBe(before - 2);
  });

  test("calls no number unregistered that no registry's range holds, and does not charge for it", async () => {
    const before = await service.balanceOf(account);
    for (const query of ["AS200000", "2a00::1"]) {
      const free = { path: "/api/free/whois-lookup", body: { query }, from: "127.0.0.10" };
      expect((await callPatiently(service, free)).of("data")).toMatchObject({
        message: "The registry gave no answer.",
        lookup_status: "error",
        freshness: { data_age_s: null, stale: false, cached: false },
      });
      const data = await dataOf({ query });
      expect(data).toMatchObject({ lookup_status: "error", error: { code: "no_registry" } });
      if (query === "AS200000") expect(data).toMatchObject({ registered: null });
    }
    expect(await service.balanceOf(account)).toBe(before);
  });

  test.each([
    ["8.8.8.8", { type: "ip", query: "8.8.8.8", network: "8.8.8.0/24", registry: "arin", source: "rdap" }],
    ["8.8.8.77/16", { type: "ip", query: "8.8.0.0/16", network_name: "GOGL" }],
    ["AS15169", { type: "asn", asn: 15169, asn_name: "GOOGLE", asn_range: null, registered: true }],
    ["131080", { type: "asn", asn_range: "AS131072 - AS132095", asn_range_start: 131072 }],
    ["10.1.2.3", { type: "ip", lookup_status: "not_found", source: null, fetched_at: null }],
    ["AS64500", { type: "asn", lookup_status: "not_found", registered: false }],
  ])("describes %s", async (query, expected) => {
    expect(await dataOf({ query })).toMatchObject(expected);
  });

  test("refuses what is missing, contradicts itself or is nothing", async () => {
    const faultOf = async (body: unknown) => {
      const answer = await ask(body);
      expect(answer.status).toBe(422);
      return answer.of("detail", "0");
    };
    expect(await faultOf({ type: "ip" })).toMatchObject({
      loc: ["body", "query"],
      type: "missing",
      input: { type: "ip" },
    });
    expect(await faultOf({ query: "8.8.8.8", type: "asn" })).toMatchObject({
      loc: ["body", "type"],
      type: "value_error",
      ctx: { reason: "type_mismatch" },
    });
    expect(await faultOf({ domain: "http://example.com" })).toMatchObject({ loc: ["body", "domain"] });
  });

  test("has a free variant of less", async () => {
    const answer = await callPatiently(service, {
      path: "/api/free/whois-lookup",
      body: { domain: "example.com" },
      from: "127.0.0.9",
    });
    expect(answer.of("data")).toMatchObject({
      query: "example.com",
      type: "domain",
      message: expect.stringMatching(/^Registered \d+ years ago\.$/),
      registrar: "Example Registrar, Inc.",
      lookup_status: "ok",
    });
  });
});

describe("an answer that tells a domain's age", () => {
  test.each([
    ["/api/email-reputation", { email: "jane@example.com" }, ["domain_age_days"]],
    ["/api/url-reputation", { url: "http://example.com/" }, ["report", "domain_facts", "age_days"]],
  ])("%s says that it came from a cache", async (path, body, field) => {
    const asked = await dataOf({ query: "example.com" });
    const answer = await callPatiently(service, { path, key: account.key, body });
    expect(answer.of("data", ...field)).toBe(Object(asked).domain_age_days);
    expect(answer.of("data", "freshness", "cached")).toBe(true);
  });
});

describe("check-ip", () => {
  const check = async (ip: string) => {
    const answer = await callPatiently(service, { path: "/api/check-ip", key: account.key, body: { ip } });
    expect(answer.status).toBe(200);
    return { asn: answer.of("data", "asn"), unknown: answer.of("data", "unknown_fields") };
  };

  test("fills what only registries know", async () => {
    const { asn, unknown } = await check("8.8.8.8");
    expect(asn).toMatchObject({
      asn: "AS15169",
      asname: "GOOGLE",
      created: "2000-03-30",
      updated: "2012-02-24",
      address: "1600 Amphitheatre Parkway Mountain View CA",
      abuse_email: "network-abuse@search.example",
      rir: "ARIN",
    });
    for (const field of ["asn.abuse_email", "asn.asname", "asn.created", "asn.rir", "asn.country_code"]) {
      expect(unknown).not.toContain(field);
    }
    expect(unknown).toContain("asn.route");
  });

  test("says what no registry answered, and asks none about a bogon", async () => {
    const { unknown } = await check("8.1.1.1");
    expect(unknown).toContain("asn.abuse_email");
    // No registry's range holds this one: no registry said that it has no abuse address.
    expect((await check("9.9.9.9")).unknown).toContain("asn.abuse_email");
    const before = registry.requests.length;
    await check("10.9.8.7");
    expect(registry.requests.length).toBe(before);
  });
});
