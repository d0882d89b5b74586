import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CANARY_HOST, startCanary } from "./servers/dialing.ts";
import type { TestRecord, TestScript } from "./servers/dns-server.ts";
import { startTcpServer } from "./servers/tcp-server.ts";
import {
  redirect,
  response,
  startWebServer,
  TEST_CA_FILE,
  type WebAnswer,
  type WebServerOptions,
  writeEndlessly,
} from "./servers/web-server.ts";
import {
  callPatiently,
  startTestService,
  type TestAccount,
  type TestAnswer,
  type TestService,
  until,
} from "./service.ts";

const SITE = "127.1.0.7";

const ZONE: Readonly<Record<string, readonly TestRecord["data"][]>> = {
  "NS far-names.com": ["ns1.far-names.com"],
  "A ns1.far-names.com": ["8.8.8.8"],
  "A www.example.com": [SITE],
  "NS example.com": ["ns1.example.net"],
  "MX example.com": [{ preference: 10, exchange: "mx.example.net" }],
  "A ns1.example.net": ["127.1.0.9"],
  "A shop.other-site.com": [SITE],
  "CNAME alias.other-site.com": ["shop.other-site.com"],
  "A listed-site.com": [SITE],
  "A inside.other-site.com": [CANARY_HOST],
  "A silent.other-site.com": [],
  "MX many-hosts.com": Array.from({ length: 53 }, (_, i) => ({
    preference: i + 10,
    exchange: `mx${i + 10}.many-hosts.com`,
  })),
  ...Object.fromEntries(
    Array.from({ length: 53 }, (_, i) => [`A mx${i + 10}.many-hosts.com`, [`127.1.3.${i}`]]),
  ),
};

const script: TestScript = ({ name, type }) => {
  const asked = name.toLowerCase();
  if (asked.startsWith("silent.")) return "silence";
  const alias = ZONE[`CNAME ${asked}`];
  if (alias !== undefined) return { answers: alias.map((data): TestRecord => ({ type: "CNAME", data })) };
  const data = ZONE[`${type} ${asked}`];
  const isThere = Object.keys(ZONE).some((key) => key.endsWith(` ${asked}`));
  if (data === undefined) return isThere ? {} : { rcode: 3 };
  return { answers: data.map((one): TestRecord => ({ type, data: one })) };
};

let service: TestService;
let hurried: TestService;
let account: TestAccount;
let dir: string;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "urls-"));
  const listOf = (name: string, text: string) => {
    writeFileSync(join(dir, name), text);
    return pathToFileURL(join(dir, name)).href;
  };
  const feed = { format: "plain", confidence: "high", category: "phishing" };
  const file = {
    dns: { timeout_ms: 500 },
    fetch: { allow_networks: ["127.1.0.0/16"], ca_file: TEST_CA_FILE, max_bytes: 4_000_000 },
    engines: {
      builtin: false,
      feeds: [
        {
          key: "bad_urls",
          target: "url",
          url: listOf("urls.txt", "http://listed-site.com/%7Ebad?x=1\n"),
          ...feed,
        },
        { key: "bad_names", target: "domain", url: listOf("names.txt", "cdn-of-evil.com\n"), ...feed },
        { key: "bad_ips", target: "ip", url: listOf("ips.txt", "127.1.0.8\n"), ...feed },
        ...["one", "other"].map((name) => ({
          ...{ ...feed, key: `${name}_doubts`, target: "ip", confidence: "medium" },
          url: listOf(`${name}.txt`, "9.9.9.9\n"),
        })),
      ],
    },
    allowlists: [
      { key: "good_names", target: "domain", format: "plain", url: listOf("good.txt", "listed-site.com\n") },
    ],
  };
  service = await startTestService({ dns: script, file });
  hurried = await startTestService({
    dns: script,
    file: { ...file, fetch: { ...file.fetch, timeout_ms: 200 } },
  });
  for (const one of [service, hurried]) {
    await until(async () => (await one.call({ method: "GET", path: "/readyz" })).status === 200);
  }
  account = await service.openAccount();
});
afterAll(async () => {
  await service.close();
  await hurried.close();
  rmSync(dir, { recursive: true });
});

const check = (url: string): Promise<TestAnswer> =>
  callPatiently(service, { path: "/api/url-reputation", key: account.key, body: { url } });

const reportOf = async (url: string) => {
  const answer = await check(url);
  expect(answer.status).toBe(200);
  return { answer, status: answer.of("data", "url_fetch_status"), report: answer.of("data", "report") };
};

const serve = (answer: WebAnswer, options: WebServerOptions = {}) =>
  startWebServer(answer, { host: SITE, ...options });

const html = (body: string, headers: Record<string, string> = {}): Buffer =>
  response(body, { headers: { "Content-Type": "text/html; charset=utf-8", ...headers } });

test("an answer says how old the tables are that place its name servers", async () => {
  const address = { path: "/api/check-ip", key: account.key, body: { ip: "8.8.8.8" } };
  const place = ["data", "freshness", "sources", "place", "age_s"] as const;
  const oldest = Number((await callPatiently(service, address)).of(...place));
  expect(oldest).toBeGreaterThan(86_400);
  const answer = await check("http://far-names.com/");
  expect(answer.of("data", "report", "dns_records", "ns")).toMatchObject([
    { ip: "8.8.8.8", country_code: "US" },
  ]);
  expect(answer.of(...place)).toBeGreaterThanOrEqual(oldest);
});

describe("POST /api/url-reputation", () => {
  test("describes a URL, its page and its host, and charges two credits", async () => {
    const page =
      "<!doctype html><html lang=en><title>Welcome</title><meta name=description content='A shop'>" +
      "<script src=https://cdn-of-evil.com/a.js></script><img src=/logo.png><a href=/x>x</a><a href=http://a.example/>y</a>" +
      "<form action=https://elsewhere.example/login><input name=user><input type=password></form><p>Words";
    const server = await serve(() =>
      html(page, { Server: "nginx", "Set-Cookie": "session=topsecret; Path=/", "X-Frame-Options": "DENY" }),
    );
    const before = await service.balanceOf(account);
    const url = `http://www.example.com:${server.port}/a/Index.HTML?b=1&c=2#part`;
    const { answer, report } = await reportOf(url);
    expect(answer.of("data")).toMatchObject({
      url: `http://www.example.com:${server.port}/a/Index.HTML?b=1&c=2`,
      input: url,
      target_level: "url",
      url_fetch_status: "ok",
      registered_domain: "example.com",
      domain_unicode: "www.example.com",
      blacklists: { detections: 0, engines_count: 2, coverage: 1 },
    });
    expect(report).toMatchObject({
      url_parts: {
        scheme: "http",
        userinfo: false,
        host: "www.example.com",
        host_nowww: "example.com",
        registered_domain: "example.com",
        tld: "com",
        port: server.port,
        path: "/a/Index.HTML",
        query: "b=1&c=2",
        query_params_count: 2,
        fragment: "part",
        extension: "html",
      },
      host_info: { is_ip: false, addresses: [SITE], resolution: "ok", server: { ip: SITE } },
      redirection: {
        found: false,
        external: false,
        hops: [],
        hops_count: 0,
        final_host: "www.example.com",
        url: null,
      },
      response: {
        code: 200,
        status: "HTTP/1.1 200 Status",
        server: "nginx",
        content_type: "text/html; charset=utf-8",
        body_bytes: page.length,
        headers: { "set-cookie": "session=***; Path=/" },
        security_headers: { x_frame_options: "DENY", hsts: null },
      },
      tls: null,
      file_type: { extension: "HTML", headers: "HTML", signature: "HTML", mismatch: false },
      html_info: {
        title: "Welcome",
        description: "A shop",
        lang: "en",
        charset: "utf-8",
        links_count: 2,
        external_links_count: 1,
        scripts_count: 1,
      },
      html_forms: {
        number_of_total_forms: 1,
        password_field_present: true,
        external_action: true,
        actions: ["https://elsewhere.example/login"],
      },
      resources: {
        count: 2,
        external_count: 1,
        domains: [{ domain: "cdn-of-evil.com", count: 1, detections: 1 }],
        scripts_external: ["https://cdn-of-evil.com/a.js"],
      },
      dns_records: {
        ns: [{ target: "ns1.example.net", ip: "127.1.0.9" }],
        mx: [{ target: "mx.example.net", ip: null }],
        cname: null,
      },
      domain_facts: { tld: "com" },
      security_checks: { is_url_accessible: true, is_login_form: true, is_form_to_external_domain: true },
      fetch: { requests_count: 1, truncated: false, blocked_reason: null, error: null },
    });
    expect(answer.text).not.toContain("topsecret");
    expect(await service.balanceOf(account)).toBe(before - 2);
    expect([answer.headers["x-ratelimit-limit"], answer.headers["x-credits-charged"]]).toEqual(["50", "2"]);
  });

  test("sums the score up from its factors and adjustments", async () => {
    const server = await serve(() =>
      html("<form action=https://elsewhere.example/><input type=password></form>"),
    );
    const { answer } = await reportOf(`http://${SITE}:${server.port}/setup.exe`);
    const score = (member: string) => answer.of("data", "report", "risk_score", member);
    const points = (list: unknown): number =>
      (Array.isArray(list) ? list : []).reduce((sum: number, { points: more }) => sum + more, 0);
    expect(score("result")).toBe(points(score("factors")) + points(score("adjustments")));
    expect(score("factors")).toContainEqual(
      expect.objectContaining({ key: "signal_host_an_ipv4", strength: 0.2 }),
    );
    expect(answer.of("data", "report", "domain_facts")).toBeNull();
    expect(answer.of("data", "report", "host_info", "is_ip")).toBe(true);
  });

  test("finds a listed URL in any spelling, which no allowlist of its host excuses", async () => {
    const { answer } = await reportOf("hxxp://user:hunter2@LISTED-site[.]com:80/~bad?x=1#y");
    expect(answer.of("data", "blacklists", "engines", "bad_urls")).toMatchObject({
      detected: true,
      matched: { level: "url" },
    });
    expect(answer.of("data", "blacklists", "allowlists")).toHaveProperty("good_names");
    expect(answer.of("data", "report", "risk_score", "result")).toBeGreaterThan(49);
    expect(answer.of("data", "report", "url_parts", "userinfo")).toBe(true);
    expect(answer.of("data", "report", "security_checks", "is_domain_blacklisted")).toBe(false);
    expect(answer.text.replace(JSON.stringify(answer.of("data", "input")), "")).not.toContain("hunter2");
  });

  test("asks the lists of addresses about an address", async () => {
    const { answer } = await reportOf("http://0x7f.0x1.8:1/");
    expect(answer.of("data", "url")).toBe("http://127.1.0.8:1/");
    expect(answer.of("data", "blacklists", "engines", "bad_ips")).toMatchObject({ detected: true });
    expect(answer.of("data", "report", "security_checks", "is_domain_blacklisted")).toBe(true);
  });

  test("caps the score of an address that is shared infrastructure, as check-ip does", async () => {
    // A port that no page has: no server is connected to.
    const { report } = await reportOf("http://9.9.9.9:22/");
    expect(report).toMatchObject({
      risk_score: { result: 49, adjustments: [{ key: "shared_infrastructure" }] },
    });
  });

  test("says that a body of an unknown coding was not read, not that the page is empty", async () => {
    const server = await serve(() => html("(not zstd at all)", { "Content-Encoding": "zstd" }));
    const { answer, status, report } = await reportOf(server.url);
    expect(status).toBe("invalid_response");
    expect(report).toMatchObject({
      html_info: null,
      response: { code: 200, body_sha256: "" },
      security_checks: { is_empty_page_content: false, is_empty_page_title: false },
      fetch: { truncated: true },
    });
    expect(answer.of("data", "unknown_fields")).toEqual(
      expect.arrayContaining([
        "report.html_info",
        "report.response.body_sha256",
        "report.security_checks.is_empty_page_content",
        "report.security_checks.is_login_form",
      ]),
    );
  });

  test("follows redirects and refreshes, each with its address, and reads the last page", async () => {
    const server = await serve(({ path }) => {
      if (path === "/1") return redirect("/2", 301);
      if (path === "/2")
        return html(`<meta http-equiv=refresh content="0; url=http://shop.other-site.com:${server.port}/3">`);
      return html("<title>Here</title>");
    });
    const { status, report } = await reportOf(`http://www.example.com:${server.port}/1`);
    expect(status).toBe("ok");
    expect(report).toMatchObject({
      redirection: {
        found: true,
        external: true,
        hops_count: 2,
        hops: [
          { status: 301, type: "http", ip: SITE, location: `http://www.example.com:${server.port}/2` },
          { status: 200, type: "meta", ip: SITE, location: `http://shop.other-site.com:${server.port}/3` },
        ],
        final_url: `http://shop.other-site.com:${server.port}/3`,
        url: `http://www.example.com:${server.port}/2`,
        downgrade: false,
      },
      html_info: { title: "Here" },
      security_checks: { is_external_redirect: true },
      fetch: { requests_count: 3 },
    });
  });

  test("shows no text of a page that turns lines around or is not seen", async () => {
    const unseen = "&#x202e;&#x2066;&#x200b;&#x200d;&#x61c;";
    const server = await serve(() =>
      html(
        `<html lang="e${unseen}n"><title>In${unseen}voice</title><meta name=description content="A ${unseen}bill">` +
          `<meta name=generator content="${unseen}Press"><meta name=keywords content="a${unseen}&#xfeff;&#x2028;&#x2029;,b">`,
        { "X-Shown": "a\u00e2\u0080\u00aeb" },
      ),
    );
    const { report } = await reportOf(`http://www.example.com:${server.port}/`);
    expect(report).toMatchObject({
      html_info: { title: "Invoice", description: "A bill", generator: "Press", lang: "en" },
      response: { headers: { "x-shown": "ab" } },
    });
    expect(JSON.stringify(report)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  });

  test("shows the certificate, and the step down from it", async () => {
    const plain = await serve(() => html("<title>Plain</title>"));
    const to = `http://www.example.com:${plain.port}/`;
    const secure = await serve(({ path }) => (path === "/down" ? redirect(to) : html("x")), {
      certificate: "good",
    });
    const good = await reportOf(`https://www.example.com:${secure.port}/`);
    expect(good.report).toMatchObject({
      tls: { status: "ok", valid: true },
      security_checks: { is_valid_https: true },
    });
    const down = await reportOf(`https://www.example.com:${secure.port}/down`);
    expect(down.report).toMatchObject({
      tls: null,
      redirection: { downgrade: true, hops: [{ tls: "TLSv1.3" }] },
      security_checks: { is_https_downgrade: true, is_valid_https: false },
    });
  });

  test("reads a page behind a certificate that is not valid, and says that it is not", async () => {
    const server = await serve(() => html("<title>Expired</title>"), { certificate: "expired" });
    const { status, report } = await reportOf(`https://www.example.com:${server.port}/`);
    expect(status).toBe("ok");
    expect(report).toMatchObject({
      tls: { status: "ok", valid: false, expired: true },
      html_info: { title: "Expired" },
      security_checks: { is_valid_https: false },
    });
  });

  test("tells a program by its octets, whatever it is called", async () => {
    const server = await serve(() =>
      response("MZ\x90\0 program", { headers: { "Content-Type": "application/pdf" } }),
    );
    const { report } = await reportOf(`http://www.example.com:${server.port}/invoice.pdf`);
    expect(report).toMatchObject({
      file_type: { extension: "PDF", headers: "PDF", signature: "PE", mismatch: true },
      html_info: null,
      html_forms: { number_of_total_forms: 0, password_field_present: false },
      security_checks: { is_masked_windows_exe_file: true },
    });
  });

  test("leads through an alias", async () => {
    const { report } = await reportOf("http://alias.other-site.com:1/");
    expect(report).toMatchObject({ dns_records: { cname: { target: "shop.other-site.com", ip: SITE } } });
  });
});

test("a page that sells its name makes that name parked, and not one that only led there", async () => {
  const server = await serve(({ path }) => {
    const to = `http://shop.other-site.com:${server.port}/`;
    return path === "/" ? html("<title>This domain is for sale</title>") : redirect(to);
  });
  const parked = { is_parked: true, parked_by: "sale page" };
  const own = await reportOf(`http://www.example.com:${server.port}/`);
  expect(own.report).toMatchObject({ domain_facts: parked, site_category: { is_parked: true } });
  const from = await reportOf(`http://www.example.com:${server.port}/x`);
  expect(from.report).toMatchObject({
    html_info: { title: "This domain is for sale" },
    domain_facts: { is_parked: false },
    site_category: { is_parked: false },
  });
});

describe("url_fetch_status", () => {
  const page = () => html("x");
  const cases: [status: string, url: (port: number) => string, answer: WebAnswer][] = [
    ["ok", (port) => `http://www.example.com:${port}/`, page],
    ["http_error", (port) => `http://www.example.com:${port}/`, () => response("gone", { status: 404 })],
    ["dns_error", (port) => `http://missing.other-site.com:${port}/`, page],
    ["too_many_redirects", (port) => `http://www.example.com:${port}/1`, ({ path }) => redirect(`${path}1`)],
    [
      "redirect_loop",
      (port) => `http://www.example.com:${port}/a`,
      ({ path }) => redirect(path === "/a" ? "/b" : "/a"),
    ],
    ["invalid_response", (port) => `http://www.example.com:${port}/`, () => "SSH-2.0-OpenSSH\r\n"],
    [
      "invalid_response",
      (port) => `http://www.example.com:${port}/`,
      () => "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
    ],
    ["blocked", () => `http://${CANARY_HOST}/`, page],
    ["blocked", () => "http://localhost/", page],
    ["blocked", () => "http://[::ffff:169.254.169.254]/", page],
    ["blocked", (port) => `http://inside.other-site.com:${port}/`, page],
    ["blocked", (port) => `http://www.example.com:${port}/`, () => redirect(`http://${CANARY_HOST}/`)],
    [
      "blocked",
      (port) => `http://www.example.com:${port}/`,
      () => html("<meta http-equiv=refresh content='0;url=http://localhost/'>"),
    ],
  ];

  test.each(cases)("is %s", async (wanted, url, answer) => {
    const canary = await startCanary();
    const server = await serve(answer);
    const before = await service.balanceOf(account);
    const { answer: given, status, report } = await reportOf(url(server.port));
    expect(status).toBe(wanted);
    expect(report).toMatchObject({ security_checks: { is_url_accessible: wanted === "ok" } });
    expect(given.of("data", "blacklists", "coverage")).toBe(1);
    expect(await service.balanceOf(account)).toBe(before - 2);
    expect(canary.connections.length).toBe(0);
  });

  test("is tls_error where no TLS is spoken", async () => {
    const server = await startTcpServer({
      host: SITE,
      onConnection: (socket) => socket.end("220 ready\r\n"),
    });
    const { status } = await reportOf(`https://www.example.com:${server.port}/`);
    expect(status).toBe("tls_error");
  });

  test("is connect_error where no server listens", async () => {
    const { status } = await reportOf("http://www.example.com:1/");
    expect(status).toBe("connect_error");
  });

  test("is too_large for a body without end, of which the beginning is read", async () => {
    const server = await serve((_, socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<title>Long</title>");
      writeEndlessly(socket, Buffer.alloc(65_536, "words "));
    });
    const { status, report } = await reportOf(`http://www.example.com:${server.port}/`);
    expect(status).toBe("too_large");
    expect(report).toMatchObject({
      fetch: { truncated: true },
      html_info: { title: "Long" },
      response: { body_bytes: 4_000_000 },
    });
  });

  test("is blocked for the service itself, and for ports that no page has", async () => {
    const self = await reportOf(`http://${new URL(service.address).host}/api/health`);
    expect(self.report).toMatchObject({
      fetch: { blocked_reason: expect.stringMatching(/^(self|private_address)$/) },
    });
    const mail = await reportOf("http://8.8.8.8:25/");
    expect([mail.status, mail.report]).toMatchObject([
      "blocked",
      { fetch: { blocked_reason: "forbidden_port" } },
    ]);
  });

  test("is timeout where no server answers; lists and checks of the URL are complete all the same", async () => {
    const server = await serve(() => undefined);
    const { key } = await hurried.openAccount();
    const url = `${server.url}/setup.exe`;
    const answer = await callPatiently(hurried, { path: "/api/url-reputation", key, body: { url } });
    expect(answer.of("data")).toMatchObject({
      url_fetch_status: "timeout",
      blacklists: { coverage: 1 },
      report: {
        response: null,
        tls: null,
        html_info: null,
        file_type: { extension: "PE", headers: "", signature: "", mismatch: false },
        security_checks: { is_suspicious_file_extension: true, is_login_form: false },
        fetch: { error: { code: "timeout" } },
      },
    });
    const unknown = answer.of("data", "unknown_fields");
    for (const field of ["response", "html_info", "security_checks.is_login_form"]) {
      expect(unknown).toContain(`report.${field}`);
    }
  });

  test("names all mail hosts, and leaves open the addresses of those beyond the fiftieth", async () => {
    const { answer } = await reportOf("http://many-hosts.com/");
    const mx = (i: number) => answer.of("data", "report", "dns_records", "mx", String(i));
    expect(answer.of("data", "report", "dns_records", "mx")).toHaveLength(53);
    expect(mx(0)).toMatchObject({ target: "mx10.many-hosts.com", ip: "127.1.3.0" });
    expect(mx(50)).toMatchObject({ target: "mx60.many-hosts.com", ip: null });
    expect(answer.of("data", "unknown_fields")).toContain("report.dns_records.mx");
    expect(answer.of("data", "unknown_fields")).not.toContain("report.dns_records.ns");
  });

  test("leaves open what a silent resolver left open", async () => {
    const { answer, status } = await reportOf("http://silent.other-site.com/");
    expect(status).toMatch(/^(dns_error|timeout)$/);
    const unknown = answer.of("data", "unknown_fields");
    expect(unknown).toContain("report.host_info.addresses");
    expect(unknown).toContain("report.domain_facts.age_days");
    expect(unknown).toContain("report.dns_records.cname");
    expect(unknown).toContain("report.security_checks.is_domain_ipv4_assigned");
  });
});

describe("hostile pages", () => {
  const hostile: [name: string, body: string][] = [
    ["200,000 tags inside one another", "<div>".repeat(200_000)],
    ["100,000 attributes", `<input ${"a=b ".repeat(100_000)}>`],
    ["a tag of 3 MB", `<a href="${"x".repeat(3_000_000)}">`],
    ["50,000 refreshes", "<meta http-equiv=refresh content='30;url='>".repeat(50_000)],
    [
      "members of every object",
      "<meta name=__proto__ content=x><input name=constructor><form action='__proto__:x'>",
    ],
  ];

  test.each(hostile)("are read: %s", async (_name, body) => {
    const server = await serve(() => html(body));
    const { answer, status } = await reportOf(`http://www.example.com:${server.port}/`);
    expect(status).toBe("ok");
    expect(answer.of("data", "report", "html_info")).not.toBeNull();
    expect(answer.text.length).toBeLessThan(200_000);
  });

  test("put no control character into the answer", async () => {
    const server = await serve(() =>
      html(
        "<html lang='a&#27;[2J&#0;&#7;'><title>a&#27;[31mb&#127;</title><meta name=generator content='&#27;x'>",
        {
          Server: "a\x9bb",
        },
      ),
    );
    const { answer } = await reportOf(`http://www.example.com:${server.port}/%1b`);
    const texts: string[] = [];
    JSON.parse(answer.text, (_key, value) => {
      if (typeof value === "string") texts.push(value);
      return value;
    });
    expect(texts.filter((text) => /[^\P{Cc}\t\n]/u.test(text))).toEqual([]);
    expect(texts).toContain("a [31mb");
  });
});

describe("POST /api/bulk/url-reputation", () => {
  const bulk = (on: TestService, key: string, urls: readonly string[]) =>
    callPatiently(on, { path: "/api/bulk/url-reputation", key, body: { urls } });

  test("answers each item as the single endpoint would, for two credits each", async () => {
    const server = await serve(() => html("<title>T</title>"));
    const url = `http://www.example.com:${server.port}/`;
    const before = await service.balanceOf(account);
    const answer = await bulk(service, account.key, [
      url,
      "ftp://x.example/",
      `${url}#a`,
      url.replace("//", "//u:p@"),
    ]);
    expect(answer.of("data")).toMatchObject({
      product: "url-reputation",
      successful: 3,
      failed: 1,
      credits_charged: 8,
      results: [
        { status: "success", result: { url, report: { url_parts: { fragment: "", userinfo: false } } } },
        { status: "error", error: "invalid_input: Only http:// and https:// URLs are looked up" },
        { status: "success", result: { url, report: { url_parts: { fragment: "a" } } } },
        { status: "success", result: { url, report: { url_parts: { userinfo: true } } } },
      ],
    });
    expect(await service.balanceOf(account)).toBe(before - 8);
  });

  test("gives every item of a hundred at servers that never answer its own report", async () => {
    const server = await serve(() => undefined);
    const { key } = await hurried.openAccount();
    const urls = Array.from({ length: 100 }, (_, i) => `${server.url}/${i}`);
    const answer = await bulk(hurried, key, urls);
    expect([answer.of("data", "successful"), answer.of("data", "credits_charged")]).toEqual([100, 200]);
    const statuses = urls.map((_, i) =>
      answer.of("data", "results", String(i), "result", "url_fetch_status"),
    );
    expect(new Set(statuses)).toEqual(new Set(["timeout"]));
  });
});
