import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { generateKey, generateToken } from "../src/accounts/keys.ts";
import { systemRandom } from "../src/base/clock.ts";
import { actionOf, askServer, type GateQuestion } from "./gate-client.ts";
import { type GateWorld, startGateWorld, VISITORS } from "./gate-world.ts";

const PROXY = "127.0.7.1";

let world: GateWorld;
beforeAll(async () => {
  world = await startGateWorld({
    file: { server: { trust_proxy: ["127.0.0.1/32", `${PROXY}/32`] }, gate: { per_second: 100_000 } },
  });
});
afterAll(() => world.close());

const ask = ({ headers = {}, ...more }: Partial<GateQuestion> = {}) =>
  askServer({ port: world.service.port, headers: { "x-api-key": world.token, ...headers }, ...more });
const about = (ip: string, policy = "edge") => ask({ path: `/api/gate?policy=${policy}&ip=${ip}` });

describe("the gate", () => {
  test.each([
    [VISITORS.blocked, "edge", "403 block", "90", "critical", "own_c2"],
    [VISITORS.blockedV6, "edge", "403 block", "90", "critical", "own_c2"],
    [VISITORS.challenged, "edge", "200 challenge", "60", "elevated", "own_attack"],
    [VISITORS.challenged, "strict", "403 block", "60", "elevated", "own_attack"],
    [VISITORS.spam, "edge", "200 allow", "45", "suspicious", ""],
    [VISITORS.saved, "edge", "200 allow", "9", "low", "allowlisted"],
    [VISITORS.clean, "strict", "200 allow", "0", "clean", ""],
    ["10.0.0.9", "strict", "200 allow", "0", "clean", "not_applicable"],
    [`::ffff:${VISITORS.blocked}`, "edge", "403 block", "90", "critical", "own_c2"],
  ])("%s by %s: %s", async (ip, policy, action, score, band, because) => {
    const answer = await about(ip, policy);
    expect(actionOf(answer)).toBe(action);
    expect(answer.headers).toMatchObject({
      "x-repute-policy": policy,
      "x-repute-score": score,
      "x-repute-band": band,
      "x-repute-because": because,
      "x-repute-data-age": expect.stringMatching(/^\d+$/),
      "cache-control": "private, max-age=30",
      "x-content-type-options": "nosniff",
      "x-request-id": expect.stringMatching(/^[\w-]{36}$/),
    });
    expect(answer.headers["strict-transport-security"]).toBeUndefined();
  });

  test("tells a blocked visitor why in one line, and an allowed one nothing", async () => {
    const blocked = await ask({
      path: `/api/gate?ip=${VISITORS.blocked}`,
      headers: { "x-request-id": "visit-1" },
    });
    expect(blocked.text).toBe(
      `Access from ${VISITORS.blocked} is blocked here: this address is on lists of abuse. Reference: visit-1\n`,
    );
    expect(blocked.headers["content-type"]).toBe("text/plain; charset=utf-8");
    expect((await about(VISITORS.clean)).text).toBe("");
  });

  test.each(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"])(
    "takes %s, and anything below its path, whose query is the visitor's",
    async (method) => {
      const headers = { "x-real-ip": VISITORS.blocked };
      for (const path of [
        "/api/gate",
        "/api/gate/",
        `/api/gate/shop/cart?ip=${VISITORS.clean}&policy=nope`,
        "/api/gate/../../etc/passwd",
        "/api/gate/%zz%00?ip=%",
        `/api/gate/${"long/".repeat(1500)}`,
      ])
        expect([path.slice(0, 40), actionOf(await ask({ method, path, headers }))]).toEqual([
          path.slice(0, 40),
          "403 block",
        ]);
    },
  );

  test("reads no body", async () => {
    const headers = { "content-type": "text/plain", "x-real-ip": VISITORS.clean };
    for (const body of ["{", "x".repeat(3_000_000)])
      expect(actionOf(await ask({ method: "POST", headers, body }))).toBe("200 allow");
    expect(actionOf(await about(VISITORS.blocked))).toBe("403 block");
  });

  test.each([
    ["/api/gatekeeper", 404],
    ["/api/gat", 404],
    ["/api/Gate", 404],
  ])("%s is none of its paths", async (path, status) => {
    expect((await ask({ path })).status).toBe(status);
  });
});

describe("the visitor's address", () => {
  test.each([
    [
      "X-Real-IP goes before X-Forwarded-For",
      "",
      { "x-real-ip": VISITORS.blocked, "x-forwarded-for": VISITORS.clean },
      "403 block",
    ],
    ["?ip= goes before both", `?ip=${VISITORS.clean}`, { "x-real-ip": VISITORS.blocked }, "200 allow"],
    [
      "the right-most untrusted one counts",
      "",
      { "x-forwarded-for": `${VISITORS.blocked}, ${VISITORS.clean}` },
      "200 allow",
    ],
    [
      "the same the other way round",
      "",
      { "x-forwarded-for": `${VISITORS.clean}, ${VISITORS.blocked}` },
      "403 block",
    ],
    ["with a port", "", { "x-forwarded-for": `${VISITORS.blocked}:4711` }, "403 block"],
    ["IPv6 with a port", "", { "x-forwarded-for": `[${VISITORS.blockedV6}]:4711` }, "403 block"],
    ["IPv6 in brackets", "", { "x-forwarded-for": `[${VISITORS.blockedV6}]` }, "403 block"],
    ["IPv6 without", "", { "x-forwarded-for": VISITORS.blockedV6 }, "403 block"],
    ["IPv4 as IPv6", `?ip=::ffff:${VISITORS.blocked}`, {}, "403 block"],
    ["IPv4 as IPv6 with a port", "", { "x-forwarded-for": `[::ffff:${VISITORS.blocked}]:4711` }, "403 block"],
    ["a port that is none", "", { "x-forwarded-for": `${VISITORS.blocked}:http` }, "422"],
    ["trusted ones are passed over", "", { "x-forwarded-for": `${VISITORS.blocked}, ${PROXY}` }, "403 block"],
    ["all trusted: the first of them", "", { "x-forwarded-for": `127.0.0.1, ${PROXY}` }, "200 allow"],
    [
      "a text that is not an address is never passed over",
      "",
      { "x-forwarded-for": `${VISITORS.blocked}, nonsense` },
      "422",
    ],
    ["nor an empty one", "", { "x-forwarded-for": "" }, "422"],
    ["a wrong X-Real-IP", "", { "x-real-ip": "nonsense" }, "422"],
    ["two of them", "?ip=8.8.8.8&ip=9.9.9.9", {}, "422"],
    ["a wrong ?ip=", "?ip=45.45.45", {}, "422"],
    ["none at all", "", {}, "422"],
    ["an unknown policy", `?ip=${VISITORS.clean}&policy=nope`, {}, "422"],
    ["a misspelt name", `?ip=${VISITORS.clean}&polcy=strict`, {}, "422"],
    ["a name in other letters", `?ip=${VISITORS.clean}&Policy=strict`, {}, "422"],
    ["a name beside the address of a header", "?utm_source=x", { "x-real-ip": VISITORS.clean }, "422"],
    ["the address misspelt", `?addr=${VISITORS.clean}`, { "x-real-ip": VISITORS.blocked }, "422"],
  ])("%s", async (_why, query, headers, action) => {
    expect(actionOf(await ask({ path: `/api/gate${query}`, headers, from: PROXY }))).toBe(action);
  });

  // The requests that their manuals and sources describe: Debian has neither program.
  test.each([
    [
      "Envoy's ext_authz appends the visitor's path, and sends his Authorization and his method along",
      { method: "POST", path: `/api/gate/login?ip=${VISITORS.clean}&policy=two` },
      { authorization: "Basic dmlzaXRvcjpzZWNyZXQ=", "content-length": "0", host: "example.com" },
    ],
    [
      "Traefik's forwardAuth says how and for what it was asked",
      { path: "/api/gate?policy=edge" },
      { "x-forwarded-method": "POST", "x-forwarded-host": "example.com", "x-forwarded-uri": "/?ip=8.8.8.8" },
    ],
  ])("%s", async (_proxy, question, more) => {
    const said = async (list: string) =>
      actionOf(await ask({ ...question, headers: { ...more, "x-forwarded-for": list }, from: PROXY }));
    const [listed, clean] = [VISITORS.blocked, VISITORS.clean];
    expect([await said(listed), await said(clean)]).toEqual(["403 block", "200 allow"]);
    // What a visitor made up stands before his address, and proxies between behind it.
    expect([await said(`${clean}, ${listed}`), await said(`${listed}, ${clean}, ${PROXY}`)]).toEqual([
      "403 block",
      "200 allow",
    ]);
  });

  test.each([
    [`?ip=${VISITORS.clean}`, {}],
    ["", { "x-real-ip": VISITORS.clean }],
    ["", { "x-forwarded-for": VISITORS.clean }],
  ])("is told by trusted peers alone: %s %j", async (query, headers) => {
    const answer = await ask({ path: `/api/gate${query}`, headers, from: "127.0.9.9" });
    expect(answer.status).toBe(422);
    expect(JSON.parse(answer.text).detail[0].msg).toBe(
      "The gate is told addresses by the networks of server.trust_proxy alone, and 127.0.9.9 is in none of them",
    );
    // The visitors see an error of the proxy's own.
    expect(world.service.logged()).toMatch(
      /"proxy":"127\.0\.9\.9","detail":"server\.trust_proxy does not name this proxy"/,
    );
  });

  test("is the peer's where nothing is told", async () => {
    expect(actionOf(await ask({ from: "127.0.9.9" }))).toBe("200 allow");
  });
});

describe("the gate's token", () => {
  const path = `/api/gate?ip=${VISITORS.blocked}`;
  const basic = (user: string, token: string) => ({
    authorization: `Basic ${Buffer.from(`${user}:${token}`).toString("base64")}`,
  });
  const send = (headers: Readonly<Record<string, string>>) =>
    askServer({ port: world.service.port, path, headers });

  test("is taken as X-API-Key, Bearer and the password of Basic, whatever the user", async () => {
    const { token } = world;
    for (const headers of [
      { "x-api-key": token },
      { authorization: `Bearer ${token}` },
      basic("", token),
      basic("me:", token).authorization === "" ? {} : basic("me", token),
    ])
      expect(actionOf(await send(headers))).toBe("403 block");
  });

  test.each([
    [
      "none",
      () => ({}),
      "Send an access token (rpx_…) as X-API-Key, Bearer or Basic password; make one with: repute token create --scope gate",
    ],
    [
      "an API key",
      () => ({ "x-api-key": world.account.key }),
      "This is an API key, for lookups; here an access token (rpx_…) is needed, made with: repute token create --scope gate",
    ],
    ["an API key as password", () => basic("x", world.account.key), "This is an API key"],
    [
      "another service's key",
      () => ({ "x-api-key": generateKey(systemRandom).replace("rpt_", "sk_") }),
      "Unknown, expired or revoked access token",
    ],
    [
      "an unknown one",
      () => ({ "x-api-key": generateToken(systemRandom) }),
      "Unknown, expired or revoked access token",
    ],
    [
      "Basic without a colon",
      () => ({ authorization: `Basic ${Buffer.from("abc").toString("base64")}` }),
      "Send an access token",
    ],
  ])("%s: 401 in words, never a 403", async (_, headersOf, says) => {
    const answer = await send(headersOf());
    expect([answer.status, answer.headers["www-authenticate"]]).toEqual([401, "ApiKey"]);
    expect(JSON.parse(answer.text).errors[0].message).toContain(says);
  });

  test("of another scope, or from another network, is a 401 as well", async () => {
    const { email } = world.account;
    const { accounts } = world.service;
    const other = await accounts.createToken({ email, scopes: ["decisions", "exports:edge"] });
    const elsewhere = await accounts.createToken({ email, scopes: ["gate"], networks: ["192.0.2.0/24"] });
    const here = await accounts.createToken({ email, scopes: ["gate"], networks: ["127.0.0.1/32"] });
    const refused = await send({ "x-api-key": other.text });
    expect([refused.status, JSON.parse(refused.text).errors[0].message]).toEqual([
      401,
      'This access token has no scope "gate", but: decisions, exports:edge',
    ]);
    // The network is the proxy's, whatever visitor it names.
    const headers = { "x-api-key": elsewhere.text, "x-real-ip": "192.0.2.7" };
    expect((await askServer({ port: world.service.port, headers })).status).toBe(401);
    expect(actionOf(await send({ "x-api-key": here.text }))).toBe("403 block");
  });

  test("is refused from the next question on when it is revoked", async () => {
    const { accounts } = world.service;
    const { text, token } = await accounts.createToken({ email: world.account.email, scopes: ["gate"] });
    expect(actionOf(await send({ "x-api-key": text }))).toBe("403 block");
    await accounts.revokeToken(token.id);
    expect((await send({ "x-api-key": text })).status).toBe(401);
  });

  test("costs no credits, and leaves no row and no trace of itself", async () => {
    const before = await world.service.balanceOf(world.account);
    const rows = async () => (await world.service.db.kysely.selectFrom("calls").selectAll().execute()).length;
    const calls = await rows();
    for (let i = 0; i < 50; i++) await send({ "x-api-key": world.token });
    expect([await world.service.balanceOf(world.account), await rows()]).toEqual([before, calls]);
    expect(world.service.logged()).not.toContain(world.token.slice(12));
  });
});
