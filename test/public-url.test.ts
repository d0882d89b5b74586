import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { response, startWebServer } from "./servers/web-server.ts";
import { startTestService, type TestService, until } from "./service.ts";

const SITE = "127.1.0.13";

let dir: string;
let service: TestService;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "public-url-"));
  const listOf = (name: string, lines: readonly string[]) => {
    writeFileSync(join(dir, name), `${lines.join("\n")}\n`);
    return { url: pathToFileURL(join(dir, name)).href, format: "plain" };
  };
  const strong = { confidence: "high", category: "phishing" };
  service = await startTestService({
    dns: ({ type }) => (type === "A" ? { answers: [{ type: "A", data: SITE }] } : {}),
    file: {
      dns: { timeout_ms: 500 },
      fetch: { allow_networks: ["127.1.0.0/16"] },
      server: { trust_proxy: ["127.0.0.0/8"] },
      engines: {
        builtin: false,
        feeds: [
          {
            ...{ key: "urls", name: "Phishing URLs", target: "url", ...strong },
            ...listOf("urls.txt", [
              "http://shared.example.org/phish?x=1",
              "https://shared.example.org/no-query",
              `http://${SITE}/by-address`,
            ]),
          },
          { key: "names", target: "domain", ...strong, ...listOf("names.txt", ["evil-host.com"]) },
          { key: "ips", target: "ip", ...strong, ...listOf("ips.txt", ["9.9.9.9", SITE]) },
        ],
      },
      allowlists: [{ key: "good", target: "domain", ...listOf("good.txt", ["shared.example.org"]) }],
    },
  });
  await until(async () => (await service.call({ method: "GET", path: "/readyz" })).status === 200);
});
afterAll(async () => {
  await service.close();
  rmSync(dir, { recursive: true });
});

let clients = 0;

const visit = async (url: string) => {
  const headers = { accept: "text/html", "x-forwarded-for": `203.0.113.${++clients}` };
  const answer = await fetch(`${service.address}/tools/url?q=${encodeURIComponent(url)}`, { headers });
  const html = await answer.text();
  return { status: answer.status, text: html.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ") };
};

describe("the public page of a URL", () => {
  test.each([
    ["http://shared.example.org/phish?x=1", "Listed by 1 of 2 engines", "exact URL", 85],
    ["hxxp://SHARED.example[.]org:80/%70hish?x=1#top", "Listed by 1 of 2 engines", "exact URL", 85],
    ["https://shared.example.org/no-query?a=b", "Listed by 1 of 2 engines", "exact URL", 85],
    ["http://shared.example.org/other", "Listed by 1 of 2 engines", "host of the URL", 9],
    ["http://www.evil-host.com/", "Listed by 1 of 2 engines", "registered domain", 68],
    ["http://fine.example.net/", "Not listed by any of 2 engines", "", 0],
    [`http://${SITE}/by-address`, "Listed by 2 of 2 engines", "exact URL", 98],
    ["http://9.9.9.9/", "Listed by 1 of 2 engines", "exact address", 88],
    ["http://10.9.8.7/", "Not listed by any of 2 engines", "", 20],
  ])("of %s says %s", async (url, message, level, score) => {
    const { status, text } = await visit(url);
    expect(status).toBe(200);
    expect(text).toContain(message);
    expect(text).toContain(level);
    expect(text).toContain("The page was not opened: its content and redirects were not fetched.");
    expect(text).toContain("&quot;is_fetched&quot; : false");
    expect(text).toContain(`&quot;risk_score&quot; : ${score} ,`);
  });

  test("sends nothing to the host of the URL", async () => {
    const server = await startWebServer(() => response("hello"), { host: SITE });
    expect((await visit(`http://fine.example.net:${server.port}/`)).status).toBe(200);
    expect(server.connections).toEqual([]);
  });

  test("counts as a free domain check", async () => {
    const headers = { accept: "text/html", "x-forwarded-for": "192.0.2.99" };
    const path = `${service.address}/tools/url?q=${encodeURIComponent("http://9.9.9.9/")}`;
    for (let i = 0; i < 5; i++) expect((await fetch(path, { headers })).status).toBe(200);
    expect((await fetch(path, { headers })).status).toBe(429);
    const endpoint = await fetch(`${service.address}/api/free/domain-check`, {
      method: "POST",
      headers,
      body: '{"domain":"example.com"}',
    });
    expect(endpoint.status).toBe(429);
  });
});

test("the heading and the link of a report have the normal spelling of what was typed", async () => {
  const headers = { accept: "text/html", "x-forwarded-for": "203.0.113.251" };
  const typed = encodeURIComponent("hxxp://SHARED.example[.]org:80/%70hish?x=1#top");
  const html = await (await fetch(`${service.address}/tools/url?q=${typed}`, { headers })).text();
  const [, heading] = /<h1>(.*?)<\/h1>/.exec(html) ?? [];
  expect(heading?.replace(/<[^>]*>/g, "")).toMatch(/^http:\/\/shared\.example\.org\/\S*hish\?x=1/);
  expect(html).toContain("q=http%3A%2F%2Fshared.example.org%2F");
});
