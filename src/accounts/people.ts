import type { Kysely, Selectable, Transaction } from "kysely";
import { Refusal } from "../base/failure.ts";
import type { Schema } from "../db/schema.ts";

/** What a person may do on an account: all; look up and make keys; only read. */
export const ROLES = ["owner", "member", "viewer"] as const;
export type Role = (typeof ROLES)[number];

/** Who signs in to an account. */
export type Person = {
  readonly id: string;
  readonly accountId: string;
  readonly email: string;
  readonly role: Role;
  /** An owner of the account invited them; false: the account was made for them. */
  readonly isInvited: boolean;
  readonly createdAt: Date;
};

export type PersonRow = Selectable<Schema["people"]>;

export const personFromRow = (row: PersonRow): Person => ({
  id: row.id,
  accountId: row.account_id,
  email: row.email,
  role: roleOf(row.role),
  isInvited: row.is_invited === 1,
  createdAt: new Date(row.created_at),
});

/** A role as it is stored; whatever is none may only read. */
export const roleOf = (text: string): Role => ROLES.find((role) => role === text) ?? "viewer";

/** Inserts a person. Throws Refusal VALIDATION when the e-mail is another person's. */
export async function insertPersonRow(trx: Transaction<Schema>, row: PersonRow): Promise<void> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto("people")
    .values(row)
    .onConflict((conflict) => conflict.column("email").doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows === 1n) return;
  throw new Refusal("VALIDATION", {
    message: `"${row.email}" belongs to a person of another account`,
    field: "email",
  });
}

/** The people of an account, who was there first first. */
export async function readPeople(db: Kysely<Schema>, accountId: string): Promise<readonly Person[]> {
  const rows = await db
    .selectFrom("people")
    .selectAll()
    .where("account_id", "=", accountId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return rows.map(personFromRow);
}

/** The person with an id; null: there is none. */
export async function findPerson(db: Kysely<Schema>, id: string): Promise<Person | null> {
  const row = await db.selectFrom("people").selectAll().where("id", "=", id).executeTakeFirst();
  return row === undefined ? null : personFromRow(row);
}
