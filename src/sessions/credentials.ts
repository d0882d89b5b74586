import type { Insertable, Kysely, Selectable } from "kysely";
import { soughtEmail } from "../accounts/account-rows.ts";
import type { Account } from "../accounts/accounts.ts";
import { type Person, personFromRow } from "../accounts/people.ts";
import { type AccountRow, accountFromRow } from "../accounts/rows.ts";
import type { Schema } from "../db/schema.ts";

/** How a person signs in. */
export type Credentials = {
  readonly passwordHash: string | null;
  /** Base32; set up and confirmed. */
  readonly totpSecret: string | null;
  /** Set up, and not yet confirmed by a first code. */
  readonly pendingTotpSecret: string | null;
  readonly totpLastStep: number | null;
};

const NONE: Credentials = {
  passwordHash: null,
  totpSecret: null,
  pendingTotpSecret: null,
  totpLastStep: null,
};

type Row = Selectable<Schema["credentials"]>;

/** What a person signs in with. */
export async function readCredentials(db: Kysely<Schema>, personId: string): Promise<Credentials> {
  const row = await db
    .selectFrom("credentials")
    .selectAll()
    .where("person_id", "=", personId)
    .executeTakeFirst();
  return row === undefined ? NONE : fromRow(row);
}

const fromRow = (row: Row): Credentials => ({
  passwordHash: row.password_hash,
  totpSecret: row.is_totp_confirmed === 1 ? row.totp_secret : null,
  pendingTotpSecret: row.is_totp_confirmed === 1 ? null : row.totp_secret,
  totpLastStep: row.totp_last_step,
});

/** Sets some of a person's columns; its row is made where there is none. */
export async function writeCredentials(
  db: Kysely<Schema>,
  personId: string,
  columns: Partial<Omit<Insertable<Schema["credentials"]>, "person_id">>,
): Promise<void> {
  await db
    .insertInto("credentials")
    .values({ is_totp_confirmed: 0, ...columns, person_id: personId })
    .onConflict((conflict) => conflict.column("person_id").doUpdateSet(columns))
    .execute();
}

/** The person that an e-mail names, with the account and how they sign in; null when there is none. */
export async function findByEmail(
  db: Kysely<Schema>,
  email: string,
  now: Date,
): Promise<{ readonly person: Person; readonly account: Account; readonly credentials: Credentials } | null> {
  const person = await db
    .selectFrom("people")
    .selectAll()
    .where("email", "=", soughtEmail(email))
    .executeTakeFirst();
  // As many reads for an unknown name: the time must not tell.
  const credentials = await readCredentials(db, person?.id ?? "");
  const row: AccountRow | undefined = await db
    .selectFrom("accounts")
    .selectAll()
    .where("id", "=", person?.account_id ?? "")
    .executeTakeFirst();
  if (person === undefined || row === undefined) return null;
  return { person: personFromRow(person), account: accountFromRow(row, now), credentials };
}
