import { expect, test } from "vitest";
import { forEachDatabase } from "../../test/databases.ts";
import { createMovableClock } from "../../test/movable-clock.ts";
import { newClient, openSessions, outcomeOf } from "../../test/sign-in-setting.ts";
import { deleteAccount } from "../accounts/delete-account.ts";
import { systemRandom } from "../base/clock.ts";
import { issueResetToken } from "./reset.ts";

const PASSWORD = "correct horse battery staple";
const NAMES = ["ann", "bob"] as const;

// Two owners of the installation, signed in, who do something to one another or to themselves at the same moment.
forEachDatabase((_dialect, database) => {
  const start = async () => {
    const clock = createMovableClock();
    const db = await database.open(clock);
    const { sessions, accounts } = openSessions(db, clock);
    const deps = { db, clock, random: systemRandom };
    const signedIn = async (name: string) => {
      const email = `${name}@example.com`;
      const { id } = await accounts.createAccount({ email, isOwner: true });
      const token = await issueResetToken({ personId: id, endsTotp: true, actor: "test" }, deps);
      const wish = { token, newPassword: PASSWORD, totpCode: null, revokeKeys: [] };
      const cookie = (await sessions.resetPassword({ ...wish, client: newClient() })) ?? "";
      return { id, email, cookie, sessionId: (await sessions.find(cookie))?.id ?? "" };
    };
    const [ann, bob] = [await signedIn(NAMES[0]), await signedIn(NAMES[1])];
    type Owner = typeof ann;
    const rules = { mayCollect: () => false, owners: [] };
    const by = (owner: Owner, of: Owner) => ({
      ...{ accountId: of.id, actor: owner.email, sessionId: owner.sessionId, reason: "x" },
    });
    const acts = {
      demote: (owner: Owner, other: Owner) => accounts.setOwner({ ...by(owner, other), isOwner: false }),
      disable: (owner: Owner, other: Owner) =>
        accounts.setDisabled({ ...by(owner, other), isDisabled: true }),
      leave: (owner: Owner) =>
        deleteAccount({ accountId: owner.id, actor: null, sessionId: owner.sessionId }, rules, deps),
    };
    const owners = async () =>
      (await accounts.listAccounts()).filter(({ isOwner, disabledAt }) => isOwner && disabledAt === null);
    return { ann, bob, acts, owners, sessions };
  };

  const WAYS = ["demote", "disable", "leave"] as const;
  test.each(WAYS.flatMap((first) => WAYS.map((second) => [first, second] as const)))(
    "one says %s, the other %s: one owner is left",
    async (first, second) => {
      const { ann, bob, acts, owners } = await start();
      const outcomes = await Promise.all([
        outcomeOf(acts[first](ann, bob)),
        outcomeOf(acts[second](bob, ann)),
      ]);
      expect(outcomes).toContain("done");
      expect(await owners()).toHaveLength(1);
    },
  );

  test("an account that is no owner's any more is signed out, and one that becomes an owner's is not", async () => {
    const { ann, bob, acts, sessions } = await start();
    await acts.demote(ann, bob);
    expect(await sessions.find(bob.cookie)).toBeNull();
    expect(await outcomeOf(acts.disable(bob, ann))).toBe("NOT_SIGNED_IN");
    expect(await sessions.find(ann.cookie)).not.toBeNull();
  });
});
