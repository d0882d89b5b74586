import type { Transaction } from "kysely";
import type { Schema } from "../db/schema.ts";
import type { Person } from "./people.ts";

const DELETED_FROM = [
  "alert_settings",
  "alerts",
  "person_networks",
  "reset_tokens",
  "recovery_codes",
  "credentials",
] as const;

/** Deletes a person with their ways in and what they chose. Their sessions have ended before; their audit rows stay. */
export async function deletePersonRows(
  trx: Transaction<Schema>,
  { id, email }: Pick<Person, "id" | "email">,
): Promise<void> {
  for (const table of DELETED_FROM) await trx.deleteFrom(table).where("person_id", "=", id).execute();
  await trx.deleteFrom("invitations").where("invited_by", "=", id).execute();
  // A link of before must not open an account.
  await trx.deleteFrom("sign_ups").where("email", "=", email).execute();
  await deleteAttempts(trx, id);
  await trx.deleteFrom("people").where("id", "=", id).execute();
}

/** Deletes the attempts that are counted by the id of an account or a person: it ends their subjects, whatever they are of. */
export async function deleteAttempts(trx: Transaction<Schema>, id: string): Promise<void> {
  await trx.deleteFrom("sign_in_attempts").where("subject", "like", `% ${id}`).execute();
}
