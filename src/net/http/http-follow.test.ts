import { describe, expect, test } from "vitest";
import { CANARY_HOST, startCanary } from "../../../test/servers/dialing.ts";
import { createClient, outcome, request } from "../../../test/servers/http-client.ts";
import {
  allClosed,
  redirect,
  response,
  startWebServer,
  TEST_CA_FILE,
} from "../../../test/servers/web-server.ts";

describe("Http.get() and redirects", () => {
  test.each([301, 302, 303, 307, 308])("follows a %d against the current URL", async (status) => {
    const server = await startWebServer(({ path }) =>
      path === "/a/b" ? redirect("../c?d", status) : response(path),
    );
    const answer = await (await createClient()).get(request(`${server.url}/a/b`));
    expect(answer).toMatchObject({
      value: { status: 200, url: `${server.url}/c?d`, body: Buffer.from("/c?d") },
    });
  });

  test("follows three, or as many as it is told", async () => {
    const server = await startWebServer(({ path }) => redirect(`/${path.length}${path.slice(1)}`));
    const http = await createClient();
    expect(await outcome(http, request(`${server.url}/`))).toBe("error: More than 3 redirects");
    expect(server.requests).toHaveLength(4);
    expect(await outcome(http, request(`${server.url}/`, { maxRedirects: 0 }))).toBe(
      "error: More than 0 redirects",
    );
    expect(server.requests).toHaveLength(5);
  });

  test.each([
    `http://${CANARY_HOST}:PORT/`,
    "http://inside.example:PORT/",
    "http://0x7fc80001:PORT/",
    "http://[::ffff:127.200.0.1]:PORT/",
    "//inside.example:PORT/x",
  ])("does not follow to %s, even from the operator's own host", async (location) => {
    const canary = await startCanary();
    const server = await startWebServer(() => redirect(location.replace("PORT", String(canary.port))));
    const wish = request(server.url, { isOperatorsWord: true });
    expect(await outcome(await createClient(), wish)).toBe("refused: private_address");
    expect(canary.connections).toEqual([]);
  });

  test("takes another port of the operator's host for another's word", async () => {
    const canary = await startCanary();
    const server = await startWebServer(() => redirect(`http://${CANARY_HOST}:${canary.port}/`), {
      host: CANARY_HOST,
    });
    expect(await outcome(await createClient(), request(server.url))).toBe("refused: private_address");
    expect(await outcome(await createClient(), request(server.url, { isOperatorsWord: true }))).toBe(
      "refused: private_address",
    );
    expect([server.requests.length, canary.connections.length]).toEqual([1, 0]);
  });

  test.each([
    "file:///etc/passwd",
    "gopher://127.0.0.1/",
    "http://",
    "javascript:alert(1)",
    "http://a:99999/",
  ])("gives the redirect itself when it leads to %s", async (location) => {
    const server = await startWebServer(() => redirect(location));
    expect(await outcome(await createClient(), request(server.url))).toBe("302 ");
  });

  test("does not wait for a redirect's body, nor trips over its end", async () => {
    const server = await startWebServer(({ path }, socket) => {
      if (path !== "/") return response("ok");
      socket.write("HTTP/1.1 302 X\r\nLocation: /next\r\nContent-Length: 1000\r\n\r\npart");
      return undefined;
    });
    expect(await outcome(await createClient(), request(`${server.url}/`))).toBe("200 ok");
    await allClosed(server);
  });

  test("keeps keys and credentials from other hosts", async () => {
    const mirror = await startWebServer(() => response("ok"), { host: "127.0.0.2" });
    const server = await startWebServer(({ path }) =>
      path === "/" ? redirect("/again") : redirect(`http://user:word@mirror.example:${mirror.port}/`),
    );
    const headers = { "X-Key": "secret", Accept: "text/plain", "If-None-Match": '"1"' };
    const url = `http://name:p%40ss@www.example.com:${server.port}/`;
    expect(await outcome(await createClient(), request(url, { headers }))).toBe("200 ok");
    expect(server.requests.map((one) => one.headers.get("x-key"))).toEqual(["secret", "secret"]);
    expect(server.requests[1]?.headers.get("authorization")).toBe(
      `Basic ${Buffer.from("name:p@ss").toString("base64")}`,
    );
    expect(Object.fromEntries(mirror.requests[0]?.headers ?? [])).toEqual({
      host: `mirror.example:${mirror.port}`,
      "user-agent": "Repute/1",
      accept: "text/plain",
      "accept-encoding": "gzip, deflate, br",
      "if-none-match": '"1"',
      connection: "close",
    });
  });

  test("does not go from https to http unless it began with http", async () => {
    const plain = await startWebServer(() => response("plain"));
    const secure = await startWebServer(() => redirect(plain.url), { certificate: "good" });
    const start = await startWebServer(() => redirect(secure.url));
    const http = await createClient({ caFile: TEST_CA_FILE });
    expect(await outcome(http, request(secure.url))).toBe("error: A redirect leads from https to http");
    expect(plain.requests).toEqual([]);
    expect(await outcome(http, request(start.url))).toBe("200 plain");
  });

  test.each(["", "no url", "ftp://www.example.com/", "file:///etc/passwd"])(
    "asks no server about %j",
    async (url) => {
      expect(await outcome(await createClient(), request(url))).toBe(
        "error: This is not an http: or https: URL",
      );
    },
  );
});
