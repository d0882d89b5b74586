import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { createStoppedClock, until } from "../../../test/servers/dns-client.ts";
import { freePort } from "../../../test/servers/free-port.ts";
import { createBrowser } from "../../../test/servers/page-fetch.ts";
import {
  allClosed,
  redirect,
  response,
  startWebServer,
  writeEndlessly,
} from "../../../test/servers/web-server.ts";
import { systemClock } from "../../base/clock.ts";

/** More than a decoder gives at once, and no two pieces alike. */
const PAGE = Buffer.from(Array.from({ length: 4000 }, (_, i) => `<p>${(i * 7919) % 10_007}`).join(""));
const PAGE_IN_GZIP = gzipSync(PAGE);

/** The same member with a name in its header (RFC 1952, 2.3). */
function withFileName(member: Buffer): Buffer {
  const head = Buffer.from(member.subarray(0, 10));
  head[3] = 8;
  return Buffer.concat([head, Buffer.from("page.html\0"), member.subarray(10)]);
}

describe("PageFetch and failures", () => {
  const manyLines = Array.from({ length: 201 }, (_, i) => `x-${i}: y\r\n`).join("");
  test.each([
    ["HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort", /^The body is broken: it ended early/],
    ["HTTP/1.1 200 OK\r\nContent-Encoding: zstd\r\n\r\nx", /packed in a way that is not known/],
    ["HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\nthis is no gzip at all", /cannot be unpacked/],
    [`HTTP/1.1 200 OK\r\nx: ${"y".repeat(70_000)}\r\n\r\n`, /its head is too long/],
    [`HTTP/1.1 200 OK\r\n${manyLines}\r\n`, /its head has too many lines/],
    ["<title>no head</title>", /what came is not HTTP/],
  ])("says in a sentence what is wrong with an answer: %j", async (answer, sentence) => {
    const server = await startWebServer(() => answer);
    const page = await (await createBrowser()).fetchPage(`${server.url}/`);
    expect(page.status).toBe("invalid_response");
    expect(page.error?.message).toMatch(sentence);
  });

  test("tells names without address from resolvers that fail", async () => {
    const { fetchPage } = await createBrowser();
    expect(await fetchPage("http://nx.example/")).toMatchObject({
      status: "dns_error",
      error: { code: "no_address" },
      firstHost: { resolution: "no_address", addresses: [] },
      finalUrl: "http://nx.example/",
    });
    const failing = await createBrowser({ script: () => ({ rcode: 2 }) });
    expect(await failing.fetchPage("http://www.example.com/")).toMatchObject({
      status: "dns_error",
      error: { code: "error", message: "The resolver could not find an answer, or not one that validates" },
      firstHost: { resolution: "error" },
    });
  });

  test("says connect_error where no server listens, or leaves without a word", async () => {
    const port = await freePort();
    const { fetchPage } = await createBrowser();
    expect(await fetchPage(`http://127.0.0.1:${port}/`)).toMatchObject({
      status: "connect_error",
      error: { code: "ECONNREFUSED" },
      response: null,
    });
    const closing = await startWebServer(() => "");
    expect(await fetchPage(closing.url)).toMatchObject({ status: "connect_error", requestsCount: 1 });
  });

  test.each([
    ["no HTTP", "SSH-2.0-x\r\n\r\n"],
    ["HTTP/0.9", "<html>hello</html>"],
    ["two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"],
    ["a switch of protocols", "HTTP/1.1 101 X\r\nUpgrade: h2c\r\nConnection: upgrade\r\n\r\n"],
    ["a flood of interim answers", `${"HTTP/1.1 103 X\r\n\r\n".repeat(11)}HTTP/1.1 200 OK\r\n\r\n`],
    ["201 headers", `HTTP/1.1 200 OK\r\n${"a: b\r\n".repeat(201)}\r\n`],
  ])("says invalid_response at %s", async (_, octets) => {
    const server = await startWebServer(() => octets);
    const page = await (await createBrowser()).fetchPage(server.url);
    expect(page).toMatchObject({ status: "invalid_response", response: null, requestsCount: 1 });
    expect(page.error?.code).toMatch(/^[A-Z_0-9]+$/);
    await allClosed(server);
  });

  test.each([
    ["a short body", "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhello", "hello"],
    ["a long body", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello more", "hello"],
    ["a broken chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nzz\r\n", null],
    ["an unknown coding", response("x", { headers: { "Content-Encoding": "zstd" } }), ""],
    ["two codings", response(gzipSync(gzipSync("x")), { headers: { "Content-Encoding": "gzip, gzip" } }), ""],
    ["a coding that is a lie", response("no gzip", { headers: { "Content-Encoding": "gzip" } }), ""],
  ])("says invalid_response at %s, and gives what was read", async (_, octets, body) => {
    const server = await startWebServer(() => octets);
    const page = await (await createBrowser()).fetchPage(server.url);
    expect(page).toMatchObject({ status: "invalid_response", response: { status: 200, truncated: true } });
    if (body !== null) expect(page.response?.body.toString()).toBe(body);
    await allClosed(server);
  });

  test.each([
    ["a text behind it", Buffer.concat([PAGE_IN_GZIP, Buffer.from("\n<!-- cached -->")])],
    ["one octet behind it", Buffer.concat([PAGE_IN_GZIP, Buffer.from("x")])],
    [
      "a member behind it that breaks off",
      Buffer.concat([PAGE_IN_GZIP, gzipSync("more").subarray(0, 10), PAGE]),
    ],
    ["a wrong checksum", Buffer.concat([PAGE_IN_GZIP.subarray(0, -8), Buffer.alloc(8, 1)])],
    ["a file name and octets behind it", Buffer.concat([withFileName(PAGE_IN_GZIP), Buffer.from("x")])],
  ])("reads gzip with %s as browsers do", async (_, octets) => {
    const server = await startWebServer(() => response(octets, { headers: { "Content-Encoding": "gzip" } }));
    const page = await (await createBrowser()).fetchPage(server.url);
    expect(page).toMatchObject({ status: "ok", response: { truncated: false }, error: null });
    expect(page.response?.body.equals(PAGE)).toBe(true);
    await allClosed(server);
  });

  test("reads deflate with a wrong checksum as browsers do", async () => {
    const octets = Buffer.concat([deflateSync(PAGE).subarray(0, -4), Buffer.alloc(4, 1)]);
    const server = await startWebServer(() =>
      response(octets, { headers: { "Content-Encoding": "deflate" } }),
    );
    const page = await (await createBrowser()).fetchPage(server.url);
    expect(page).toMatchObject({ status: "ok", response: { truncated: false }, error: null });
    expect(page.response?.body.equals(PAGE)).toBe(true);
  });

  test("says invalid_response of gzip with broken data, and gives what was read", async () => {
    const octets = Buffer.concat([PAGE_IN_GZIP.subarray(0, -200), Buffer.alloc(200, 0xff)]);
    const server = await startWebServer(() => response(octets, { headers: { "Content-Encoding": "gzip" } }));
    const page = await (await createBrowser()).fetchPage(server.url);
    expect(page).toMatchObject({ status: "invalid_response", response: { truncated: true } });
    await allClosed(server);
  });

  test("says too_large of a bomb of gzip with octets behind it", async () => {
    const bomb = Buffer.concat([gzipSync(Buffer.alloc(50_000_000)), Buffer.from("x")]);
    const server = await startWebServer(() => response(bomb, { headers: { "Content-Encoding": "gzip" } }));
    const page = await (await createBrowser()).fetchPage(server.url);
    expect(page).toMatchObject({ status: "too_large", response: { truncated: true } });
    expect(page.response?.body).toHaveLength(100_000);
  });

  test("says invalid_response of endless octets that decode to nothing", async () => {
    const nothing = Buffer.concat(Array.from({ length: 1000 }, () => gzipSync("")));
    const server = await startWebServer((_, socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n");
      writeEndlessly(socket, nothing);
      return undefined;
    });
    const page = await (await createBrowser()).fetchPage(server.url);
    expect(page).toMatchObject({ status: "invalid_response", error: { code: "CODED_BODY_TOO_LARGE" } });
    expect(page.response?.body).toHaveLength(0);
    await allClosed(server);
  });

  test.each([
    ["of one octet", "1\r\na\r\n"],
    ["with extensions", `1;${"x".repeat(1000)}\r\na\r\n`],
  ])("says invalid_response of endless chunks %s", async (_, chunk) => {
    const server = await startWebServer((_request, socket) => {
      socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
      writeEndlessly(socket, Buffer.from(chunk.repeat(1000)));
      return undefined;
    });
    const page = await (await createBrowser({ maxBytes: 5_000_000 })).fetchPage(server.url);
    expect(page).toMatchObject({ status: "invalid_response", error: { code: "TOO_MANY_CHUNKS" } });
    await allClosed(server);
  });

  test.each([
    ["an endless body", null, Buffer.alloc(16_384)],
    ["a bomb of gzip", "gzip", gzipSync(Buffer.alloc(50_000_000))],
    ["a bomb of brotli", "br", brotliCompressSync(Buffer.alloc(50_000_000))],
    ["a bomb of deflate", "deflate", deflateSync(Buffer.alloc(50_000_000))],
  ])("says too_large of %s, and gives what was read", async (_, coding, octets) => {
    const server = await startWebServer((_request, socket) => {
      if (coding !== null) return response(octets, { headers: { "Content-Encoding": coding } });
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      writeEndlessly(socket, octets);
      return undefined;
    });
    const page = await (await createBrowser()).fetchPage(server.url);
    expect(page).toMatchObject({ status: "too_large", response: { truncated: true }, error: null });
    expect(page.response?.body).toHaveLength(100_000);
    await allClosed(server);
  });

  test.each([
    ["says nothing", "", false],
    ["stops within its head", "HTTP/1.1 200 OK\r\nX: y", false],
    ["stops within its body", "HTTP/1.1 200 OK\r\n\r\nhello", true],
  ])("says timeout at the deadline when a server %s", async (_, head, hasResponse) => {
    const clock = createStoppedClock();
    const server = await startWebServer((_request, socket) => {
      socket.write(head);
      return undefined;
    });
    const pending = (await createBrowser({ clock, timeoutMs: 5000 })).fetchPage(server.url);
    await until(() => server.requests.length === 1);
    await systemClock.sleep(30);
    clock.advance(5000);
    const page = await pending;
    expect(page).toMatchObject({ status: "timeout", elapsedMs: 5000, error: { code: "timeout" } });
    expect(page.response?.body.toString() ?? null).toBe(hasResponse ? "hello" : null);
    await allClosed(server);
  });

  test("has one deadline over all hops, and ends when the caller leaves", async () => {
    const clock = createStoppedClock();
    const server = await startWebServer(({ path }) => {
      clock.advance(2000);
      return redirect(`/${path.length}${path.slice(1)}`);
    });
    const page = await (await createBrowser({ clock, timeoutMs: 5000 })).fetchPage(server.url);
    expect(page.status).toBe("timeout");
    expect(page.hops).toHaveLength(2);
    const hurry = new AbortController();
    const silent = await startWebServer(() => undefined);
    const pending = (await createBrowser()).fetchPage(silent.url, { signal: hurry.signal });
    await until(() => silent.requests.length === 1);
    hurry.abort();
    expect((await pending).status).toBe("timeout");
    await allClosed(silent);
  });
});
