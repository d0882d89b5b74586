import { describe, expect, onTestFinished, test } from "vitest";
import { createStoppedClock, until } from "../../../test/servers/dns-client.ts";
import { createClient, outcome, request } from "../../../test/servers/http-client.ts";
import { startTcpServer } from "../../../test/servers/tcp-server.ts";
import { allClosed, redirect, startWebServer, writeEndlessly } from "../../../test/servers/web-server.ts";
import { systemClock } from "../../base/clock.ts";

const OK = "HTTP/1.1 200 OK\r\n";
const TEN = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n".repeat(10);

describe("Http.get() at broken HTTP", () => {
  test.each([
    ["nothing", "", "No HTTP response: the other side closed the connection (ECONNRESET)"],
    ["HTTP/0.9", "hello world\n", "No HTTP response: what came is not HTTP (HPE_INVALID_CONSTANT)"],
    [
      "a greeting of SSH",
      "SSH-2.0-OpenSSH_9.9\r\n",
      "No HTTP response: what came is not HTTP (HPE_INVALID_CONSTANT)",
    ],
    [
      "another version",
      "HTTP/2.0 200 OK\r\n\r\n",
      "No HTTP response: it is in another version of HTTP (UNKNOWN_VERSION)",
    ],
    ["two lengths", `${OK}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`, "HPE_UNEXPECTED_CONTENT_LENGTH"],
    ["a negative length", `${OK}Content-Length: -1\r\n\r\na`, "HPE_INVALID_CONTENT_LENGTH"],
    ["length and chunks", `${OK}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, "HPE_"],
    [
      "an unknown transfer coding",
      `${OK}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
      "UNKNOWN_TRANSFER",
    ],
    ["bare line feeds", "HTTP/1.1 200 OK\nContent-Length: 0\n\n", "HPE_"],
    ["a folded header", `${OK}X: a\r\n b\r\nContent-Length: 0\r\n\r\n`, "HPE_"],
    ["a zero octet in a header", `${OK}X: a\0b\r\nContent-Length: 0\r\n\r\n`, "HPE_"],
    ["a half head", `${OK}X: a`, "No HTTP response: what came "],
    [
      "a switch of protocols",
      "HTTP/1.1 101 X\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n",
      "UNEXPECTED_UPGRADE",
    ],
    ["a bare 101", "HTTP/1.1 101 X\r\n\r\n", "UNEXPECTED_STATUS"],
    ["too small a status", "HTTP/1.1 099 X\r\n\r\n", "UNEXPECTED_STATUS"],
    ["eleven interim answers", `${TEN}HTTP/1.1 103 X\r\n\r\n${OK}\r\n`, "TOO_MANY_INFORMATIONAL"],
    ["201 headers", `${OK}${"a: b\r\n".repeat(201)}\r\n`, "TOO_MANY_HEADERS"],
    ["66 KiB of headers", `${OK}${`a: ${"b".repeat(1000)}\r\n`.repeat(66)}\r\n`, "HPE_HEADER_OVERFLOW"],
    ["one header of 66 KiB", `${OK}a: ${"b".repeat(67_000)}\r\n\r\n`, "HPE_HEADER_OVERFLOW"],
    [
      "a short body",
      `${OK}Content-Length: 10\r\n\r\nhello`,
      "The body is broken: it ended early (ECONNRESET)",
    ],
    ["a long body", `${OK}Content-Length: 3\r\n\r\nhello`, "The body is broken: what came is not HTTP (HPE_"],
    [
      "a broken chunk",
      `${OK}Transfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n0\r\n\r\n`,
      "The body is broken: ",
    ],
    [
      "a cut chunk",
      `${OK}Transfer-Encoding: chunked\r\n\r\n5\r\nhel`,
      "The body is broken: it ended early (ECONNRESET)",
    ],
    [
      "chunks without end",
      `${OK}Transfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n`,
      "The body is broken: it ended early (ECONNRESET)",
    ],
  ])("is unavailable at %s", async (_, octets, detail) => {
    const server = await startWebServer(() => octets);
    const answer = await outcome(await createClient(), request(server.url));
    expect(answer).toMatch(/^error: (No HTTP response|The body is broken): [a-z].* \([A-Z_]+\)$/);
    expect(answer).toContain(detail);
    await allClosed(server);
  });

  test.each([
    ["ten interim answers", `${TEN}${OK}Content-Length: 2\r\n\r\nok`],
    ["200 headers", `${OK}${"a: b\r\n".repeat(199)}Content-Length: 2\r\n\r\nok`],
    ["60 KiB of headers", `${OK}${`a: ${"b".repeat(1000)}\r\n`.repeat(60)}Content-Length: 2\r\n\r\nok`],
    ["HTTP/1.0 until the end", "HTTP/1.0 200 OK\r\n\r\nok"],
    ["no phrase", "HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok"],
    ["octets above ASCII in values", `${OK}X: \xe9\xff\r\nContent-Length: 2\r\n\r\nok`],
    ["names of prototypes", `${OK}__proto__: a\r\nconstructor: b\r\nContent-Length: 2\r\n\r\nok`],
  ])("takes %s", async (_, octets) => {
    const server = await startWebServer(() => octets);
    expect(await outcome(await createClient(), request(server.url))).toBe("200 ok");
  });

  test("ends endless headers and a flood of interim answers", async () => {
    const pieces = [`a: ${"b".repeat(1000)}\r\n`, "HTTP/1.1 103 X\r\n\r\n"];
    for (const [i, piece] of pieces.entries()) {
      const server = await startWebServer((_, socket) => {
        if (i === 0) socket.write(OK);
        writeEndlessly(socket, Buffer.from(piece));
        return undefined;
      });
      expect(await outcome(await createClient(), request(server.url))).toMatch(/^error: No HTTP response/);
      await allClosed(server);
    }
  });
});

describe("Http.get() and time", () => {
  const drips = (head: string, drop: string) => ({ head, drop });
  test.each([
    ["says nothing", drips("", "")],
    ["drips its head", drips("HTTP/1.1 200 OK\r\nX: ", "a")],
    ["drips its body", drips("HTTP/1.1 200 OK\r\n\r\n", "a")],
    ["drips its chunks", drips("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\na\r\n")],
  ])("ends at the deadline when a server %s", async (_, { head, drop }) => {
    const clock = createStoppedClock();
    const dripping = new AbortController();
    onTestFinished(() => dripping.abort());
    const server = await startWebServer((_request, socket) => {
      socket.write(head);
      if (drop !== "") void drip(socket.write.bind(socket), drop, dripping.signal);
      return undefined;
    });
    const pending = outcome(await createClient({ clock }), request(server.url, { timeoutMs: 5000 }));
    await until(() => server.requests.length === 1);
    clock.advance(4999);
    await systemClock.sleep(20);
    expect(server.open()).toBe(1);
    clock.advance(1);
    expect(await pending).toBe("timeout: No complete answer within 5000 ms");
    await allClosed(server);
  });

  test("ends at the deadline while TLS does not finish", async () => {
    const clock = createStoppedClock();
    const server = await startTcpServer();
    const url = `https://www.example.com:${server.port}/`;
    const pending = outcome(await createClient({ clock }), request(url, { timeoutMs: 5000 }));
    await until(() => server.connections.length === 1);
    await systemClock.sleep(20);
    clock.advance(5000);
    expect(await pending).toBe("timeout: No complete answer within 5000 ms");
    await until(() => server.open() === 0);
  });

  test("has one deadline over all redirects", async () => {
    const clock = createStoppedClock();
    const server = await startWebServer(({ path }) => {
      clock.advance(2000);
      return redirect(`/${Number(path.slice(1)) + 1}`);
    });
    const wish = request(`${server.url}/1`, { timeoutMs: 5000, maxRedirects: 9 });
    expect(await outcome(await createClient({ clock }), wish)).toMatch(/^timeout: /);
    expect(server.requests).toHaveLength(3);
  });

  test("ends when the caller leaves, and when the client is closed", async () => {
    const server = await startWebServer(() => undefined);
    const http = await createClient();
    const hurry = new AbortController();
    const leaving = outcome(http, request(server.url, { signal: hurry.signal }));
    await until(() => server.requests.length === 1);
    hurry.abort();
    expect(await leaving).toMatch(/^timeout: /);
    const staying = outcome(http, request(server.url));
    await until(() => server.requests.length === 2);
    await http.close();
    expect(await staying).toMatch(/^timeout: /);
    await allClosed(server);
    expect(await outcome(http, request(server.url))).toMatch(/^timeout: /);
    expect(server.requests).toHaveLength(2);
  });
});

async function drip(write: (text: string) => boolean, drop: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    write(drop);
    await systemClock.sleep(5);
  }
}
