import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { createClient, outcome, request } from "../../../test/servers/http-client.ts";
import { allClosed, response, startWebServer, writeEndlessly } from "../../../test/servers/web-server.ts";

describe("Http.get()", () => {
  test("gives status, headers in lower case, body and URL of any answer", async () => {
    const server = await startWebServer(() =>
      response("gone", { status: 404, headers: { "X-Odd": "a", "x-ODD": "b", ETag: '"1"' } }),
    );
    const answer = await (await createClient()).get(request(`${server.url}/a?b=c#d`));
    expect(answer).toMatchObject({
      state: "answered",
      value: { status: 404, body: Buffer.from("gone"), url: `${server.url}/a?b=c#d` },
    });
    const headers = answer.state === "answered" ? answer.value.headers : new Map();
    expect(headers.get("x-odd")).toBe("a, b");
    expect(headers.get("etag")).toBe('"1"');
    expect(server.requests[0]?.path).toBe("/a?b=c");
    await allClosed(server);
  });

  test("sends its name, the request's headers, and nothing else", async () => {
    const server = await startWebServer(() => response(""));
    const headers = { Accept: "application/json", "X-Key": "k" };
    await outcome(await createClient(), request(`${server.url}/`, { headers }));
    expect(Object.fromEntries(server.requests[0]?.headers ?? [])).toEqual({
      host: `127.0.0.1:${server.port}`,
      "user-agent": "Repute/1",
      accept: "application/json",
      "accept-encoding": "gzip, deflate, br",
      "x-key": "k",
      connection: "close",
    });
  });

  test("reaches an IPv6 address of the operator's", async () => {
    const server = await startWebServer(() => response("six"), { host: "::1" });
    const url = `http://[::1]:${server.port}/`;
    const http = await createClient();
    expect(await outcome(http, request(url, { isOperatorsWord: true }))).toBe("200 six");
    expect(server.requests[0]?.headers.get("host")).toBe(`[::1]:${server.port}`);
    expect(await outcome(http, request(url))).toBe("refused: private_address");
  });

  test.each([
    ["gzip", gzipSync("hello")],
    ["x-gzip", gzipSync("hello")],
    ["GZip", Buffer.concat([gzipSync("he"), gzipSync("llo")])],
    ["br", brotliCompressSync("hello")],
    ["deflate", deflateSync("hello")],
    ["deflate", deflateRawSync("hello")],
    ["identity", Buffer.from("hello")],
  ])("decodes %s", async (coding, body) => {
    const server = await startWebServer(() => response(body, { headers: { "Content-Encoding": coding } }));
    expect(await outcome(await createClient(), request(server.url))).toBe("200 hello");
  });

  test.each(["gzip", "br", "deflate"])("takes a body of no octets in %s for empty", async (coding) => {
    const server = await startWebServer(() => response("", { headers: { "Content-Encoding": coding } }));
    expect(await outcome(await createClient(), request(server.url))).toBe("200 ");
  });

  test.each([
    ["two codings", "gzip, gzip", gzipSync(gzipSync("x")), "UNKNOWN_CONTENT_CODING"],
    ["an unknown coding", "zstd", Buffer.from("x"), "UNKNOWN_CONTENT_CODING"],
    ["a coding that is a lie", "gzip", Buffer.from("no gzip"), "Z_DATA_ERROR"],
    ["a cut coding", "gzip", gzipSync("x".repeat(500)).subarray(0, 20), "Z_BUF_ERROR"],
    ["broken brotli", "br", Buffer.from("not brotli at all"), "ERR__ERROR_"],
  ])("refuses %s", async (_, coding, body, code) => {
    const server = await startWebServer(() => response(body, { headers: { "Content-Encoding": coding } }));
    const answer = await outcome(await createClient(), request(server.url));
    expect(answer).toMatch(/^error: The body is broken: (it|what it) [a-z ]+ \([A-Z_\d]+\)$/);
    expect(answer).toContain(`(${code}`);
    await allClosed(server);
  });

  test("takes a body of just the bytes allowed, and no more", async () => {
    const server = await startWebServer(({ path }) => response("x".repeat(Number(path.slice(1)))));
    const http = await createClient();
    expect(await outcome(http, request(`${server.url}/1000`, { maxBytes: 1000 }))).toMatch(/^200 x{1000}$/);
    expect(await outcome(http, request(`${server.url}/1001`, { maxBytes: 1000 }))).toBe(
      "error: The body is larger than 1000 bytes",
    );
    await allClosed(server);
  });

  test.each([
    ["gzip", gzipSync(Buffer.alloc(50_000_000))],
    ["br", brotliCompressSync(Buffer.alloc(50_000_000))],
    ["deflate", deflateSync(Buffer.alloc(50_000_000))],
    ["gzip", Buffer.concat(Array.from({ length: 500 }, () => gzipSync(Buffer.alloc(100_000))))],
  ])("stops a bomb of %s at the bytes allowed", async (coding, bomb) => {
    const server = await startWebServer(() => response(bomb, { headers: { "Content-Encoding": coding } }));
    expect(await outcome(await createClient(), request(server.url))).toBe(
      "error: The body is larger than 100000 bytes",
    );
    await allClosed(server);
  });

  test("stops an endless body", async () => {
    const server = await startWebServer((_, socket) => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      writeEndlessly(socket, Buffer.alloc(16_384));
      return undefined;
    });
    expect(await outcome(await createClient(), request(server.url))).toMatch(/larger than 100000 bytes/);
    await allClosed(server);
  });
});

describe("Http.download()", () => {
  const folder = () => {
    const path = mkdtempSync(join(tmpdir(), "repute-http-"));
    onTestFinished(() => rmSync(path, { recursive: true }));
    return join(path, "list");
  };

  test("writes the decoded body to a file of its owner", async () => {
    const text = "192.0.2.1\n".repeat(9000);
    const server = await startWebServer(() =>
      response(gzipSync(text), { headers: { "Content-Encoding": "gzip", ETag: '"1"' } }),
    );
    const path = folder();
    const answer = await (await createClient()).download(request(server.url), path);
    expect(answer).toMatchObject({ state: "answered", value: { status: 200, bytes: text.length } });
    expect(answer.state === "answered" && answer.value.headers.get("etag")).toBe('"1"');
    expect(readFileSync(path, "utf8")).toBe(text);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test.each([
    ["too large a body", response("x".repeat(100_001)), "error"],
    ["a cut body", `HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello`, "error"],
    [
      "a cut coding",
      response(gzipSync("x").subarray(0, 12), { headers: { "Content-Encoding": "gzip" } }),
      "error",
    ],
  ])("leaves no file behind at %s", async (_, octets, reason) => {
    const server = await startWebServer(() => octets);
    const path = folder();
    const answer = await (await createClient()).download(request(server.url), path);
    expect(answer).toMatchObject({ state: "unavailable", reason });
    expect(existsSync(path)).toBe(false);
  });

  test.each([304, 404, 503])("writes no file at a %d", async (status) => {
    const server = await startWebServer(() => `HTTP/1.1 ${status} X\r\n\r\n`);
    const path = folder();
    const answer = await (await createClient()).download(request(server.url), path);
    expect(answer).toMatchObject({ state: "answered", value: { status, bytes: 0 } });
    expect(existsSync(path)).toBe(false);
  });

  test("throws at a file that is there already, and keeps it", async () => {
    const server = await startWebServer(() => response("new"));
    const http = await createClient();
    const path = folder();
    await http.download(request(server.url), path);
    await expect(http.download(request(server.url), path)).rejects.toThrow(/EEXIST/);
    expect(readFileSync(path, "utf8")).toBe("new");
    await allClosed(server);
  });
});
