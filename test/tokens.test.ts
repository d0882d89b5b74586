import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRunner, expectFailure, expectNarrow } from "./cli-runner.ts";
import { openPage, type Page, personPage } from "./dashboard.ts";
import { startTestService, type TestAccount, type TestService } from "./service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const owner = async (from: string): Promise<{ account: TestAccount; page: Page }> => {
  const account = await service.openAccount();
  await service.accounts.setOwner({ email: account.email, isOwner: true });
  return { account, page: await personPage(service, account.id, from) };
};

describe("a token at a lookup", () => {
  test.each([
    ["X-API-Key", (token: string) => ({ "x-api-key": token })],
    ["Bearer", (token: string) => ({ authorization: `Bearer ${token}` })],
  ])("is refused in words, as %s", async (_, headersOf) => {
    const account = await service.openAccount();
    const { text } = await service.accounts.createToken({ email: account.email, scopes: ["gate"] });
    for (const path of ["/api/check-ip", "/api/bulk/check-ip"]) {
      const answer = await service.call({ path, headers: headersOf(text), body: { ip: "8.8.8.8" } });
      expect([answer.status, answer.of("errors", "0", "message")]).toEqual([
        401,
        "This is an access token, for exports, decisions and the gate; lookups take an API key (rpt_…)",
      ]);
    }
    expect(await service.balanceOf(account)).toBe(await service.balanceOf(await service.openAccount()));
  });
});

describe("tokens on the pages", () => {
  test("are made by owners, shown once, listed without themselves and revoked at once", async () => {
    const { account, page } = await owner("127.0.11.1");
    const input = {
      name: "edge",
      scopes: ["gate", "exports:edge"],
      expires_at: "90d",
      networks: ["192.0.2.0/24"],
    };
    const made = await page.call("POST", "/tokens", input);
    expect(made.status).toBe(200);
    const text = String(made.of("data", "token"));
    expect(text).toMatch(/^rpx_[0-9A-Za-z]{43}$/);
    const listed = await page.call("GET", "/tokens");
    expect(listed.of("data")).toMatchObject({
      may_create: true,
      tokens: [
        {
          name: "edge",
          state: "active",
          scopes: ["gate", "exports:edge"],
          networks: ["192.0.2.0/24"],
          prefix: text.slice(0, 12),
        },
      ],
    });
    expect(listed.text).not.toContain(text.slice(12));
    expect((await page.call("DELETE", `/tokens/${made.of("data", "id")}`)).status).toBe(200);
    expect((await service.accounts.listTokens({ email: account.email }))[0]?.state).toBe("revoked");
  });

  test.each([
    [
      { scopes: ["lookups"] },
      "scopes",
      'Unknown scope "lookups": known are gate, decisions and exports:NAME',
    ],
    [{ scopes: [] }, "scopes", "Name at least one scope: gate, decisions or exports:NAME"],
    [{ expires_at: "yesterday" }, "expires_at", "Expected a day"],
    [{ networks: ["192.0.2.1/24"] }, "networks", "192.0.2.1/24"],
  ])("%j is a 422 that names it", async (part, field, says) => {
    const { page } = await owner("127.0.11.2");
    const answer = await page.call("POST", "/tokens", { name: "x", scopes: ["gate"], ...part });
    expect([answer.status, answer.of("detail", "0", "loc")]).toEqual([422, ["body", field]]);
    expect(answer.text).toContain(JSON.stringify(says).slice(1, -1));
  });

  test("are made by no other account, which revokes those that it was given", async () => {
    const account = await service.openAccount();
    const page = await personPage(service, account.id, "127.0.11.3");
    expect((await page.call("POST", "/tokens", { name: "x", scopes: ["gate"] })).status).toBe(403);
    const { token } = await service.accounts.createToken({ email: account.email, scopes: ["gate"] });
    const other = await owner("127.0.11.4");
    expect((await other.page.call("DELETE", `/tokens/${token.id}`)).status).toBe(404);
    expect((await page.call("GET", "/tokens")).of("data", "may_create")).toBe(false);
    expect((await page.call("DELETE", `/tokens/${token.id}`)).status).toBe(200);
    expect((await openPage(service).call("GET", "/tokens")).status).toBe(401);
  });
});

describe("`repute token`", () => {
  const folder = mkdtempSync(join(tmpdir(), "repute-cli-tokens-"));
  const cli = createRunner(folder, { REPUTE_DATA_DIR: join(folder, "data") });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("makes a token of the only account, lists it and revokes it", async () => {
    await cli.json(["account", "create", "--email", "ann@example.com"]);
    const made = await cli.json([
      "token",
      "create",
      "--scope",
      "gate, exports:edge",
      "--networks",
      "192.0.2.0/24",
      "--expires",
      "90d",
    ]);
    expect(Object.keys(made)).toEqual(["id", "name", "prefix", "scopes", "token"]);
    expect(made).toMatchObject({ name: "default", scopes: ["gate", "exports:edge"] });
    expect(made.token).toMatch(/^rpx_\w{43}$/);
    expect(await cli.json(["token", "list"])).toMatchObject([
      {
        id: made.id,
        state: "active",
        scopes: ["gate", "exports:edge"],
        networks: ["192.0.2.0/24"],
        last_used_at: null,
      },
    ]);
    const shown = await cli.repute(["token", "list"]);
    expect(shown.out).toContain(made.prefix);
    expectNarrow(shown.out);
    expect((await cli.repute(["token", "revoke", made.prefix])).out).toBe(
      `Revoked ${made.prefix} (default)\n`,
    );
    expect(await cli.json(["token", "list"])).toMatchObject([{ state: "revoked" }]);
    await cli.json(["account", "create", "--email", "bob@example.com"]);
    expectFailure(
      await cli.repute(["token", "create", "--scope", "gate"]),
      2,
      "name the account with --account",
    );
    const elsewhere = join(folder, "elsewhere");
    const hint = `There are no accounts yet. Where a service runs, set REPUTE_DATA_DIR (here ${elsewhere}) as it has it`;
    expectFailure(
      await cli.repute(["token", "create", "--scope", "gate"], { REPUTE_DATA_DIR: elsewhere }),
      2,
      hint,
    );
    const missing = [
      ["key", "create", "--account", "ann@example.com"],
      ["key", "list", "--account", "ann@example.com"],
      ["key", "revoke", "rpk_unknown0"],
      ["token", "revoke", "rpx_unknown0"],
      ["account", "show", "ann@example.com"],
      ["account", "set-plan", "ann@example.com", "free"],
    ];
    for (const words of missing)
      expectFailure(await cli.repute(words, { REPUTE_DATA_DIR: elsewhere }), 1, hint);
    for (const words of [
      ["account", "list"],
      ["token", "list"],
    ])
      expect(await cli.repute(words, { REPUTE_DATA_DIR: elsewhere })).toMatchObject({
        status: 0,
        out: `${hint}\n`,
      });
    expectFailure(await cli.repute(["token", "create", "--scope", "lookups"]), 2, 'Unknown scope "lookups"');
    expectFailure(
      await cli.repute(["token", "revoke", "rpx_unknown0"]),
      1,
      'There is no token "rpx_unknown0"',
    );
  });
});
