import { hash } from "node:crypto";
import type { Kysely, Transaction } from "kysely";
import { sql } from "kysely";
import type { StoreDeps } from "../accounts/account-rows.ts";
import { writeAudit } from "../accounts/audit.ts";
import type { Person } from "../accounts/people.ts";
import type { Random } from "../base/clock.ts";
import type { Schema } from "../db/schema.ts";

/** Codes of one set. Source: design 14. */
const RECOVERY_CODES = 10;
/** 80 bits: too many to be tried against a fast hash. */
const BYTES = 10;
/** Without letters that are read as others (Crockford's base 32). */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const CODE = /^[0-9a-hjkmnp-tv-z]{16}$/;

/** Makes a person's codes anew and gives them, to be shown once; those of before open nothing any more. The account's row is locked. */
export async function renewRecoveryCodes(
  trx: Transaction<Schema>,
  personId: string,
  { random }: Pick<StoreDeps, "random">,
): Promise<readonly string[]> {
  await deleteRecoveryCodes(trx, personId);
  const codes = Array.from({ length: RECOVERY_CODES }, () => newCode(random));
  const rows = codes.map((code) => ({ person_id: personId, code_hash: hashCode(personId, code) }));
  await trx.insertInto("recovery_codes").values(rows).execute();
  return codes.map((code) => code.replace(/.{4}(?=.)/g, "$&-"));
}

/** Takes a code for good: whether it was one of the person's. The account's row is locked. */
export async function takeRecoveryCode(
  trx: Transaction<Schema>,
  { person, code }: { readonly person: Pick<Person, "id" | "accountId" | "email">; readonly code: string },
  deps: Pick<StoreDeps, "clock" | "random">,
): Promise<boolean> {
  const read = readCode(code);
  if (read === null) return false;
  const { numDeletedRows } = await trx
    .deleteFrom("recovery_codes")
    .where("person_id", "=", person.id)
    .where("code_hash", "=", hashCode(person.id, read))
    .executeTakeFirstOrThrow();
  if (numDeletedRows === 0n) return false;
  const { accountId, email } = person;
  const detail = { person: email, left: await countRecoveryCodes(trx, person.id) };
  await writeAudit(trx, { actor: "sign-in", action: "account.use_recovery_code", accountId, detail }, deps);
  return true;
}

/** How many a person has left. */
export async function countRecoveryCodes(db: Kysely<Schema>, personId: string): Promise<number> {
  const { count } = await db
    .selectFrom("recovery_codes")
    .select(sql<number>`count(*)`.as("count"))
    .where("person_id", "=", personId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** They go with the authenticator. */
export async function deleteRecoveryCodes(db: Kysely<Schema>, personId: string): Promise<void> {
  await db.deleteFrom("recovery_codes").where("person_id", "=", personId).execute();
}

function newCode(random: Pick<Random, "bytes">): string {
  // Sixteen times five bits.
  const bits = [...random.bytes(BYTES)].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return Array.from(
    { length: 16 },
    (_, at) => ALPHABET[Number.parseInt(bits.slice(5 * at, 5 * at + 5), 2)],
  ).join("");
}

/** A code as it was typed, in the alphabet; null: it cannot be one. Letters that are not in it are read as what they look like. */
function readCode(text: string): string | null {
  if (text.length > 64) return null;
  const code = text.toLowerCase().replace(/[\s-]/g, "").replaceAll("o", "0").replace(/[il]/g, "1");
  return CODE.test(code) ? code : null;
}

const hashCode = (personId: string, code: string): string => hash("sha256", `${personId} ${code}`, "hex");
