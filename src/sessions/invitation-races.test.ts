import type { Transaction } from "kysely";
import { expect, test } from "vitest";
import { forEachDatabase } from "../../test/databases.ts";
import { createMovableClock } from "../../test/movable-clock.ts";
import { newClient, openSessions } from "../../test/sign-in-setting.ts";
import { lockAccountRow } from "../accounts/account-rows.ts";
import { endSessions } from "../accounts/session-keys.ts";
import { systemClock, systemRandom } from "../base/clock.ts";
import type { Schema } from "../db/schema.ts";
import { issueResetToken } from "./reset.ts";

const PASSWORD = "correct horse battery";

type Change = (trx: Transaction<Schema>, accountId: string) => Promise<unknown>;

/** What another process does to an account while an invitation to it is being accepted. */
const CHANGES: Readonly<Record<string, Change>> = {
  "the account was disabled": (trx, id) =>
    trx.updateTable("accounts").set({ disabled_at: 1 }).where("id", "=", id).execute(),
  "the invitation was withdrawn": (trx, id) =>
    trx.deleteFrom("invitations").where("account_id", "=", id).execute(),
  "the invitation was replaced by one to another role": (trx, id) =>
    trx.updateTable("invitations").set({ token_hash: "another" }).where("account_id", "=", id).execute(),
};

forEachDatabase((_dialect, database) => {
  test.each(Object.entries(CHANGES))(
    "an invitation is not accepted where, while its account was waited for, %s",
    async (_what, change) => {
      const clock = createMovableClock();
      const db = await database.open(clock);
      const other = await database.open(clock);
      const { sessions, accounts } = openSessions(db, clock, {});
      const account = await accounts.createAccount({ email: "ann@example.com", plan: "Pro" });
      const deps = { db, clock, random: systemRandom };
      const link = await issueResetToken({ personId: account.id, endsTotp: true, actor: "test" }, deps);
      const wish = { token: link, newPassword: PASSWORD, totpCode: null, revokeKeys: [] };
      const opened = await sessions.resetPassword({ ...wish, client: newClient() });
      const session = await sessions.find(opened ?? "");
      if (session === null) throw new Error("There is no session");
      const { token } = await sessions.invite({ session, email: "bob@example.com", role: "member" });
      const joining = await other.kysely.transaction().execute(async (trx) => {
        await lockAccountRow(trx, { accountId: account.id }, { db: other });
        const outcome = sessions.join({ token, password: PASSWORD, client: newClient() }).then(
          () => "joined",
          (error: unknown) => Reflect.get(Object(error), "reason"),
        );
        // Until the password is hashed, and the lock is waited for.
        await systemClock.sleep(1500);
        await change(trx, account.id);
        await endSessions(trx, { accountId: account.id }, deps);
        return { outcome };
      });
      expect(await joining.outcome).toBe("token_invalid");
      const people = await db.kysely.selectFrom("people").select("email").execute();
      expect(people).toEqual([{ email: "ann@example.com" }]);
      expect(await db.kysely.selectFrom("sessions").select("id").execute()).toEqual([]);
    },
  );
});
