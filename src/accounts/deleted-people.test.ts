import { expect, test } from "vitest";
import { forEachDatabase } from "../../test/databases.ts";
import { startLedger } from "../../test/ledger-setting.ts";
import { systemRandom } from "../base/clock.ts";
import { writeAudit } from "./audit.ts";
import { deleteAccount } from "./delete-account.ts";
import { insertPersonRow, type Person, personFromRow } from "./people.ts";
import { deletePersonRows } from "./person-rows.ts";

// What is left of the people of an account that is deleted, those of before and those who were elsewhere before.

const NAMELESS = "deleted account";

forEachDatabase((_dialect, database) => {
  const start = async () => {
    const setting = await startLedger(database);
    const { db, clock, accounts } = setting;
    const deps = { db, clock, random: systemRandom };
    const rules = { mayCollect: () => false, owners: [] };
    return {
      ...setting,
      remove: (email: string) => deleteAccount({ email, actor: "cli" }, rules, deps),
      /** A new person of an account, who makes a key there a second later. */
      actAs: async (accountId: string, email: string, id: string): Promise<Person> => {
        clock.advance(1000);
        const createdAt = clock.now().getTime();
        const row = {
          id,
          account_id: accountId,
          email,
          role: "member",
          is_invited: 1,
          created_at: createdAt,
        };
        await db.kysely.transaction().execute((trx) => insertPersonRow(trx, row));
        clock.advance(1000);
        const entry = { actor: email, action: "key.create" as const, accountId, detail: { name: email } };
        await writeAudit(db.kysely, { ...entry, keyId: "a key" }, deps);
        return personFromRow(row);
      },
      moveOut: async (person: Person) => {
        await db.kysely.transaction().execute((trx) => deletePersonRows(trx, person));
        clock.advance(1000);
      },
      actorsOf: async (accountId: string, action = "key.create") =>
        (await accounts.listAudit({ limit: 99 }))
          .filter((row) => row.accountId === accountId && row.action === action)
          .map(({ actor }) => actor),
    };
  };

  test("the audit log names none of them, wherever they are now; operators and programs stay", async () => {
    const { accounts, db, clock, remove, actAs, moveOut, actorsOf } = await start();
    const { id } = await accounts.createAccount({ email: "goes@example.com" });
    const other = await accounts.createAccount({ email: "stays@example.com" });
    await moveOut(await actAs(id, "gone@example.com", "gone"));
    await moveOut(await actAs(id, "moved@example.com", "moved before"));
    await actAs(other.id, "moved@example.com", "moved");
    await actAs(id, "member@example.com", "member");
    clock.advance(1000);
    await accounts.setPlan({ email: "goes@example.com", plan: "Pro", actor: "stays@example.com" });
    await remove("goes@example.com");
    expect(await actorsOf(id)).toEqual([NAMELESS, NAMELESS, NAMELESS]);
    expect(await actorsOf(id, "account.set_plan")).toEqual(["stays@example.com"]);
    expect(await actorsOf(id, "account.delete")).toEqual(["cli"]);
    expect(await actorsOf(other.id)).toEqual(["moved@example.com"]);
    const rows = await db.kysely.selectFrom("audit").selectAll().where("account_id", "=", id).execute();
    expect(rows.map(({ key_id }) => key_id)).toEqual(rows.map(() => null));
  });

  test("the log of an account that they were in before tells who did what, and not what they did to it since", async () => {
    const { accounts, clock, remove, actAs, moveOut, actorsOf } = await start();
    const { id } = await accounts.createAccount({ email: "former@example.com" });
    await moveOut(await actAs(id, "leaver@example.com", "leaver"));
    await accounts.createAccount({ email: "leaver@example.com" });
    clock.advance(1000);
    await accounts.setPlan({ email: "former@example.com", plan: "Pro", actor: "leaver@example.com" });
    await remove("leaver@example.com");
    expect(await actorsOf(id)).toEqual(["leaver@example.com"]);
    expect(await actorsOf(id, "account.set_plan")).toEqual([NAMELESS]);
  });

  test("no attempt is counted by the id of the account or of one of them, whatever it was of", async () => {
    const { accounts, db, remove, actAs } = await start();
    const { id } = await accounts.createAccount({ email: "counted@example.com" });
    const stays = await accounts.createAccount({ email: "counts@example.com" });
    await actAs(id, "colleague@example.com", "colleague");
    const counts = ["export", "invite", "signed in", "reset code", "whatever comes"];
    const subjects = [id, "colleague", stays.id].flatMap((one) => counts.map((count) => `${count} ${one}`));
    const rows = subjects.map((subject) => ({ id: "one", subject, at: 1 }));
    await db.kysely.insertInto("sign_in_attempts").values(rows).execute();
    await remove("counted@example.com");
    const left = await db.kysely.selectFrom("sign_in_attempts").select("subject").execute();
    expect(new Set(left.map(({ subject }) => subject))).toEqual(
      new Set(counts.map((count) => `${count} ${stays.id}`)),
    );
  });
});
