import { type Kysely, sql } from "kysely";
import type { DatabaseMigration } from "./migration.ts";

/**
 * People: who signs in to an account, each with a role and ways in of their own. The person of each account of before is its
 * owner and has its id and e-mail. What belonged to the account's one person belongs to that person from now on.
 */
export const people: DatabaseMigration = {
  name: "0020-people",
  up: async (db) => {
    await createPeople(db);
    await createInvitations(db);
    await moveCredentials(db);
    await moveLinksAndCodes(db);
    await moveAlerts(db);
    await db.schema
      .alterTable("sessions")
      .addColumn("person_id", "text", (column) => column.references("people.id"))
      .execute();
    await sql`update sessions set person_id = account_id where key_id is null`.execute(db);
    await db.schema.createIndex("sessions_person_id").on("sessions").column("person_id").execute();
    // No reference: keys stay in the history when the person who made them is gone.
    await db.schema.alterTable("api_keys").addColumn("person_id", "text").execute();
    await db.schema.alterTable("access_tokens").addColumn("person_id", "text").execute();
  },
};

async function createPeople(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("people")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("account_id", "text", (column) => column.notNull().references("accounts.id"))
    .addColumn("email", "text", (column) => column.notNull().unique())
    .addColumn("role", "text", (column) => column.notNull())
    .addColumn("is_invited", "integer", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("people_account_id").on("people").column("account_id").execute();
  await sql`insert into people (id, account_id, email, role, is_invited, created_at)
    select id, id, email, 'owner', 0, created_at from accounts`.execute(db);
}

async function createInvitations(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("invitations")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("token_hash", "text", (column) => column.notNull().unique())
    .addColumn("account_id", "text", (column) => column.notNull().references("accounts.id"))
    .addColumn("email", "text", (column) => column.notNull())
    .addColumn("role", "text", (column) => column.notNull())
    .addColumn("invited_by", "text", (column) => column.notNull().references("people.id"))
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("expires_at", "bigint", (column) => column.notNull())
    .addUniqueConstraint("invitations_account_id_email", ["account_id", "email"])
    .execute();
  await db.schema.createIndex("invitations_invited_by").on("invitations").column("invited_by").execute();
  await db.schema.createIndex("invitations_expires_at").on("invitations").column("expires_at").execute();
}

async function moveCredentials(db: Kysely<unknown>): Promise<void> {
  await putAside(db, "credentials");
  await db.schema
    .createTable("credentials")
    .addColumn("person_id", "text", (column) => column.primaryKey().references("people.id"))
    .addColumn("password_hash", "text")
    .addColumn("totp_secret", "text")
    .addColumn("is_totp_confirmed", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("totp_last_step", "bigint")
    .execute();
  await takeBack(db, "credentials", ["password_hash", "totp_secret", "is_totp_confirmed", "totp_last_step"]);
}

async function moveLinksAndCodes(db: Kysely<unknown>): Promise<void> {
  await putAside(db, "reset_tokens");
  await db.schema
    .createTable("reset_tokens")
    .addColumn("token_hash", "text", (column) => column.primaryKey())
    .addColumn("person_id", "text", (column) => column.notNull().references("people.id"))
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("expires_at", "bigint", (column) => column.notNull())
    .addColumn("ends_totp", "integer", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("reset_tokens_person_id").on("reset_tokens").column("person_id").execute();
  await takeBack(db, "reset_tokens", ["token_hash", "created_at", "expires_at", "ends_totp"]);
  await putAside(db, "recovery_codes");
  await db.schema
    .createTable("recovery_codes")
    .addColumn("person_id", "text", (column) => column.notNull().references("people.id"))
    .addColumn("code_hash", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("recovery_codes_pkey", ["person_id", "code_hash"])
    .execute();
  await takeBack(db, "recovery_codes", ["code_hash"]);
}

async function moveAlerts(db: Kysely<unknown>): Promise<void> {
  await putAside(db, "alert_settings");
  await db.schema
    .createTable("alert_settings")
    .addColumn("person_id", "text", (column) => column.primaryKey().references("people.id"))
    .addColumn("credits_percent", "integer", (column) => column.notNull())
    .addColumn("sign_in", "integer", (column) => column.notNull())
    .addColumn("sources", "integer", (column) => column.notNull())
    .execute();
  await takeBack(db, "alert_settings", ["credits_percent", "sign_in", "sources"]);
  await putAside(db, "alerts");
  await db.schema
    .createTable("alerts")
    .addColumn("person_id", "text", (column) => column.notNull().references("people.id"))
    .addColumn("kind", "text", (column) => column.notNull())
    .addColumn("subject", "text", (column) => column.notNull())
    .addColumn("at", "bigint", (column) => column.notNull())
    .addColumn("is_sent", "integer", (column) => column.notNull())
    .addPrimaryKeyConstraint("alerts_pk", ["person_id", "kind", "subject"])
    .execute();
  await takeBack(db, "alerts", ["kind", "subject", "at", "is_sent"]);
  await putAside(db, "account_networks");
  await db.schema
    .createTable("person_networks")
    .addColumn("person_id", "text", (column) => column.notNull().references("people.id"))
    .addColumn("network", "text", (column) => column.notNull())
    .addColumn("at", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("person_networks_pk", ["person_id", "network"])
    .execute();
  await db.schema.createIndex("person_networks_at").on("person_networks").column("at").execute();
  await takeBack(db, "account_networks", ["network", "at"], "person_networks");
}

// SQLite cannot point a reference at another table: the rows wait in a table of their own while theirs is made anew.
const aside = (table: string) => sql.table(`${table}_before_people`);

async function putAside(db: Kysely<unknown>, table: string): Promise<void> {
  await sql`create table ${aside(table)} as select * from ${sql.table(table)}`.execute(db);
  await db.schema.dropTable(table).execute();
}

async function takeBack(
  db: Kysely<unknown>,
  table: string,
  columns: readonly string[],
  into = table,
): Promise<void> {
  const list = sql.join(columns.map((column) => sql.ref(column)));
  await sql`insert into ${sql.table(into)} (person_id, ${list})
    select account_id, ${list} from ${aside(table)}`.execute(db);
  await sql`drop table ${aside(table)}`.execute(db);
}
