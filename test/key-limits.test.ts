import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type KeyOptions, NO_LIMITS } from "../src/accounts/key-options.ts";
import { openPage } from "./dashboard.ts";
import { startTestService, type TestAccount, type TestRequest, type TestService } from "./service.ts";

const PROXY = "127.0.7.1";

let service: TestService;
beforeAll(async () => {
  service = await startTestService({
    file: { server: { trust_proxy: [`${PROXY}/32`] } },
  });
});
afterAll(() => service.close());

const limited = async (options: Partial<KeyOptions>, wish: { plan?: string } = {}) => {
  const account = await service.openAccount(wish);
  const [first] = await service.accounts.listKeys({ email: account.email });
  await service.accounts.updateKey(first?.id ?? "", { ...NO_LIMITS, ...options });
  return account;
};

const lookUp = (account: TestAccount, more: Partial<TestRequest> = {}) =>
  service.call({ path: "/api/check-ip", key: account.key, body: { ip: "8.8.8.8" }, ...more });

const callsOf = async ({ id }: TestAccount) =>
  service.db.kysely.selectFrom("calls").selectAll().where("account_id", "=", id).execute();

describe("a key limited to networks", () => {
  test("is good from them alone, and the refusal names the address", async () => {
    const account = await limited({ networks: ["127.0.8.0/30", "2001:db8::/32"] });
    expect((await lookUp(account, { from: "127.0.8.3" })).status).toBe(200);
    const refused = await lookUp(account, { from: "127.0.8.4" });
    expect(refused.status).toBe(403);
    expect(refused.of("errors", "0")).toEqual({
      code: "FORBIDDEN",
      message: "This API key may not be used from 127.0.8.4",
      field: null,
      details: { client_address: "127.0.8.4" },
    });
    expect(refused.headers["x-ratelimit-limit"]).toBeUndefined();
  });

  test.each([
    ["2001:db8::9", 200, "an address of version 6"],
    ["2001:db9::9", 403, "one beside it"],
    ["::ffff:127.0.8.2", 200, "a mapped one"],
    ["127.0.8.2, 203.0.113.9", 403, "the last untrusted hop counts, not what the caller wrote before it"],
    ["203.0.113.9, 127.0.8.2", 200, "the same the other way round"],
    ["nonsense", 403, "the proxy itself when nothing can be read"],
  ])("behind a proxy that says %s: %s (%s)", async (forwarded, status) => {
    const account = await limited({ networks: ["127.0.8.0/30", "2001:db8::/32"] });
    const headers = { "x-forwarded-for": forwarded };
    expect((await lookUp(account, { from: PROXY, headers })).status).toBe(status);
    // A stranger's header counts for nothing.
    expect((await lookUp(account, { from: "127.0.9.9", headers })).status).toBe(403);
  });

  test("asks for its subscription from an allowed network alone", async () => {
    const account = await limited({ networks: ["127.0.8.1/32"], products: ["whois-lookup"] });
    const ask = (from: string) =>
      service.call({ method: "GET", path: "/api/account/subscription", key: account.key, from });
    expect((await ask("127.0.8.1")).status).toBe(200);
    expect((await ask("127.0.8.2")).status).toBe(403);
  });
});

describe("a key limited to products", () => {
  test("is good for them, single and bulk, and for no other", async () => {
    const account = await limited({ products: ["check-ip", "email-reputation"] });
    expect((await lookUp(account)).status).toBe(200);
    const bulk = await service.call({
      path: "/api/bulk/check-ip",
      key: account.key,
      body: { ips: ["8.8.8.8"] },
    });
    expect(bulk.status).toBe(200);
    for (const product of ["domain-reputation", "bulk/domain-reputation"]) {
      const refused = await service.call({
        path: `/api/${product}`,
        key: account.key,
        body: { domain: "example.com" },
      });
      expect([refused.status, refused.of("errors", "0")]).toMatchObject([
        403,
        { code: "FORBIDDEN", message: "This API key may not be used for domain-reputation" },
      ]);
    }
    expect((await service.call({ path: "/api/whois-lookup", key: account.key, body: {} })).status).toBe(403);
  });
});

describe("the order of refusals", () => {
  test("404 and 405 before, then 401, then 403, and only then limits, body and balance", async () => {
    const account = await limited({ networks: ["127.0.8.1/32"], expiresAt: null }, { plan: "Free" });
    const { email } = account;
    expect((await lookUp(account, { path: "/api/nothing" })).status).toBe(404);
    expect((await lookUp(account, { method: "GET", body: undefined })).status).toBe(405);
    for (const body of ["{", "[]", "x".repeat(2_000_000)]) {
      expect((await lookUp(account, { body, headers: { "content-type": "text/plain" } })).status).toBe(403);
    }
    await service.accounts.setCredits({ email, credits: 0 });
    // Free has one call a second in flight and two starts: none of these takes a place of them.
    const many = await Promise.all(Array.from({ length: 20 }, () => lookUp(account)));
    expect(new Set(many.map(({ status }) => status))).toEqual(new Set([403]));
    expect((await lookUp(account, { from: "127.0.8.1" })).status).toBe(402);
    expect(await service.balanceOf(account)).toBe(0);
    const rows = await callsOf(account);
    expect(rows.filter(({ status }) => status === 403)).toEqual([]);
    const [key] = await service.accounts.listKeys({ email });
    await service.accounts.revokeKey(key?.id ?? "");
    expect((await lookUp(account)).status).toBe(401);
  });

  test("an expired key is refused as any other dead one", async () => {
    const account = await limited({});
    const [key] = await service.accounts.listKeys({ email: account.email });
    await service.accounts.updateKey(key?.id ?? "", { expiresAt: new Date(0), networks: ["192.0.2.1/32"] });
    const expired = await lookUp(account);
    const unknown = await lookUp({ ...account, key: "nothing" });
    expect([expired.status, expired.of("errors")]).toEqual([401, unknown.of("errors")]);
    expect(expired.headers["www-authenticate"]).toBe("ApiKey");
  });
});

describe("signing in by a limited key", () => {
  const signIn = (key: string, from: string) =>
    openPage(service, from).call("POST", "/sign-in", { api_key: key });

  test("is refused from a network that it does not allow, and for a key of some products", async () => {
    const near = await limited({ networks: ["127.0.8.1/32"] });
    expect((await signIn(near.key, "127.0.8.1")).status).toBe(200);
    const refused = await signIn(near.key, "127.0.8.2");
    expect([refused.status, refused.of("errors", "0", "code")]).toEqual([403, "FORBIDDEN"]);
    const some = await limited({ products: ["check-ip"] });
    expect((await signIn(some.key, "127.0.8.1")).status).toBe(403);
  });

  test("opens a session that ends with the key", async () => {
    const expiresAt = new Date(Date.now() + 3_600_000);
    const account = await limited({ expiresAt });
    await signIn(account.key, "127.0.8.1");
    const sessions = () =>
      service.db.kysely
        .selectFrom("sessions")
        .select("expires_at")
        .where("account_id", "=", account.id)
        .execute();
    expect(await sessions()).toEqual([{ expires_at: expiresAt.getTime() }]);
    const [key] = await service.accounts.listKeys({ email: account.email });
    const { old } = await service.accounts.rollKey(key?.id ?? "", { overlapMs: 60_000 });
    expect(await sessions()).toEqual([{ expires_at: old.options.expiresAt?.getTime() }]);
  });

  test.each<[string, Partial<KeyOptions>, readonly number[]]>([
    ["another network", { networks: ["127.0.9.0/24"] }, [401, 401]],
    ["a network that one of them came from", { networks: ["127.0.8.1/32"] }, [200, 401]],
    ["some products", { products: ["check-ip"] }, [401, 401]],
    ["the networks of both", { networks: ["127.0.8.0/30"] }, [200, 200]],
    ["a later end", { expiresAt: new Date(Date.now() + 3_600_000) }, [200, 200]],
  ])(
    "a key that is limited to %s ends the sessions that it could not open any more",
    async (_name, options, left) => {
      const account = await service.openAccount();
      const pages = ["127.0.8.1", "127.0.8.2"].map((from) => openPage(service, from));
      for (const page of pages) await page.call("POST", "/sign-in", { api_key: account.key });
      const [key] = await service.accounts.listKeys({ email: account.email });
      await service.accounts.updateKey(key?.id ?? "", options);
      const answers = await Promise.all(pages.map((page) => page.call("GET", "/overview")));
      expect(answers.map(({ status }) => status)).toEqual(left);
    },
  );
});
