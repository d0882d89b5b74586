import { sql, type Transaction } from "kysely";
import { Refusal } from "../base/failure.ts";
import type { Schema } from "../db/schema.ts";
import { lockAccountRow, refuseEndedSession, type StoreDeps } from "./account-rows.ts";
import { writeAudit } from "./audit.ts";
import type { AuditAction } from "./audit-actions.ts";
import { revokeKeysOf } from "./key-store.ts";
import { findPerson, type Person, type Role, readPeople } from "./people.ts";
import { deletePersonRows } from "./person-rows.ts";
import type { AccountRow } from "./rows.ts";
import { endSessions } from "./session-keys.ts";
import { outwaitTokens, revokeTokensOf } from "./token-store.ts";

/** Who asks for a change of an account's people. A session that has ended changes nothing: NOT_SIGNED_IN. */
type TeamBy = { readonly accountId: string; readonly actor: string; readonly sessionId: string };

type PersonWish = TeamBy & {
  readonly personId: string;
  /** Whether the keys and tokens that they made go on working. */
  readonly keepsKeys: boolean;
};

/**
 * Changes of an account's people. Each ends the sessions of the person with the keys that those pay by; when it resolves,
 * every process refuses them. Throws NOT_FOUND for a person of another account, CONFLICT where no owner would be left.
 */
export type Team = {
  /** Another role. Who only reads from now on keeps no key, unless it is wished. */
  readonly setRole: (wish: PersonWish & { readonly role: Role }) => Promise<void>;
  /** Removes a person with their ways in; by themselves or by an owner. */
  readonly removePerson: (wish: PersonWish) => Promise<void>;
  /** Who was there first first. */
  readonly list: (accountId: string) => Promise<readonly TeamPerson[]>;
};

/** A person as the others see them. */
type TeamPerson = {
  readonly person: Person;
  readonly hasTotp: boolean;
  /** Null: signed in nowhere now. */
  readonly lastSeenAt: Date | null;
  /** Working API keys that they made. */
  readonly keys: number;
};

/** The people of accounts. */
export function createTeam(deps: StoreDeps): Team {
  return {
    list: (accountId) => list(accountId, deps),
    setRole: ({ role, ...wish }) =>
      change(wish, deps, async (trx, { account, person }) => {
        if (person.role === role) return 0;
        if (person.role === "owner") await passOn(trx, { account, person, actor: wish.actor }, deps);
        await endSessions(trx, { accountId: account.id, personId: person.id }, deps);
        const revoked = role === "viewer" ? await revokeAll(trx, person, wish, deps) : NONE;
        await trx.updateTable("people").set({ role }).where("id", "=", person.id).execute();
        // What an owner began by inviting ends with the ownership.
        await trx.deleteFrom("invitations").where("invited_by", "=", person.id).execute();
        const detail = { person: person.email, role_before: person.role, role, ...revoked };
        await audit(trx, wish, "person.set_role", detail, deps);
        return revoked.tokens_revoked;
      }),
    removePerson: (wish) =>
      change(wish, deps, async (trx, { account, person }) => {
        if (person.role === "owner") await passOn(trx, { account, person, actor: wish.actor }, deps);
        await endSessions(trx, { accountId: account.id, personId: person.id }, deps);
        const revoked = await revokeAll(trx, person, wish, deps);
        await deletePersonRows(trx, person);
        const action = person.email === wish.actor ? "person.leave" : "person.remove";
        await audit(trx, wish, action, { person: person.email, role: person.role, ...revoked }, deps);
        return revoked.tokens_revoked;
      }),
  };
}

async function list(accountId: string, { db, clock }: StoreDeps): Promise<readonly TeamPerson[]> {
  const people = await readPeople(db.kysely, accountId);
  const ids = people.map(({ id }) => id);
  const nowMs = clock.now().getTime();
  const secured = await db.kysely
    .selectFrom("credentials")
    .select("person_id")
    .where("person_id", "in", ids)
    .where("is_totp_confirmed", "=", 1)
    .execute();
  const seen = await db.kysely
    .selectFrom("sessions")
    .select(["person_id", (eb) => eb.fn.max("last_seen_at").as("at")])
    .where("person_id", "in", ids)
    .where("expires_at", ">", nowMs)
    .groupBy("person_id")
    .execute();
  const keys = await db.kysely
    .selectFrom("api_keys")
    .select(["person_id", sql<number>`count(*)`.as("count")])
    .where("account_id", "=", accountId)
    .where("revoked_at", "is", null)
    .where("session_id", "is", null)
    .where((eb) => eb.or([eb("expires_at", "is", null), eb("expires_at", ">", nowMs)]))
    .groupBy("person_id")
    .execute();
  return people.map((person) => {
    const at = seen.find((row) => row.person_id === person.id)?.at;
    return {
      person,
      hasTotp: secured.some((row) => row.person_id === person.id),
      lastSeenAt: at === undefined ? null : new Date(Number(at)),
      keys: Number(keys.find((row) => row.person_id === person.id)?.count ?? 0),
    };
  });
}

type Found = { readonly account: AccountRow; readonly person: Person };

/** `make` gives the number of tokens that it revoked. */
async function change(
  { accountId, personId, sessionId }: PersonWish,
  deps: StoreDeps,
  make: (trx: Transaction<Schema>, found: Found) => Promise<number>,
): Promise<void> {
  const tokens = await deps.db.kysely.transaction().execute(async (trx) => {
    // Of two owners who remove one another at once, the second has no session any more.
    const account = await lockAccountRow(trx, { accountId }, deps);
    await refuseEndedSession(trx, sessionId, deps);
    const person = await findPerson(trx, personId);
    if (person?.accountId !== accountId) {
      throw new Refusal("NOT_FOUND", { message: "This account has no such person; they may have left" });
    }
    return make(trx, { account, person });
  });
  await outwaitTokens(tokens, deps);
}

/** Refuses to lose the last owner, and hands the account's e-mail on where it is that of the owner who goes. */
async function passOn(
  trx: Transaction<Schema>,
  { account, person, actor }: Found & { readonly actor: string },
  deps: StoreDeps,
): Promise<void> {
  const people = await readPeople(trx, account.id);
  const next = people.find(({ id, role }) => role === "owner" && id !== person.id);
  if (next === undefined) {
    throw new Refusal("CONFLICT", {
      message: "This is the only owner of the account: make another person an owner first",
    });
  }
  if (account.email !== person.email) return;
  await trx.updateTable("accounts").set({ email: next.email }).where("id", "=", account.id).execute();
  const detail = { email_before: account.email, email: next.email };
  await writeAudit(trx, { actor, action: "account.set_email", accountId: account.id, detail }, deps);
}

const NONE = { keys_revoked: 0, tokens_revoked: 0 };

async function revokeAll(
  trx: Transaction<Schema>,
  { id: madeBy, accountId }: Person,
  { keepsKeys, actor }: PersonWish,
  deps: StoreDeps,
) {
  if (keepsKeys) return NONE;
  const wish = { accountId, ids: "all", madeBy, actor } as const;
  const keys = await revokeKeysOf(trx, wish, deps);
  return { keys_revoked: keys, tokens_revoked: await revokeTokensOf(trx, wish, deps) };
}

const audit = (
  trx: Transaction<Schema>,
  { accountId, actor }: TeamBy,
  action: AuditAction,
  detail: Readonly<Record<string, string | number>>,
  deps: StoreDeps,
): Promise<void> => writeAudit(trx, { actor, action, accountId, detail }, deps);
