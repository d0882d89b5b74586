import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { createStoppedClock } from "../../../test/servers/dns-client.ts";
import { createBrowser } from "../../../test/servers/page-fetch.ts";
import { allClosed, redirect, response, startWebServer } from "../../../test/servers/web-server.ts";

const HTML = { "Content-Type": "text/html; charset=utf-8" };

describe("PageFetch", () => {
  test("gives the page, the way to it and what it cost", async () => {
    const clock = createStoppedClock();
    const server = await startWebServer(() => {
      clock.advance(120);
      return response(gzipSync("<p>hello"), { headers: { ...HTML, "Content-Encoding": "gzip" } });
    });
    const { fetchPage } = await createBrowser({ clock });
    const page = await fetchPage(`http://user:word@www.example.com:${server.port}/a?b#c`);
    expect(page).toMatchObject({
      status: "ok",
      startedAt: new Date(1_800_000_000_000),
      elapsedMs: 120,
      firstHost: { resolution: "ok", addresses: [{ text: "127.0.0.1" }], ip: { text: "127.0.0.1" } },
      hops: [],
      finalUrl: `http://www.example.com:${server.port}/a?b#c`,
      finalIp: { text: "127.0.0.1" },
      response: {
        status: 200,
        statusLine: "HTTP/1.1 200 Status",
        httpVersion: "1.1",
        contentType: "text/html; charset=utf-8",
        contentLengthBytes: gzipSync("<p>hello").length,
        body: Buffer.from("<p>hello"),
        truncated: false,
      },
      tls: null,
      blockedReason: null,
      requestsCount: 1,
      error: null,
    });
    expect(page.bytesRead).toBe(
      response(gzipSync("<p>hello"), { headers: { ...HTML, "Content-Encoding": "gzip" } }).length,
    );
    await allClosed(server);
  });

  test("looks like a browser and tells nothing of itself", async () => {
    const server = await startWebServer(() => response(""));
    const { fetchPage } = await createBrowser();
    const page = await fetchPage(`http://user:word@www.example.com:${server.port}/a`);
    expect(Object.fromEntries(server.requests[0]?.headers ?? [])).toEqual({
      host: `www.example.com:${server.port}`,
      "user-agent": page.userAgent,
      accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
      "accept-language": "en-US,en;q=0.9",
      "accept-encoding": "gzip, deflate, br",
      "upgrade-insecure-requests": "1",
      connection: "close",
    });
    expect(page.userAgent).toMatch(/^Mozilla\/5\.0 \(Windows.*Chrome\/\d+/);
    const named = await createBrowser({ userAgent: "Looker/2" });
    expect((await named.fetchPage(server.url)).userAgent).toBe("Looker/2");
    expect(server.requests[1]?.headers.get("user-agent")).toBe("Looker/2");
  });

  test.each([
    [200, "ok"],
    [204, "ok"],
    [304, "ok"],
    [399, "ok"],
    [400, "http_error"],
    [503, "http_error"],
    [999, "http_error"],
  ])("reads the body of a %d, which is %s", async (code, status) => {
    const server = await startWebServer(
      () => `HTTP/1.1 ${code} X\r\n\r\n${code === 200 || code > 399 ? "ok" : ""}`,
    );
    const page = await (await createBrowser()).fetchPage(server.url);
    expect(page).toMatchObject({ status, response: { status: code } });
    expect(page.response?.body.toString()).toBe(code === 200 || code > 399 ? "ok" : "");
  });

  test("throws at a URL that is not of the web", async () => {
    const { fetchPage } = await createBrowser();
    await expect(fetchPage("ftp://www.example.com/")).rejects.toThrow(/http: or https:/);
  });
});

describe("PageFetch and redirects", () => {
  test("follows them, resolves each host anew, and tells each", async () => {
    const server = await startWebServer(({ path }) => {
      if (path === "/1") return redirect("/2?x", 301);
      if (path === "/2?x") return redirect(`//other.example:${server.port}/3`, 307);
      return response("end");
    });
    const browser = await createBrowser();
    const base = `http://www.example.com:${server.port}`;
    const page = await browser.fetchPage(`${base}/1`);
    expect(page).toMatchObject({
      status: "ok",
      finalUrl: `http://other.example:${server.port}/3`,
      requestsCount: 3,
      hops: [
        { url: `${base}/1`, status: 301, location: `${base}/2?x`, type: "http", ip: "127.0.0.1", tls: null },
        { url: `${base}/2?x`, status: 307, location: `http://other.example:${server.port}/3`, type: "http" },
      ],
    });
    expect(page.response?.body.toString()).toBe("end");
    expect(browser.dns.questions.filter(({ type }) => type === "A")).toHaveLength(3);
    expect(server.requests.some(({ headers }) => headers.has("referer"))).toBe(false);
    await allClosed(server);
  });

  test("stops after ten, with the last response", async () => {
    const server = await startWebServer(({ path }) =>
      response(`page ${path}`, { status: 302, headers: { Location: `/${Number(path.slice(1)) + 1}` } }),
    );
    const page = await (await createBrowser()).fetchPage(`${server.url}/0`);
    expect(page).toMatchObject({
      status: "too_many_redirects",
      requestsCount: 11,
      finalUrl: `${server.url}/10`,
      unfollowedUrl: `${server.url}/11`,
    });
    expect(page.hops).toHaveLength(10);
    expect(page.response?.body.toString()).toBe("page /10");
  });

  test.each([
    ["to itself", { "/a": "/a" }, 1],
    ["to itself with a fragment", { "/a": "/a#x" }, 1],
    ["in a ring", { "/a": "/b", "/b": "/c", "/c": "/a" }, 3],
  ])("ends a loop %s, with the last response", async (_, ways, hops) => {
    const server = await startWebServer(({ path }) =>
      redirect(new Map(Object.entries(ways)).get(path) ?? "/x"),
    );
    const page = await (await createBrowser()).fetchPage(`${server.url}/a`);
    expect(page).toMatchObject({ status: "redirect_loop", response: { status: 302 } });
    expect(page.hops).toHaveLength(hops);
  });

  test.each([
    "file:///etc/passwd",
    "gopher://127.0.0.1:6379/",
    "javascript:alert(1)",
    "http://a:99999/",
    "http://[x",
  ])("follows no redirect to %j, and says that its way ends there", async (location) => {
    const server = await startWebServer(() =>
      response("moved", { status: 302, headers: { Location: location } }),
    );
    const page = await (await createBrowser()).fetchPage(server.url);
    expect(page).toMatchObject({
      status: "invalid_response",
      hops: [],
      response: { status: 302, body: Buffer.from("moved") },
    });
  });

  test("takes a redirect without a target for the page itself", async () => {
    const server = await startWebServer(() => response("moved", { status: 302, headers: { Location: "" } }));
    const page = await (await createBrowser()).fetchPage(server.url);
    expect(page).toMatchObject({ status: "ok", hops: [], response: { status: 302 } });
  });

  test("gives cookies back to the host that set them, in this chain only", async () => {
    const server = await startWebServer(({ path }) => {
      const headers = {
        "Set-Cookie": `at=${path.slice(1)}`,
        Location: `http://other.example:${server.port}/2`,
      };
      if (path === "/1") return response("", { status: 302, headers });
      if (path === "/2") return redirect(`http://www.example.com:${server.port}/3`);
      return response("");
    });
    const { fetchPage } = await createBrowser();
    await fetchPage(`http://www.example.com:${server.port}/1`);
    expect(server.requests.map(({ headers }) => headers.get("cookie"))).toEqual([
      undefined,
      undefined,
      "at=1",
    ]);
    await fetchPage(`http://www.example.com:${server.port}/3`);
    expect(server.requests[3]?.headers.get("cookie")).toBeUndefined();
  });

  test("sends no user information along", async () => {
    const server = await startWebServer(({ path }) =>
      path === "/" ? redirect(`http://user:word@www.example.com:${server.port}/2`) : response(""),
    );
    const page = await (await createBrowser()).fetchPage(server.url);
    expect(JSON.stringify([page.hops, page.finalUrl])).not.toMatch(/user|word/);
    expect(server.requests[1]?.headers.has("authorization")).toBe(false);
  });
});
