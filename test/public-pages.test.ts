import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "../src/base/clock.ts";
import { defineEngines } from "../src/engines/definitions.ts";
import { enginesOptionsSchema } from "../src/engines/options.ts";
import { PRODUCTS } from "../src/products/all.ts";
import { exchangeRaw } from "./raw-http.ts";
import { startTestService, type TestService } from "./service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ file: { server: { trust_proxy: ["127.0.0.0/8"] } } });
  while ((await service.call({ method: "GET", path: "/readyz" })).status !== 200) await systemClock.sleep(50);
});
afterAll(() => service.close());

const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

let clients = 0;

/** As a browser asks, from an address of its own. */
function visit(
  path: string,
  { accept = BROWSER, headers = {}, method = "GET", isFollowed = false } = {},
): Promise<Response> {
  const from = { "X-Forwarded-For": `198.51.100.${++clients % 250}` };
  return fetch(service.address + path, {
    method,
    redirect: isFollowed ? "follow" : "manual",
    headers: { accept, ...from, ...headers },
  });
}

describe("GET / by Accept", () => {
  test("is the page for browsers and the banner for programs", async () => {
    const page = await visit("/");
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(await page.text()).toMatch(/^<!doctype html><html lang="en">.*<h1>Is this address safe\?<\/h1>/);
    const banner = await visit("/", { accept: "*/*" });
    expect(await banner.json()).toMatchObject({ data: { service: "Repute", docs: "/docs" } });
    expect([page, banner].map(({ headers }) => headers.get("vary"))).toEqual([
      "Accept, Accept-Encoding",
      "Accept",
    ]);
    for (const answer of [page, banner]) {
      expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    }
  });

  test("HEAD has the length of the page and no body", async () => {
    const page = await visit("/", { method: "HEAD" });
    expect(Number(page.headers.get("content-length"))).toBeGreaterThan(1_000);
    expect(await page.text()).toBe("");
  });
});

describe("pages", () => {
  test.each([
    "/",
    "/app",
    "/app/keys",
    "/pricing",
    "/guide",
    "/status",
    "/sources",
    "/tools/ip",
    "/tools/ip/8.8.8.8",
  ])("%s allows nothing inline, nothing from elsewhere, no frame", async (path) => {
    const { status, headers } = await visit(path);
    expect(status).toBe(200);
    expect(headers.get("content-security-policy")).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
        "font-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    );
    expect(headers.get("cache-control")).toBe("private, no-cache");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("same-origin");
  });

  test.each(["/", "/guide", "/tools/ip/192.0.2.1", "/app"])(
    "%s is packed where that is understood",
    async (path) => {
      const packed = await visit(path, { headers: { "accept-encoding": "br, gzip" } });
      expect([packed.status, packed.headers.get("content-encoding")]).toEqual([200, "br"]);
      expect(await packed.text()).toMatch(/^<!doctype html>.*<\/html>\s*$/s);
    },
  );

  test("the files they load are theirs for ever, packed where that is understood, and nothing else is served", async () => {
    const html = await (await visit("/")).text();
    const files = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, file = ""]) => file);
    expect(files.length).toBeGreaterThan(1);
    for (const file of files) {
      const plain = await visit(file, { headers: { "accept-encoding": "identity" } });
      expect([file, plain.status]).toEqual([file, 200]);
      expect(plain.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      const packed = await visit(file, { headers: { "accept-encoding": "gzip" } });
      const text = await plain.text();
      expect(packed.headers.get("content-encoding")).toBe(text.length < 1_024 ? null : "gzip");
      expect(await packed.text()).toBe(text);
    }
    for (const path of [
      "/assets/manifest.json",
      "/assets/..%2fserver%2frender.js",
      "/assets/",
      "/assets/none.js",
    ]) {
      expect([path, (await visit(path)).status]).toEqual([path, 404]);
    }
  });

  test("the theme comes from the cookie, and from no other value of it", async () => {
    const themed = async (cookie: string) => (await visit("/", { headers: { cookie } })).text();
    expect(await themed("a=b; repute_theme=dark")).toContain('<html lang="en" data-theme="dark">');
    expect(await themed('repute_theme="><script>')).toContain('<html lang="en">');
  });

  test("what they are stands in tags for previews of links, a report's with its message", async () => {
    const tags = async (path: string) =>
      Object.fromEntries(
        [...(await (await visit(path)).text()).matchAll(/<meta property="og:(\w+)" content="([^"]*)"/g)].map(
          ([, name, content]) => [name, content],
        ),
      );
    expect(await tags("/pricing")).toMatchObject({
      site_name: "Repute",
      title: "Plans · Repute",
      url: `${service.address}/pricing`,
    });
    expect((await tags("/tools/ip/192.0.2.1")).description).toMatch(/^Not a public address/);
  });

  test("the icon that browsers ask for by name is one", async () => {
    const icon = await visit("/favicon.ico");
    expect([icon.status, icon.headers.get("content-type")]).toEqual([200, "image/x-icon"]);
    // Three pictures, as the format's header says.
    expect([...new Uint8Array(await icon.arrayBuffer()).subarray(0, 6)]).toEqual([0, 0, 1, 0, 3, 0]);
  });

  test("without a contact there is no security.txt", async () => {
    expect((await visit("/.well-known/security.txt")).status).toBe(404);
  });

  test("robots stay outside of what costs a lookup", async () => {
    expect(await (await visit("/robots.txt")).text()).toContain("Disallow: /tools/*/\n");
    expect((await visit("/tools/ip/8.8.8.8")).headers.get("x-robots-tag")).toBe("noindex");
  });
});

const textOf = async (path: string) => (await (await visit(path)).text()).replace(/<[^>]*>/g, " ");

describe("plans and what calls cost", () => {
  test("without billing the page has plans and limits, no price, and says that none is sold", async () => {
    const text = await textOf("/pricing");
    expect(text).toContain("This service does not sell plans: its operator gives each account one.");
    expect(text).toMatch(/Starter .*80,000 .*Enterprise .*1,500,000 /);
    expect(text).not.toMatch(/\$|19\.99|dollar|a month\s+Credits/);
    // Sign-up is closed here.
    expect(text).not.toContain("Sign up");
  });

  test("URL reputation and bulk calls have half of a plan's calls a second", async () => {
    const text = await textOf("/pricing");
    for (const [all, half] of [
      [2, 1],
      [30, 15],
      [60, 30],
      [100, 50],
    ])
      expect(text).toMatch(
        new RegExp(`Calls a second, per endpoint\\s+${all}\\s+Calls a second, URL and bulk\\s+${half}\\s`),
      );
    expect(await textOf("/guide")).toMatch(
      /URL reputation\s+and the bulk endpoints have half of that\. Above it the answer is 429/,
    );
  });

  test.each(["/pricing", "/guide"])("%s says that items of bulk calls cost what they are", async (path) => {
    const text = (await textOf(path)).replace(/\s+/g, " ");
    expect(text).toContain("A call that is refused or fails costs nothing. A bulk call c");
    expect(text).toMatch(/that are refused or fail too\./);
    expect(text).not.toContain("A credit is a call");
  });
});

describe("engines are lists that accuse", () => {
  const BUILTIN = defineEngines({ engines: enginesOptionsSchema.parse({}), allowlists: [] })
    .map(({ engine }) => engine)
    // A test's service asks no zones.
    .filter(({ kind, disabled }) => kind !== "dnsbl" && disabled === null);
  const allowlists = BUILTIN.filter(({ kind }) => kind === "allow").length;
  const engines = BUILTIN.length - allowlists;

  test("and the status page names allowlists apart", async () => {
    expect(allowlists).toBeGreaterThan(0);
    expect(await textOf("/status")).toMatch(
      new RegExp(`\\d+ of ${engines} engines and \\d+ of ${allowlists} allowlists healthy\\.`),
    );
  });

  test("the home page counts no others", async () => {
    expect(await textOf("/")).toContain(`Of its ${engines} engines, those `);
  });
});

describe.each(PRODUCTS)("the page of $name", ({ cli, page, free, field }) => {
  test("has its texts, leads to an example and is linked from the home page and every tool", async () => {
    const html = await (await visit(`/tools/${cli.word}`)).text();
    for (const text of [page.tool.title, page.tool.lead, page.tool.label, page.tool.full]) {
      expect(html).toContain(text.replaceAll("'", "&#x27;"));
    }
    for (const path of ["/", "/tools/ip"]) {
      expect(await (await visit(path)).text()).toContain(`href="/tools/${cli.word}"`);
    }
  });

  test("shows the free report of its example", async () => {
    const path = `/tools/${cli.word}?q=${encodeURIComponent(page.tool.example)}`;
    const found = await visit(path, { isFollowed: true });
    expect(found.status).toBe(200);
    expect(await found.text()).toContain(`&quot;${free === null ? field : "message"}&quot;`);
  });
});

describe("addresses of the tools", () => {
  test.each([
    ["/lookup?q=8.8.8.8", "/tools/ip/8.8.8.8"],
    ["/lookup?q=", "/"],
    ["/lookup?q=https%3A%2F%2Fexample.com%2F%3Fa%3Db", "/tools/url?q=https%3A%2F%2Fexample.com%2F%3Fa%3Db"],
    ["/lookup?q=192.0.2.0%2F24", "/tools/whois?q=192.0.2.0%2F24"],
    ["/lookup?q=%2F%2Fevil.example", null],
    ["/tools/ip?q=8.8.8.8", "/tools/ip/8.8.8.8"],
    ["/tools/dns?q=example.com&type=MX", "/tools/dns/example.com?type=MX"],
    ["/tools/dns?q=example.com&type=", "/tools/dns/example.com"],
    ["/tools/domain?q=%0d%0aSet-Cookie:a=b", "/tools/domain/Set-Cookie%3Aa%3Db"],
  ])("%s leads to %s, never to another host", async (path, location) => {
    const answer = await visit(path);
    expect(answer.status).toBe(location === null ? 422 : 303);
    expect(answer.headers.get("location")).toBe(location);
  });

  const NAME = [...["a", "b", "c"].map((letter) => letter.repeat(60)), "d".repeat(62), "example"].join(".");
  test.each([
    ["the longest name", `/tools/domain/${NAME}`, 200],
    ["the longest name, written in percent codes", `/tools/domain/${NAME.replaceAll("a", "%61")}`, 200],
    ["a longer one", `/tools/domain/e.${NAME}`, 422],
    ["a longer one of an e-mail address", `/tools/email/a%40e.${NAME}`, 200],
  ])("%s is on the tool's own page", async (_what, path, status) => {
    const answer = await visit(path);
    expect(answer.status).toBe(status);
    expect(await answer.text()).toContain("<form");
  });

  test("a page and the free endpoint count in one window", async () => {
    const headers = { "X-Forwarded-For": "192.0.2.77" };
    const left = async () =>
      (await visit("/tools/email/a%40example.com", { headers })).headers.get("x-ratelimit-remaining");
    expect(await left()).toBe("4");
    await fetch(`${service.address}/api/free/email-check`, {
      method: "POST",
      headers,
      body: '{"email":"a@b.com"}',
    });
    expect(await left()).toBe("2");
  });
});

test("a URL that cannot be read counts as well", async () => {
  const headers = { "X-Forwarded-For": "192.0.2.78" };
  for (let i = 0; i < 5; i++) expect((await visit("/tools/url?q=zz", { headers })).status).toBe(422);
  expect((await visit("/tools/url?q=zz", { headers })).status).toBe(429);
});

test("no link is made of what a caller says the host is", async () => {
  const { port } = new URL(service.address);
  const answer = await exchangeRaw(
    Number(port),
    `GET /guide HTTP/1.1\r\nHost: localhost:1\r\nAccept: text/html\r\nConnection: close\r\n\r\n`,
    () => false,
  );
  expect(answer.status).toBe(200);
  expect(answer.raw).not.toContain("localhost:1");
  expect(answer.raw).toContain(`http://127.0.0.1:${port}/api/`);
});

describe("what is not there", () => {
  test("is a page for a browser, with the request's id, and the envelope for programs and below /api", async () => {
    const page = await visit("/nowhere");
    expect([page.status, page.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
    expect(await page.text()).toContain(page.headers.get("x-request-id"));
    for (const [path, accept] of [
      ["/nowhere", "*/*"],
      ["/api/nowhere", BROWSER],
    ] as const) {
      const answer = await visit(path, { accept });
      expect(await answer.json()).toMatchObject({ errors: [{ code: "NOT_FOUND" }] });
    }
  });

  test.each([
    "/tools",
    "/tools/none",
    "/tools/none/1",
    "/tools/ip/1/2",
    "/%74ools/ip/8.8.8.8",
    "/app%2fkeys",
    "/guide/",
  ])("%s is nowhere", async (path) => {
    expect((await visit(path)).status).toBe(404);
  });

  test("a page takes no other method", async () => {
    const answer = await visit("/tools/ip/8.8.8.8", { method: "PUT" });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS, POST"]);
  });
});
