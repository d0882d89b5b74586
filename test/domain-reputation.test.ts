import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { TestRecord, TestScript } from "./servers/dns-server.ts";
import { startWhoisServer, type TestWhoisServer } from "./servers/whois-server.ts";
import { startTestService, type TestAccount, type TestService, until } from "./service.ts";

const ZONE: Readonly<Record<string, readonly TestRecord["data"][]>> = {
  "NS far-names.com": ["ns1.far-names.com"],
  "A ns1.far-names.com": ["8.8.8.8"],
  "A acme-tools.com": ["127.1.0.7"],
  "A www.acme-tools.com": ["127.1.0.7"],
  "MX acme-tools.com": [
    { preference: 20, exchange: "mx2.acme-tools.com" },
    { preference: 10, exchange: "mx1.acme-tools.com" },
  ],
  "A mx1.acme-tools.com": ["127.1.0.8"],
  "NS acme-tools.com": ["ns1.acme-tools.com"],
  "A ns1.acme-tools.com": ["127.1.0.9"],
  "TXT acme-tools.com": [["v=spf1 mx -all"]],
  "TXT _dmarc.acme-tools.com": [["v=DMARC1; p=reject; rua=mailto:d@acme-tools.com"]],
  "A silent-names.com": [],
  "NS facebook-help.com": ["a.ns.facebook.com", "b.ns.facebook.com"],
  "NS facebook-help.lab": ["a.ns.facebook.com", "b.ns.facebook.com"],
  "NS instagram-shop.com": ["a.ns.facebook.com", "ns1.far-names.com"],
  "MX half-names.com": [],
  "MX many-hosts.com": Array.from({ length: 53 }, (_, i) => ({
    preference: i,
    exchange: `mx${i}.many-hosts.com`,
  })),
  "MX many-mails.com": Array.from({ length: 400 }, (_, i) => ({
    preference: i,
    exchange: `mx${i}.${"a".repeat(50)}.many-mails.com`,
  })),
  ...Object.fromEntries(Array.from({ length: 53 }, (_, i) => [`A mx${i}.many-hosts.com`, [`127.1.3.${i}`]])),
};

const script: TestScript = ({ name, type }) => {
  const asked = name.toLowerCase();
  if (asked.endsWith("silent-names.com") && type !== "A") return "silence";
  if (asked.endsWith("servfail-names.com") || (asked === "half-names.com" && type === "A"))
    return { rcode: 2 };
  const data = ZONE[`${type} ${asked}`];
  const isThere = Object.keys(ZONE).some((key) => key.endsWith(` ${asked}`));
  if (data === undefined) return isThere ? {} : { rcode: 3 };
  return { answers: data.map((one): TestRecord => ({ type, data: one })) };
};

const DELEGATED = [
  "Domain Name: facebook-help.lab",
  "Creation Date: 2015-03-01T00:00:00Z",
  "Name Server: a.ns.facebook.com",
  "Name Server: b.ns.facebook.com",
];

let whois: TestWhoisServer;
let service: TestService;
let account: TestAccount;
let dir: string;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "domains-"));
  const list = join(dir, "bad.txt");
  writeFileSync(list, "acme-tools.com\nlisted-host.example\n");
  const ips = join(dir, "ips.txt");
  writeFileSync(ips, "127.1.0.7\n");
  const feed = { format: "plain", confidence: "high", category: "attack" };
  whois = await startWhoisServer((question) =>
    question.trim() === "facebook-help.lab" ? `${DELEGATED.join("\r\n")}\r\n` : "No match for that name.\r\n",
  );
  service = await startTestService({
    dns: script,
    file: {
      dns: { timeout_ms: 1000 },
      whois: { servers: { lab: whois.address } },
      fetch: { allow_networks: ["127.1.0.0/16"] },
      watch: { brands: ["acme-tools.org"] },
      engines: {
        builtin: false,
        feeds: [
          { key: "bad_names", target: "domain", url: pathToFileURL(list).href, ...feed },
          { key: "bad_ips", target: "ip", url: pathToFileURL(ips).href, ...feed },
        ],
      },
    },
  });
  await until(async () => (await service.call({ method: "GET", path: "/readyz" })).status === 200);
  account = await service.openAccount({ credits: 100 });
});
afterAll(async () => {
  await service.close();
  await whois.close();
  rmSync(dir, { recursive: true });
});

const ask = (domain: string) =>
  service.call({ path: "/api/domain-reputation", key: account.key, body: { domain } });

describe("POST /api/domain-reputation", () => {
  test("tells lists, DNS, mail policy, hosts, certificate and likeness of a domain, and charges one credit", async () => {
    const before = await service.balanceOf(account);
    const answer = await ask("ACME-tools.com.");
    expect(answer.status).toBe(200);
    expect(answer.of("data", "domain")).toBe("acme-tools.com");
    expect(answer.of("data", "input")).toBe("ACME-tools.com.");
    expect(answer.of("data", "target_level")).toBe("domain");
    expect(answer.of("data", "blacklists", "detections")).toBe(1);
    expect(answer.of("data", "dns", "status")).toBe("ok");
    expect(answer.of("data", "dns", "spf")).toMatchObject({ present: true, valid: true, all: "fail" });
    expect(answer.of("data", "dns", "dmarc")).toMatchObject({
      policy: "reject",
      from: "_dmarc.acme-tools.com",
    });
    expect(answer.of("data", "dns", "mx")).toMatchObject([{ priority: 10 }, { priority: 20 }]);
    expect(answer.of("data", "dns", "hosts")).toMatchObject([
      { ip: "127.1.0.7", role: "a", detections: 1, strong_hit: true },
      { ip: "127.1.0.8", role: "mx", name: "mx1.acme-tools.com", detections: 0, strong_hit: false },
      { ip: "127.1.0.9", role: "ns", name: "ns1.acme-tools.com" },
    ]);
    expect(answer.of("data", "ssl", "status")).toBe("no_tls");
    expect(answer.of("data", "facts")).toMatchObject({
      is_lookalike: true,
      lookalike_of: "acme-tools.org",
      lookalike_kind: "tld_swap",
    });
    expect(await service.balanceOf(account)).toBe(before - 1);
  });

  test("says how old the tables are that place its hosts, apart from what carried the verdict", async () => {
    const address = { path: "/api/check-ip", key: account.key, body: { ip: "8.8.8.8" } };
    const ofAddress = await service.call(address);
    const oldest = Number(ofAddress.of("data", "freshness", "sources", "place", "age_s"));
    expect(oldest).toBeGreaterThan(86_400);
    expect(ofAddress.of("data", "freshness", "data_age_s")).toBeLessThan(3600);
    const answer = await ask("far-names.com");
    expect(answer.of("data", "dns", "hosts")).toMatchObject([{ ip: "8.8.8.8", role: "ns", asn: "AS15169" }]);
    expect(answer.of("data", "freshness", "sources", "place", "age_s")).toBeGreaterThanOrEqual(oldest);
    expect(answer.of("data", "freshness")).toMatchObject({
      stale: false,
      sources: { network: { stale: true } },
    });
  });

  test("adds its signals to the score, which its parts sum up to", async () => {
    const answer = await ask("www.acme-tools.com");
    const factors = answer.of("data", "risk_score", "factors");
    expect(factors).toMatchObject([
      { key: "bad_names", engines: ["bad_names"] },
      { key: "signal_lookalike" },
      { key: "signal_address_listed" },
    ]);
    expect(answer.of("data", "target_level")).toBe("host");
    const points = (list: unknown) =>
      (Array.isArray(list) ? list : []).reduce((sum: number, { points: more }) => sum + more, 0);
    expect(points(factors) + points(answer.of("data", "risk_score", "adjustments"))).toBe(
      answer.of("data", "risk_score", "result"),
    );
  });

  test.each([
    ["microsoft.fr", "microsoft.com", "label"],
    ["microsoft.com.au", "microsoft.com", "label"],
    ["facebook.fr", "facebook.com", "label"],
    ["amazon.sg", "amazon.com", "label"],
    ["login.microsoftonline-p.com", "microsoft.com", "listed"],
    ["wdcp.microsoft.akadns.net", "microsoft.com", "label"],
    ["facebook-help.lab", "facebook.com", "name_servers"],
  ])("%s is related to %s by its %s, which adds no points", async (name, brand, by) => {
    const answer = await ask(name);
    expect(answer.of("data", "facts")).toMatchObject({
      is_lookalike: false,
      is_brand_related: true,
      brand_related_to: brand,
      brand_related_by: by,
    });
    expect(answer.of("data", "risk_score")).toMatchObject({ result: 0, factors: [] });
  });

  test.each(["paypal.top", "paypal-login.com", "faceb00k.com", "instagram-shop.com", "facebook-help.com"])(
    "%s stays an imitation",
    async (name) => {
      const answer = await ask(name);
      expect(answer.of("data", "facts")).toMatchObject({ is_brand_related: false, brand_related_to: null });
      expect(answer.of("data", "risk_score", "result")).toBeGreaterThanOrEqual(35);
    },
  );

  test.each([
    ["co.uk", "domain", null],
    ["github.io", "domain", null],
    ["duckdns.org", "domain", null],
    ["shop.github.io", "domain", "shop.github.io"],
    ["www.shop.github.io", "host", "shop.github.io"],
  ])("%s is at the level %s: a public suffix is below nothing", async (name, level, registered) => {
    expect((await ask(name)).of("data")).toMatchObject({
      target_level: level,
      registered_domain: registered,
    });
  });

  test("says what it could not find out, and never takes it for nothing", async () => {
    const answer = await ask("silent-names.com");
    expect(answer.of("data", "dns", "errors")).toMatchObject({
      MX: "timeout",
      TXT: "timeout",
      NS: "timeout",
    });
    expect(answer.of("data", "whois")).toMatchObject({ lookup_status: "error", registered: null });
    const unknown = answer.of("data", "unknown_fields");
    for (const field of ["dns.mx", "dns.spf", "dns.dmarc", "facts.age_days", "facts.is_parked"]) {
      expect(unknown).toContain(field);
    }
  });

  test("says nothing of mail and names where the name servers fail, and is half sure with one family", async () => {
    const failed = await ask("servfail-names.com");
    expect(failed.of("data", "dns")).toMatchObject({
      error: { code: "servfail" },
      bimi_present: null,
      mta_sts_present: null,
      tls_rpt_present: null,
      null_mx: null,
      wildcard: null,
      dangling_cname: null,
      hosts_total: null,
      spf: { present: null, lookups: null },
    });
    expect(failed.of("data", "unknown_fields")).toEqual(
      expect.arrayContaining(["dns.cname_chain", "dns.dangling_cname", "dns.hosts", "dns.hosts_total"]),
    );
    const half = await ask("half-names.com");
    expect(half.of("data", "dns", "errors")).toMatchObject({ A: "servfail" });
    expect(half.of("data", "facts", "is_sinkholed")).toBe(false);
    expect(half.of("data", "unknown_fields")).toEqual(
      expect.arrayContaining(["dns.hosts", "facts.is_sinkholed"]),
    );
  });

  test("shows of mail servers by the hundred as many as have room, and says that they are not all", async () => {
    const answer = await ask("many-mails.com");
    const shown = answer.of("data", "dns", "mx");
    expect(Array.isArray(shown) && shown.length).toBeGreaterThan(50);
    expect(JSON.stringify(shown).length).toBeLessThan(17_000);
    expect(answer.of("data", "unknown_fields")).toEqual(
      expect.arrayContaining(["dns.mx", "dns.hosts_total"]),
    );
  });

  test("counts the servers that were too many to ask for their addresses", async () => {
    const answer = await ask("many-hosts.com");
    expect(answer.of("data", "dns", "mx")).toHaveLength(53);
    const hosts = answer.of("data", "dns", "hosts");
    expect(answer.of("data", "dns", "hosts_total")).toBe((Array.isArray(hosts) ? hosts.length : 0) + 3);
    expect(answer.of("data", "unknown_fields")).toEqual(
      expect.arrayContaining(["dns.hosts", "dns.hosts_total"]),
    );
  });

  test("a name that is nowhere is an answer", async () => {
    const answer = await ask("no-such-name-here.com");
    expect(answer.status).toBe(200);
    expect(answer.of("data", "dns", "status")).toBe("nxdomain");
    expect(answer.of("data", "ssl", "status")).toBe("no_address");
  });

  test.each([
    ["com", "single_label"],
    ["192.0.2.1", "ip_address"],
    ["https://example.com/", "url"],
    ["a..example.com", "empty_label"],
    ["-a.example.com", "invalid_label"],
  ])("%s is refused: %s", async (domain, reason) => {
    const answer = await ask(domain);
    expect(answer.status).toBe(422);
    expect(answer.of("detail", "0")).toMatchObject({ loc: ["body", "domain"], ctx: { reason } });
  });
});

test("POST /api/bulk/domain-reputation answers in order, doubles once looked up and twice charged", async () => {
  const before = await service.balanceOf(account);
  const domains = ["acme-tools.com", "no domain", "ACME-TOOLS.com"];
  const answer = await service.call({
    path: "/api/bulk/domain-reputation",
    key: account.key,
    body: { domains },
  });
  expect(answer.status).toBe(200);
  expect(answer.of("data", "credits_charged")).toBe(3);
  expect(answer.of("data", "results")).toMatchObject([
    { input: "acme-tools.com", status: "success" },
    { input: "no domain", status: "error", error: expect.stringMatching(/^invalid_input: /) },
    { input: "ACME-TOOLS.com", status: "success" },
  ]);
  expect(await service.balanceOf(account)).toBe(before - 3);
});

test("POST /api/free/domain-check says it in one sentence", async () => {
  const answer = await service.call({
    path: "/api/free/domain-check",
    from: "127.0.0.31",
    body: { domain: "acme-tools.com" },
  });
  expect(answer.status).toBe(200);
  expect(answer.of("data")).toMatchObject({
    blacklisted: true,
    detections: 1,
    message: "Listed by 1 of 1 engine.",
  });
});
