import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { TestScript } from "./servers/dns-server.ts";
import { redirect, response, startWebServer, TEST_CA_FILE } from "./servers/web-server.ts";
import { callPatiently, startTestService, type TestAccount, type TestService, until } from "./service.ts";

const SITE = "127.1.0.11";
const PHISH = "secure_portal_coinbasehelp.typedream.app";

/** One list of each format, each naming the same host. */
const LISTS: Readonly<Record<string, readonly [format: string, text: string, options?: object]>> = {
  in_plain: ["plain", `# names\n${PHISH}\n_lead.lists.example\ntrail_.lists.example\n`],
  in_hosts: ["hosts", `0.0.0.0 ${PHISH}\n`],
  in_adblock: ["adblock", `||${PHISH}^\n`],
  in_csv: ["csv", `name,seen\n${PHISH},2026-01-01\n`, { column: "name" }],
  in_json: ["json", JSON.stringify([PHISH]), { path: "$[*]" }],
  in_ndjson: ["ndjson", `{"name":"${PHISH}"}\n`, { field: "name" }],
  in_misp: ["misp_warninglist", JSON.stringify({ list: [PHISH] })],
  in_hostport: ["hostport", `${PHISH}:8080\n`],
};

const script: TestScript = ({ name, type }) =>
  name.toLowerCase().endsWith(".nowhere.example")
    ? { rcode: 3 }
    : type === "A"
      ? { answers: [{ type: "A", data: SITE }] }
      : {};

let dir: string;
let service: TestService;
let account: TestAccount;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "underscores-"));
  const listOf = (name: string, text: string) => {
    writeFileSync(join(dir, name), text);
    return pathToFileURL(join(dir, name)).href;
  };
  const feeds = Object.entries(LISTS).map(([key, [format, text, options]]) => ({
    ...{ key, format, target: "domain", url: listOf(key, text) },
    ...options,
  }));
  const urls = {
    key: "urls",
    format: "plain",
    target: "url",
    url: listOf("urls", `http://${PHISH}/login\n`),
  };
  service = await startTestService({
    dns: script,
    file: {
      dns: { timeout_ms: 500 },
      fetch: { allow_networks: ["127.1.0.0/16"], ca_file: TEST_CA_FILE },
      engines: { builtin: false, feeds: [...feeds, urls] },
      allowlists: [
        { key: "good", target: "domain", format: "plain", url: listOf("good", "good_host.example.org\n") },
      ],
      server: { trust_proxy: ["127.0.0.0/8"] },
    },
  });
  await until(async () => (await service.call({ method: "GET", path: "/readyz" })).status === 200);
  account = await service.openAccount();
});
afterAll(async () => {
  await service.close();
  rmSync(dir, { recursive: true });
});

const call = (path: string, body: object) => callPatiently(service, { path, key: account.key, body });

let clients = 0;
const visit = async (path: string) => {
  const from = `203.0.113.${++clients}`;
  const headers = { accept: "text/html", "x-forwarded-for": from };
  return fetch(service.address + path, { headers, redirect: "manual" });
};

describe("a host with an underscore", () => {
  test("is found by domain-reputation in lists of every format", async () => {
    const answer = await call("/api/domain-reputation", { domain: PHISH });
    expect(answer.status).toBe(200);
    for (const key of Object.keys(LISTS)) {
      expect(answer.of("data", "blacklists", "engines", key)).toMatchObject({
        detected: true,
        matched: { value: PHISH, level: "domain" },
      });
    }
    expect(answer.of("data", "blacklists", "engines", "urls", "matched", "level")).toBe("url_host");
  });

  test.each(["_lead.lists.example", "trail_.lists.example"])(
    "%s is found in a plain list",
    async (domain) => {
      const answer = await call("/api/domain-reputation", { domain });
      expect(answer.of("data", "blacklists", "engines", "in_plain", "detected")).toBe(true);
    },
  );

  test("is found by url-reputation, its page is fetched and asked for by that name", async () => {
    const hosts: string[] = [];
    const server = await startWebServer(
      ({ headers }) => {
        hosts.push(headers.get("host") ?? "");
        return response("<title>Sign in</title>", { headers: { "Content-Type": "text/html" } });
      },
      { host: SITE },
    );
    const answer = await call("/api/url-reputation", { url: `http://${PHISH}:${server.port}/login` });
    expect(answer.of("data", "url_fetch_status")).toBe("ok");
    expect(answer.of("data", "blacklists", "engines", "in_plain", "matched", "level")).toBe("domain");
    expect(answer.of("data", "report", "url_parts", "host")).toBe(PHISH);
    expect(hosts).toEqual([`${PHISH}:${server.port}`]);
  });

  test("is the host of a redirect and of the last response", async () => {
    const server = await startWebServer(
      ({ path, headers }) =>
        path === "/"
          ? redirect(`http://end_.b_c.example.net:${headers.get("host")?.split(":")[1]}/end`)
          : response("hello"),
      { host: SITE },
    );
    const answer = await call("/api/url-reputation", { url: `http://start.example.com:${server.port}/` });
    expect(answer.of("data", "url_fetch_status")).toBe("ok");
    expect(answer.of("data", "report", "redirection", "final_host")).toBe("end_.b_c.example.net");
    expect(answer.of("data", "report", "redirection", "external")).toBe(true);
  });

  test("is found among the domains that a page loads from", async () => {
    const page = `<title>Shop</title><script src="https://${PHISH}/x.js"></script>`;
    const server = await startWebServer(() => response(page, { headers: { "Content-Type": "text/html" } }), {
      host: SITE,
    });
    const answer = await call("/api/url-reputation", { url: `http://shop.example.com:${server.port}/` });
    expect(answer.of("data", "report", "resources", "domains")).toMatchObject([
      { domain: PHISH, detections: 9 },
    ]);
  });

  test("is cleared by an allowlist that names it", async () => {
    const answer = await call("/api/domain-reputation", { domain: "good_host.example.org" });
    expect(answer.of("data", "blacklists", "allowlists", "good", "matched", "value")).toBe(
      "good_host.example.org",
    );
  });

  test("is an item of every bulk endpoint that takes names", async () => {
    const domains = await call("/api/bulk/domain-reputation", { domains: [PHISH, "_dmarc.example.com"] });
    expect(domains.of("data", "successful")).toBe(2);
    const urls = await call("/api/bulk/url-reputation", { urls: [`http://${PHISH}.nowhere.example/`] });
    expect(urls.of("data", "successful")).toBe(1);
    const dns = await call("/api/bulk/dns-lookup", { domains: ["_dmarc.example.com"], record_type: "A" });
    expect(dns.of("data", "successful")).toBe(1);
  });

  test("is refused as the domain of an e-mail address", async () => {
    const answer = await call("/api/email-reputation", { email: "someone@a_b.example.com" });
    expect(answer.of("data", "is_valid_format")).toBe(false);
    expect(answer.of("data", "format_error")).toBe("domain");
  });

  test("has the registration of its registered domain, which has no underscore", async () => {
    const answer = await call("/api/whois-lookup", { query: "a_b.example.com" });
    expect(answer.status).toBe(200);
    expect(answer.of("data", "registered_domain")).toBe("example.com");
    const refused = await call("/api/whois-lookup", { query: "foo_bar.com" });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain("a name with an underscore cannot be registered");
  });

  test("is taken by the free domain check and by the public pages", async () => {
    const free = await service.call({ path: "/api/free/domain-check", body: { domain: PHISH } });
    expect(free.of("data", "blacklisted")).toBe(true);
    const domain = await visit(`/tools/domain/${PHISH}`);
    expect([domain.status, await domain.text()]).toEqual([200, expect.stringContaining("Listed by 9 of 9")]);
    const url = await visit(`/tools/url?q=${encodeURIComponent(`http://${PHISH}/`)}`);
    expect([url.status, await url.text()]).toEqual([200, expect.stringContaining("Listed by 9 of 9")]);
  });

  test.each([
    [PHISH, `/tools/domain/${PHISH}`],
    [`http://${PHISH}/`, `/tools/url?q=${encodeURIComponent(`http://${PHISH}/`)}`],
    [`${PHISH}/login`, `/tools/url?q=${encodeURIComponent(`http://${PHISH}/login`)}`],
    ["_dmarc[.]example[.]com", "/tools/domain/_dmarc.example.com"],
  ])("is recognised on the home page: %s", async (text, location) => {
    const answer = await visit(`/lookup?q=${encodeURIComponent(text)}`);
    expect(answer.headers.get("location")).toBe(location);
  });
});
