import { describe, expect, test } from "vitest";
import { forEachDatabase } from "../../test/databases.ts";
import { createCaller, startLedger } from "../../test/ledger-setting.ts";
import { outcomeOf } from "../../test/sign-in-setting.ts";
import { systemRandom } from "../base/clock.ts";
import { readIp } from "../targets/ip.ts";
import { deleteAccount } from "./delete-account.ts";
import { generateKey, generateToken, hashKey, hasTokenShape, hasValidShape } from "./keys.ts";
import { createTokenReader } from "./token-reader.ts";
import type { TokenScope } from "./token-scopes.ts";

const silent = { warn: () => undefined };

forEachDatabase((_, database) => {
  const start = async () => {
    const setting = await startLedger(database);
    const monotonic = { ms: 0 };
    const clock = { ...setting.clock, monotonicMs: () => monotonic.ms };
    const reader = createTokenReader({ db: setting.db, clock, log: silent });
    const { email, account } = await createCaller(setting);
    const create = (scopes: readonly TokenScope[] = ["gate"], more = {}) =>
      setting.accounts.createToken({ email, scopes, ...more });
    return { ...setting, reader, monotonic, email, account, create };
  };

  describe("a token", () => {
    test("opens what its scopes name, from its networks, and is no key", async () => {
      const { create, reader, account, ledger } = await start();
      const { text, token } = await create(["gate", "exports:edge"], {
        networks: ["192.0.2.0/24"],
        name: "nginx",
      });
      expect(text).toMatch(/^rpx_[0-9A-Za-z]{43}$/);
      expect(token).toMatchObject({ name: "nginx", state: "active", scopes: ["gate", "exports:edge"] });
      const bearer = await reader.find(text);
      expect(bearer).toMatchObject({ tokenId: token.id, accountId: account.id, prefix: text.slice(0, 12) });
      expect([...(bearer?.scopes ?? [])]).toEqual(["gate", "exports:edge"]);
      expect(bearer?.allowsAddress(readIp("192.0.2.9"))).toBe(true);
      expect(bearer?.allowsAddress(readIp("192.0.3.9"))).toBe(false);
      expect(bearer?.allowsAddress(null)).toBe(false);
      expect(await ledger.findCaller(text)).toBeNull();
    });

    test("is stored as its hash alone", async () => {
      const { create, db } = await start();
      const { text } = await create();
      const rows = await db.kysely.selectFrom("access_tokens").selectAll().execute();
      expect(rows.map(({ hash }) => hash)).toEqual([hashKey(text)]);
      expect(JSON.stringify(rows)).not.toContain(text.slice(12));
    });

    test.each([
      ["malformed", () => "rpx_short"],
      ["unknown", () => generateToken(systemRandom)],
      ["a key", () => generateKey(systemRandom)],
    ])("that is %s is nothing", async (_, make) => {
      const { reader } = await start();
      expect(await reader.find(make())).toBeNull();
    });

    test("is refused by another process once it was revoked", async () => {
      const { create, accounts, clock } = await start();
      const other = await database.open(clock);
      const reader = createTokenReader({ db: other, clock, log: silent });
      const { text, token } = await create();
      expect(await reader.find(text)).not.toBeNull();
      expect(await reader.find(text)).not.toBeNull();
      expect(await accounts.revokeToken(token.prefix)).toMatchObject({ id: token.id, state: "revoked" });
      expect(await reader.find(text)).toBeNull();
      expect((await accounts.revokeToken(token.id)).state).toBe("revoked");
    });

    test.each(["disabled", "deleted"] as const)(
      "is refused by another process once its account was %s",
      async (what) => {
        const { create, accounts, account, clock, db } = await start();
        const reader = createTokenReader({ db: await database.open(clock), clock, log: silent });
        const { text } = await create();
        expect(await reader.find(text)).not.toBeNull();
        const ends = {
          disabled: () => accounts.setDisabled({ accountId: account.id, isDisabled: true }),
          deleted: () =>
            deleteAccount(
              { accountId: account.id, actor: "cli" },
              { mayCollect: () => false, owners: [] },
              { db, clock, random: systemRandom },
            ),
        };
        await ends[what]();
        expect(await reader.find(text)).toBeNull();
      },
    );

    test("is revoked by the whole of it, as where one was found that leaked", async () => {
      const { create, accounts, reader } = await start();
      const { text, token } = await create();
      const other = await create();
      expect(await outcomeOf(accounts.revokeToken(`${token.prefix}${other.text.slice(12)}`))).toBe(
        "NOT_FOUND",
      );
      expect(await accounts.revokeToken(text)).toMatchObject({ id: token.id, state: "revoked" });
      expect(await reader.find(text)).toBeNull();
      expect(await reader.find(other.text)).not.toBeNull();
    });

    test("ends with its expiry, and a clock set back revives it neither before nor after the upkeep", async () => {
      const { create, accounts, clock, reader } = await start();
      const expiresAt = new Date(clock.now().getTime() + 60_000);
      const { text, token } = await create(["gate"], { expiresAt });
      clock.advance(59_000);
      expect(await reader.find(text)).not.toBeNull();
      clock.advance(1000);
      expect(await reader.find(text)).toBeNull();
      clock.advance(-30_000);
      expect(await reader.find(text)).toBeNull();
      clock.advance(30_000);
      await accounts.endExpiredTokens();
      clock.advance(-30_000);
      const [listed] = await accounts.listTokens();
      expect(listed).toMatchObject({ id: token.id, state: "expired" });
    });

    test("is refused while its account is disabled, and goes with it when it is deleted", async () => {
      const { create, accounts, email, reader, monotonic } = await start();
      const { text } = await create();
      expect(await reader.find(text)).not.toBeNull();
      await accounts.setDisabled({ email, isDisabled: true });
      monotonic.ms += 1000;
      expect(await reader.find(text)).toBeNull();
      await accounts.setDisabled({ email, isDisabled: false });
      expect(await reader.find(text)).not.toBeNull();
    });

    test("shows when it was used last", async () => {
      const { create, accounts, reader, clock } = await start();
      const { text } = await create();
      await reader.find(text);
      await expect
        .poll(async () => (await accounts.listTokens())[0]?.lastUsedAt?.getTime())
        .toBe(clock.now().getTime());
    });

    test("leaves audit rows without itself", async () => {
      const { create, accounts, account } = await start();
      const { text, token } = await create(["exports:edge"], {
        networks: ["2001:db8::/32"],
        actor: "ann@example.com",
      });
      await accounts.revokeToken(token.id);
      const rows = await accounts.listAudit({ limit: 2 });
      expect(new Set(rows.map(({ action }) => action))).toEqual(new Set(["token.create", "token.revoke"]));
      for (const { accountId, detail } of rows) {
        expect(accountId).toBe(account.id);
        expect(detail).toMatchObject({
          prefix: token.prefix,
          scopes: "exports:edge",
          networks: "2001:db8::/32",
        });
      }
      expect(JSON.stringify(rows)).not.toContain(text.slice(12));
    });

    test("is revoked among its account's alone where one is named", async () => {
      const setting = await start();
      const { accounts, create } = setting;
      const other = await createCaller(setting);
      const { token } = await create();
      const by = { accountId: other.account.id };
      expect(await outcomeOf(accounts.revokeToken(token.id, by))).toBe("NOT_FOUND");
      expect(await accounts.listTokens({ email: other.email })).toEqual([]);
    });

    test("is refused as the hundred and first that works", async () => {
      const { create } = await start();
      const made = await Promise.all(Array.from({ length: 100 }, () => create()));
      expect(new Set(made.map(({ text }) => text)).size).toBe(100);
      expect(await outcomeOf(create())).toBe("VALIDATION");
    });
  });
});

test("keys and tokens differ by their beginning and have a checksum of their own", () => {
  const [key, token] = [generateKey(systemRandom), generateToken(systemRandom)];
  expect([hasValidShape(key), hasValidShape(token), hasTokenShape(key), hasTokenShape(token)]).toEqual([
    true,
    false,
    false,
    true,
  ]);
  expect(hasTokenShape(key.replace("rpt_", "rpx_"))).toBe(false);
});
