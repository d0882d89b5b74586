import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { keyPage, openPage, personPage } from "./dashboard.ts";
import { startTestService, type TestAccount, type TestService } from "./service.ts";

let service: TestService;
let account: TestAccount;
beforeAll(async () => {
  service = await startTestService({ file: { dashboard: { signup: "open" } } });
  account = await service.openAccount();
});
afterAll(() => service.close());

const STRANGE = { host: "evil.example:8080" };

describe("a name that is not configured", () => {
  test.each(["/", "/tools/ip", "/tools/ip/8.8.8.8", "/lookup?q=8.8.8.8", "/pricing", "/status", "/app"])(
    "opens no page: %s",
    async (path) => {
      const refused = await askPage(service.port, path, STRANGE.host);
      expect(refused).toMatch(/^HTTP\/1.1 421 /);
      expect(refused).toContain("server.public_url");
      for (const host of ["localhost:1", "127.0.0.1", "[::1]:99"]) {
        expect(await askPage(service.port, path, host)).toMatch(/^HTTP\/1.1 [235]0\d /);
      }
    },
  );

  test("does not reach the interface of the pages, nor the subscription by a session", async () => {
    const page = await personPage(service, account.id, "127.0.11.1");
    const headers = { ...STRANGE, origin: "http://evil.example:8080" };
    expect((await page.call("GET", "/session", undefined, { headers })).status).toBe(421);
    expect((await page.call("POST", "/sign-in", { api_key: account.key }, { headers })).status).toBe(421);
    expect((await page.call("POST", "/keys", { name: "x" }, { headers })).status).toBe(421);
    const path = "/api/account/subscription";
    expect((await page.call("GET", path, undefined, { headers })).status).toBe(401);
    expect((await page.call("GET", path)).status).toBe(200);
  });

  test("is no matter to calls with a key, to the free tools and to the banner", async () => {
    const { key } = account;
    const calls = [
      { path: "/api/check-ip", key, body: { ip: "8.8.8.8" }, headers: STRANGE },
      { path: "/api/free/check-ip", body: { ip: "8.8.8.8" }, headers: STRANGE, from: "127.0.11.2" },
      { method: "GET", path: "/api/account/subscription", key, headers: STRANGE },
      { method: "GET", path: "/", headers: STRANGE },
      { method: "GET", path: "/api/health", headers: STRANGE },
      { method: "GET", path: "/openapi.json", headers: STRANGE },
    ];
    for (const call of calls)
      expect([call.path, (await service.call(call)).status]).toEqual([call.path, 200]);
  });
});

describe("planted cookies", () => {
  const planted = (count: number, letter: string) =>
    Array.from(
      { length: count },
      (_, i) => `repute_session=${letter.repeat(40)}${String(i).padStart(3, "0")}`,
    );

  test.each([
    ["one before", planted(1, "A"), []],
    ["one after", [], planted(1, "A")],
    ["as many as a header holds", planted(130, "A"), planted(130, "B")],
    ["of no shape", ["repute_session=", "repute_session=x", "repute_session"], ["repute_session=%00"]],
  ])("%s lock no account out", async (_what, before, after) => {
    const page = await keyPage(service, account.key, "127.0.11.3");
    const cookie = [...before, page.cookie(), ...after].join("; ");
    expect((await page.call("GET", "/overview", undefined, { headers: { cookie } })).status).toBe(200);
    const out = await page.call("POST", "/sign-out", undefined, { headers: { cookie } });
    expect(out.status).toBe(200);
    expect((await page.call("GET", "/overview", undefined, { headers: { cookie } })).status).toBe(401);
  });

  test("of two sessions the one changes something whose CSRF token came along", async () => {
    const other = await service.openAccount();
    const mine = await personPage(service, account.id, "127.0.11.4");
    const theirs = await personPage(service, other.id, "127.0.11.5");
    for (const cookie of [`${mine.cookie()}; ${theirs.cookie()}`, `${theirs.cookie()}; ${mine.cookie()}`]) {
      const made = await mine.call("POST", "/keys", { name: "mine" }, { headers: { cookie } });
      expect(made.status).toBe(200);
    }
    const keys = JSON.parse((await theirs.call("GET", "/keys")).text).data.keys;
    expect(keys.map(({ name }: { name: string }) => name)).toEqual(["default"]);
  });
});

describe("Strict-Transport-Security", () => {
  test("stands on every answer where the operator's address is https, and nowhere else", async () => {
    const secure = await startTestService({ file: { server: { public_url: "https://repute.example" } } });
    try {
      const { key } = await secure.openAccount();
      const calls = [
        { path: "/api/check-ip", key, body: { ip: "8.8.8.8" } },
        { path: "/api/check-ip", body: { ip: "8.8.8.8" } },
        { path: "/api/free/check-ip", body: { ip: "8.8.8.8" } },
        { method: "GET", path: "/" },
        { method: "GET", path: "/nothing" },
        { method: "GET", path: "/api/dashboard/session" },
        { method: "OPTIONS", path: "/api/check-ip" },
        { method: "GET", path: "/openapi.json" },
      ];
      for (const call of calls) {
        const header = (await secure.call(call)).headers["strict-transport-security"];
        expect([call.path, header]).toEqual([call.path, "max-age=31536000"]);
        expect((await service.call(call)).headers["strict-transport-security"]).toBeUndefined();
      }
      const header = /\r\nStrict-Transport-Security: max-age=31536000\r\n/i;
      expect(await say(secure.port, "NONSENSE\r\n\r\n")).toMatch(header);
      expect(await say(service.port, "NONSENSE\r\n\r\n")).not.toMatch(header);
      for (const path of ["/", "/nothing", "/app"]) {
        expect(await askPage(secure.port, path, "repute.example")).toMatch(header);
      }
    } finally {
      await secure.close();
    }
  });
});

/** A page as a browser asks for it. */
const askPage = (port: number, path: string, host: string): Promise<string> =>
  say(port, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAccept: text/html\r\nConnection: close\r\n\r\n`);

/** What the service answers until it closes the connection. */
function say(port: number, octets: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const socket = connect({ port, host: "127.0.0.1" }, () => socket.write(octets));
  let text = "";
  socket.setEncoding("utf8");
  socket.on("data", (piece: string) => {
    text += piece;
  });
  socket.on("end", () => resolve(text));
  socket.on("error", reject);
  return promise;
}

describe("the link of the first start", () => {
  test("is printed once, sets the owner's password once, and stands nowhere else", async () => {
    const first = await startTestService({ bootstrap: true });
    try {
      const links =
        first.printed.join("\n").match(/http:\/\/[\w.:]+\/app\/reset#token=([\w-]{43})(?= )/g) ?? [];
      expect(links).toHaveLength(1);
      const token = links[0]?.split("#token=")[1] ?? "";
      expect(links[0]).toBe(`${first.address}/app/reset#token=${token}`);
      const stored = await first.db.kysely.selectFrom("reset_tokens").selectAll().execute();
      expect(stored).toHaveLength(1);
      expect(JSON.stringify(stored)).not.toContain(token);
      expect(first.logged()).not.toContain(token);
      const page = openPage(first, "127.0.11.6");
      const wish = { token, new_password: "a long enough password" };
      expect((await page.call("POST", "/password/reset", wish)).status).toBe(200);
      expect((await page.call("GET", "/admin/accounts")).status).toBe(200);
      expect((await openPage(first, "127.0.11.7").call("POST", "/password/reset", wish)).status).toBe(422);
      const again = await startTestService({ bootstrap: true, dataDir: first.dataDir });
      expect(again.printed.join("\n")).not.toContain("#token=");
      await again.close();
    } finally {
      await first.close();
    }
  });
});
