import { describe, expect, test } from "vitest";
import { createStoppedClock, until } from "../../../test/servers/dns-client.ts";
import { createBrowser } from "../../../test/servers/page-fetch.ts";
import { startTcpServer } from "../../../test/servers/tcp-server.ts";
import {
  allClosed,
  type CertificateName,
  redirect,
  response,
  startWebServer,
} from "../../../test/servers/web-server.ts";

describe("PageFetch and TLS", () => {
  const serve = (certificate: CertificateName, tls = {}) =>
    startWebServer(() => response("secret page"), { certificate, tls });

  test("gives the certificate of the connection that the page came over", async () => {
    const server = await serve("good");
    const page = await (await createBrowser()).fetchPage(`https://www.example.com:${server.port}/`);
    expect(page).toMatchObject({
      status: "ok",
      response: { body: Buffer.from("secret page") },
      tls: {
        status: "ok",
        error: null,
        valid: true,
        protocol: "TLSv1.3",
        hostname_match: true,
      },
    });
    expect(server.connections).toHaveLength(1);
    expect(page.bytesRead).toBeGreaterThan(500);
    await allClosed(server);
  });

  test.each<[CertificateName, object, string | null]>([
    ["expired", { valid: false, expired: true }, "CERT_HAS_EXPIRED"],
    ["self", { valid: false, self_signed: true }, "DEPTH_ZERO_SELF_SIGNED_CERT"],
    ["other", { valid: false, hostname_match: false }, null],
  ])("fetches a page under the certificate %s all the same, and says so", async (name, certificate, code) => {
    const server = await serve(name);
    const page = await (await createBrowser()).fetchPage(`https://www.example.com:${server.port}/`);
    expect(page).toMatchObject({ status: "ok", tls: { status: "ok", ...certificate } });
    expect(page.tls?.error?.code ?? null).toBe(code);
    expect(page.response?.body.toString()).toBe("secret page");
  });

  test("reads a server of old protocols", async () => {
    const old = { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" };
    const server = await serve("good", old);
    const page = await (await createBrowser()).fetchPage(`https://www.example.com:${server.port}/`);
    expect(page).toMatchObject({ status: "ok", tls: { protocol: "TLSv1.1" } });
  });

  test.each([
    ["speaks HTTP/2 alone", { ALPNProtocols: ["h2"] }, /no HTTP\/1\.1, such as HTTP\/2 alone \(ERR_SSL_/],
    ["wants a certificate", { requestCert: true }, /wants a certificate of the client \(ERR_SSL_/],
    [
      "has no such site",
      { SNICallback: (_name: string, done: (error: Error) => void) => done(new Error("none")) },
      /^The TLS handshake failed: .+/,
    ],
  ])("says in a sentence that a server %s", async (_what, tls, sentence) => {
    const server = await serve("good", tls);
    const page = await (await createBrowser()).fetchPage(`https://www.example.com:${server.port}/`);
    expect(page).toMatchObject({ status: "tls_error", response: null });
    expect(page.error?.message).toMatch(sentence);
  });

  test("tells the certificate of the last host, and the protocol of each hop", async () => {
    const last = await serve("self");
    const first = await startWebServer(() => redirect(`https://other.example:${last.port}/`), {
      certificate: "good",
    });
    const page = await (await createBrowser()).fetchPage(`https://www.example.com:${first.port}/`);
    expect(page).toMatchObject({ hops: [{ tls: "TLSv1.3" }], tls: { self_signed: true } });
    const plain = await startWebServer(() => response("plain"));
    const down = await startWebServer(() => redirect(plain.url), { certificate: "good" });
    expect(await (await createBrowser()).fetchPage(down.url)).toMatchObject({ status: "ok", tls: null });
  });

  test("says tls_error where the handshake fails", async () => {
    for (const octets of ["HTTP/1.1 400 Bad\r\n\r\n", ""]) {
      const server = await startTcpServer({ onConnection: (socket) => socket.end(octets).resume() });
      const page = await (await createBrowser()).fetchPage(`https://www.example.com:${server.port}/`);
      expect(page).toMatchObject({ status: "tls_error", response: null, tls: null, requestsCount: 0 });
      expect(page.error?.code).toMatch(/^(ERR_SSL_|ECONNRESET)/);
    }
  });

  test("says timeout while the handshake does not end", async () => {
    const clock = createStoppedClock();
    const server = await startTcpServer();
    const pending = (await createBrowser({ clock, timeoutMs: 5000 })).fetchPage(
      `https://127.0.0.1:${server.port}/`,
    );
    await until(() => server.connections.length === 1);
    clock.advance(5000);
    expect((await pending).status).toBe("timeout");
    await until(() => server.open() === 0);
  });
});
