import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createRunner } from "./cli-runner.ts";
import { putSnapshots } from "./prepared-snapshots.ts";
import { startDnsServer, type TestScript } from "./servers/dns-server.ts";
import { FAILING, LIARS, onInternet } from "./servers/resolvers.ts";
import { BUILTIN_ZONES, NXDOMAIN, startTestService, type TestService } from "./service.ts";

/** Targets of which DNS would say something that counts, and what is asked about each. */
const CALLS = [
  ["/api/check-ip", { ip: "45.33.32.156" }],
  ["/api/domain-reputation", { domain: "gone-name-4711.com" }],
  ["/api/url-reputation", { url: "http://gone-name-4711.com/a" }],
  ["/api/email-reputation", { email: "joe@mailinator.com" }],
  ["/api/email-reputation", { email: "joe@gone-name-4711.com" }],
  ["/api/dns-lookup", { domain: "google.com" }],
  ["/api/whois-lookup", { query: "gone-name-4711.com" }],
  ["/api/free/check-ip", { ip: "45.33.32.156" }],
  ["/api/free/domain-check", { domain: "gone-name-4711.com" }],
  ["/api/free/email-check", { email: "joe@gone-name-4711.com" }],
  ["/api/free/dns-lookup", { domain: "google.com" }],
] as const;

const ZONES = [
  { key: "tested_zone", target: "ip", zone: "bl.example" },
  { key: "untested_zone", target: "ip", zone: "plain.example", self_test: "off" },
  { key: "untested_names", target: "domain", zone: "names.example", self_test: "off" },
];

const ENGINES = { disable: BUILTIN_ZONES, dnsbl: ZONES };

const openService = (dns: TestScript): Promise<TestService> =>
  startTestService({ dns, file: { dns: { timeout_ms: 1000 }, engines: ENGINES } });

/** What of a report must not hang on an untrue answer. */
type Outcome = {
  readonly status: number;
  readonly score: unknown;
  readonly engines: unknown;
  readonly unknown: unknown;
};

async function outcomesOf(service: TestService): Promise<readonly Outcome[]> {
  const { key } = await service.openAccount();
  return Promise.all(
    CALLS.map(async ([path, body]) => {
      const answer = await service.call({ path, body, ...(path.startsWith("/api/free/") ? {} : { key }) });
      const { data } = JSON.parse(answer.text);
      if (answer.status !== 200) throw new Error(answer.text);
      return {
        status: answer.status,
        score: data.risk_score ?? null,
        engines: Object(data.blacklists).engines_count ?? data.engines_count,
        unknown: data.unknown_fields,
      };
    }),
  );
}

/** No server listens there, so DNS never answers. */
let withoutDns: readonly Outcome[];
beforeAll(async () => {
  const service = await startTestService({
    file: { dns: { servers: ["127.0.0.1:1"], timeout_ms: 1000 }, engines: ENGINES },
  });
  withoutDns = await outcomesOf(service);
  await service.close();
});

test("a resolver that tells the truth about the same names gives and takes points", async () => {
  const service = await openService(onInternet(() => NXDOMAIN));
  onTestFinished(service.close);
  const honest = await outcomesOf(service);
  const scores = (outcomes: readonly Outcome[]) => outcomes.map(({ score }) => score);
  expect(scores(honest)).not.toEqual(scores(withoutDns));
  expect(JSON.stringify(scores(honest))).toContain("no_mail_host");
});

describe.each([...Object.entries(LIARS), ...Object.entries(FAILING)])(
  "a resolver with %s",
  (name, script) => {
    let service: TestService;
    beforeAll(async () => {
      service = await openService(script);
    });
    afterAll(() => service.close());

    test("gives and takes no point in any product, and each report says what is unknown", async () => {
      const outcomes = await outcomesOf(service);
      for (const [i, [path, body]] of CALLS.entries()) {
        expect({ path, body, ...outcomes[i] }).toEqual({ path, body, ...withoutDns[i] });
      }
      expect(JSON.stringify(outcomes.map(({ score }) => score))).not.toMatch(
        /no_mail_host|null_mx|no_spf|sinkholed/,
      );
      const { status } = await service.call({ method: "GET", path: "/readyz" });
      expect(status).toBe(200);
    });

    test("is never quoted", async () => {
      const { key, ...account } = await service.openAccount({ credits: 100 });
      const dns = await service.call({ path: "/api/dns-lookup", key, body: { domain: "google.com" } });
      expect(dns.of("data", "exists")).toBeNull();
      expect(dns.of("data", "errors", "length")).toBe(11);
      expect(await service.balanceOf({ key, ...account })).toBe(100);
      const ip = await service.call({ path: "/api/check-ip", key, body: { ip: "45.33.32.156" } });
      expect(ip.of("data", "information", "reverse_dns_status")).toMatch(/^(error|timeout)$/);
      expect(ip.of("data", "unknown_fields")).toContain("information.reverse_dns");
      const domain = await service.call({
        path: "/api/domain-reputation",
        key,
        body: { domain: "gone-name-4711.com" },
      });
      expect(domain.of("data", "dns", "status")).toMatch(/^(error|timeout|servfail)$/);
      expect(domain.of("data", "dns", "hosts")).toEqual([]);
      const email = await service.call({
        path: "/api/email-reputation",
        key,
        body: { email: "joe@mailinator.com" },
      });
      expect(email.of("data", "mx_status")).toMatch(/^(error|timeout)$/);
      const free = await service.call({
        path: "/api/free/domain-check",
        body: { domain: "gone-name-4711.com" },
      });
      expect(free.of("data", "message")).not.toBe("This domain is not registered.");
      const freeDns = await service.call({ path: "/api/free/dns-lookup", body: { domain: "google.com" } });
      expect(freeDns.of("data", "message")).toMatch(/^The lookup failed: /);
      if (!Object.hasOwn(LIARS, name)) return;
      expect(dns.of("data", "errors", "0", "message")).toMatch(/^DNS answers are not trusted: the resolver /);
      expect(domain.of("data", "dns", "error", "message")).toMatch(/^DNS answers are not trusted/);
      expect(service.logged().match(/"msg":"DNS answers are not trusted/g)).toHaveLength(1);
      const status = await fetch(`http://127.0.0.1:${service.port}/status`);
      expect(await status.text()).toContain("DNS answers are not trusted: the resolver ");
    });
  },
);

test("a resolver of a private network that serves the operator's zones is believed from the first call on", async () => {
  const service = await openService(({ name, type }) =>
    name.toLowerCase() === "2.0.0.127.bl.example" && type === "A"
      ? { answers: [{ type, data: "127.0.0.2" }] }
      : NXDOMAIN,
  );
  onTestFinished(service.close);
  const { key } = await service.openAccount();
  const body = { email: "joe@gone-name-4711.com" };
  const answer = await service.call({ path: "/api/email-reputation", key, body });
  expect(answer.of("data", "mx_status")).toBe("nxdomain");
  const ip = await service.call({ path: "/api/check-ip", key, body: { ip: "45.33.32.156" } });
  expect(ip.of("data", "information", "reverse_dns_status")).toBe("nxdomain");
});

describe("repute check with a resolver that says NXDOMAIN to all", () => {
  const folder = mkdtempSync(join(tmpdir(), "repute-liar-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("says that the lookup failed and why, and gives no point", async () => {
    const dns = await startDnsServer(() => NXDOMAIN);
    onTestFinished(dns.close);
    const dataDir = join(folder, "data");
    await putSnapshots(dataDir);
    writeFileSync(
      join(folder, "repute.yaml"),
      `dns: { servers: ["${dns.address}"] }\nrdap: { bootstrap_url: "http://127.0.0.1:1/" }\nengines: { disable: [${BUILTIN_ZONES.join(", ")}] }\n`,
    );
    const { repute } = createRunner(folder, { REPUTE_DATA_DIR: dataDir });
    const name = await repute(["check", "dns", "google.com"]);
    expect(name.status).toBe(1);
    expect(name.out).not.toContain("does not exist\n");
    expect(name.error).toContain('DNS answers are not trusted: the resolver says that "com" does not exist');
    const mail = await repute(["check", "email", "joe@mailinator.com"]);
    expect(mail.out).not.toContain("no mail host");
    expect(mail.error).toMatch(/^warning: DNS answers are not trusted/);
    const json = await repute(["check", "email", "joe@mailinator.com", "--json"]);
    expect(JSON.parse(json.out)).toMatchObject({ mx_status: "error" });
    expect(json.error).toBe("");
  });
});
