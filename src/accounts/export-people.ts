import type { Kysely } from "kysely";
import type { Schema } from "../db/schema.ts";
import { readAlertSettings } from "./alert-settings.ts";
import type { Person } from "./people.ts";

/** What is stored of an account's people, for its export: how they sign in, from where, and what they are mailed about. */
export async function peopleOf(db: Kysely<Schema>, people: readonly Person[]) {
  const all: object[] = [];
  for (const person of people) {
    all.push({
      id: person.id,
      email: person.email,
      role: person.role,
      is_invited: person.isInvited,
      created_at: person.createdAt.toISOString(),
      sign_in: await signInOf(db, person.id),
      networks: await networksOf(db, person.id),
      alerts: await readAlertSettings(db, person.id),
    });
  }
  return all;
}

/** Invitations that were not accepted yet. */
export async function invitationsOf(db: Kysely<Schema>, accountId: string) {
  const rows = await db
    .selectFrom("invitations")
    .select(["id", "email", "role", "invited_by", "created_at", "expires_at"])
    .where("account_id", "=", accountId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return rows.map((row) => ({
    ...row,
    created_at: new Date(row.created_at).toISOString(),
    expires_at: new Date(row.expires_at).toISOString(),
  }));
}

async function signInOf(db: Kysely<Schema>, personId: string) {
  const row = await db
    .selectFrom("credentials")
    .select(["password_hash", "is_totp_confirmed"])
    .where("person_id", "=", personId)
    .executeTakeFirst();
  return {
    has_password: row !== undefined && row.password_hash !== null,
    has_authenticator: row?.is_totp_confirmed === 1,
  };
}

async function networksOf(db: Kysely<Schema>, personId: string) {
  const rows = await db
    .selectFrom("person_networks")
    .select(["network", "at"])
    .where("person_id", "=", personId)
    .orderBy("at")
    .orderBy("network")
    .execute();
  return rows.map(({ network, at }) => ({ network, signed_in_at: new Date(at).toISOString() }));
}
