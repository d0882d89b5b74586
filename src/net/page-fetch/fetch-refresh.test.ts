import { describe, expect, test } from "vitest";
import { CANARY_HOST, startCanary } from "../../../test/servers/dialing.ts";
import { createBrowser } from "../../../test/servers/page-fetch.ts";
import { redirect, response, startWebServer } from "../../../test/servers/web-server.ts";

const HTML = { "Content-Type": "text/html; charset=utf-8" };

const at = (target: string, afterS = 0) => ({ afterS, target });

describe("PageFetch and refreshes", () => {
  const refreshTo = (url: string | null) => ({ refreshOf: () => (url === null ? null : at(url)) });

  test("follows the page's own, and counts it as a hop", async () => {
    const server = await startWebServer(({ path }) => response(path, { headers: HTML }));
    const seen: string[] = [];
    const page = await (await createBrowser()).fetchPage(`${server.url}/a`, {
      refreshOf: async (body, contentType) => {
        seen.push(`${body} ${contentType}`);
        return body.toString() === "/a" ? at("b") : null;
      },
    });
    expect(seen).toEqual(["/a text/html; charset=utf-8", "/b text/html; charset=utf-8"]);
    expect(page).toMatchObject({
      status: "ok",
      finalUrl: `${server.url}/b`,
      hops: [{ url: `${server.url}/a`, status: 200, location: `${server.url}/b`, type: "meta" }],
    });
  });

  test.each([
    ["10; url=/b", "/b"],
    ["11; url=/b", "/a"],
    ["0; url=file:///etc/passwd", "/a"],
  ])("reads the header %j and ends at %s", async (value, end) => {
    const server = await startWebServer(({ path }) =>
      response(path, { headers: path === "/a" ? { Refresh: value } : {} }),
    );
    const page = await (await createBrowser()).fetchPage(`${server.url}/a`);
    expect(page.finalUrl).toBe(server.url + end);
  });

  test.each([
    ["/~a", "/~a", "its path"],
    ["/~a", "", "no URL"],
    ["/~a", "#", "an empty fragment"],
    ["/~a", "#now", "a fragment"],
    ["/~a", "?", "an empty query"],
    ["/~a", "/%7Ea", "another spelling of its path"],
    ["/~a", "./~a", "a relative path"],
    ["/~a", "//127.0.0.1:PORT/~a#x", "its host"],
    ["/~a", "http://me:secret@127.0.0.1:PORT/~a", "a user name"],
    ["/~a?b=%2f", "?b=%2F", "another spelling of its query"],
    ["/~a?b=c", "", "no URL, and it has a query"],
  ])("calls %s a loop when it refreshes to %j: %s", async (path, target) => {
    const server = await startWebServer(() => response("tick"));
    const port = new URL(server.url).port;
    const page = await (await createBrowser()).fetchPage(
      server.url + path,
      refreshTo(target.replace("PORT", port)),
    );
    expect(page).toMatchObject({ status: "redirect_loop", requestsCount: 1, unfollowedUrl: null });
    expect(page.hops).toMatchObject([{ url: server.url + path, status: 200, type: "meta" }]);
    expect(page.response?.body.toString()).toBe("tick");
  });

  test.each(["0", "10;", "5; url=", "3;url=/a#x"])(
    "calls a page with the header Refresh: %s a loop",
    async (value) => {
      const server = await startWebServer(() => response("tick", { headers: { Refresh: value } }));
      const page = await (await createBrowser()).fetchPage(`${server.url}/a`);
      expect(page).toMatchObject({ status: "redirect_loop", requestsCount: 1 });
    },
  );

  test.each([
    ["/a", "/a?b", "/a?b", "a query more"],
    ["/a?b=1", "?b=2", "/a?b=2", "another query"],
    ["/a", "/a/", "/a/", "a slash more"],
    ["/a", "/A", "/A", "another case of its path"],
    ["/a?b", "?", "/a?", "an empty query, and it has one"],
  ])("follows a page %s that refreshes to %s", async (path, target, end) => {
    const server = await startWebServer((request) => response(request.path));
    const page = await (await createBrowser()).fetchPage(server.url + path, {
      refreshOf: (body) => (body.toString() === path ? at(target) : null),
    });
    expect(page).toMatchObject({ status: "ok", finalUrl: server.url + end });
  });

  test.each<[header: string, page: ReturnType<typeof at> | null, end: string]>([
    ["0; url=/header", at("/page"), "/page"],
    ["5; url=/header", at("/page", 5), "/page"],
    ["5; url=/header", at("/page", 6), "/header"],
    ["6; url=/header", at("/page", 5), "/page"],
    ["11; url=/header", at("/page", 10), "/page"],
    ["0; url=/header", null, "/header"],
    ["0; url=mailto:me@example.com", at("/page", 5), "/page"],
    ["5; url=/header", at("javascript:0"), "/header"],
    ["no refresh", at("/page"), "/page"],
  ])("obeys of the header %s and the page's %j the one that browsers obey", async (header, refresh, end) => {
    const server = await startWebServer(({ path }) =>
      response(path, { headers: path === "/a" ? { Refresh: header } : {} }),
    );
    const page = await (await createBrowser()).fetchPage(`${server.url}/a`, {
      refreshOf: (body) => (body.toString() === "/a" ? refresh : null),
    });
    expect(page).toMatchObject({ status: "ok", finalUrl: server.url + end });
  });

  test("does not call a page that reloads itself after more than ten seconds a loop", async () => {
    const server = await startWebServer(() => response("tick", { headers: { Refresh: "11" } }));
    const page = await (await createBrowser()).fetchPage(`${server.url}/a`);
    expect(page).toMatchObject({ status: "ok", hops: [] });
  });

  test("does not call a redirect to another spelling of a URL a loop", async () => {
    const server = await startWebServer(({ path }) =>
      path === "/%7Ea" ? redirect("/~a") : response("home"),
    );
    const page = await (await createBrowser()).fetchPage(`${server.url}/%7Ea`);
    expect(page).toMatchObject({ status: "ok", finalUrl: `${server.url}/~a` });
  });

  test("ends pages that refresh to each other, and endless ones", async () => {
    const server = await startWebServer(({ path }) => response(path));
    const browser = await createBrowser();
    const ring = await browser.fetchPage(`${server.url}/a`, {
      refreshOf: (body) => at(body.toString() === "/a" ? "/b" : "/a"),
    });
    expect(ring).toMatchObject({ status: "redirect_loop", finalUrl: `${server.url}/b` });
    const endless = await browser.fetchPage(`${server.url}/a`, { refreshOf: (body) => at(`${body}a`) });
    expect(endless.status).toBe("too_many_redirects");
    expect(endless.hops).toHaveLength(10);
  });

  test("does not follow one to a forbidden address", async () => {
    const canary = await startCanary();
    const server = await startWebServer(() => response(""));
    const page = await (await createBrowser()).fetchPage(
      server.url,
      refreshTo(`http://${CANARY_HOST}:${canary.port}/`),
    );
    expect(page).toMatchObject({ status: "blocked", blockedReason: "private_address", response: null });
    expect(canary.connections).toEqual([]);
  });
});
