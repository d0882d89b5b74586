import { type Selectable, sql, type Transaction } from "kysely";
import { HOUR_MS } from "../base/durations.ts";
import { InvalidValue, Refusal } from "../base/failure.ts";
import type { Schema } from "../db/schema.ts";
import type { StoreDeps } from "./account-rows.ts";
import { type AuditEntry, writeAudit } from "./audit.ts";
import type { AuditAction } from "./audit-actions.ts";
import { columnsOf, type KeyOptions } from "./key-options.ts";
import { generateKey, hashKey, prefixOfKey } from "./keys.ts";
import type { Person } from "./people.ts";
import { parsePlan } from "./plans.ts";
import { type AccountRow, apiKeyFromRow } from "./rows.ts";

export type KeyRow = Selectable<Schema["api_keys"]>;

/** A key that was just made: its row, and its text, which is stored nowhere. */
export type MadeKey = { readonly row: KeyRow; readonly text: string };

type Detail = AuditEntry["detail"];

const MAX_NAME = 100;

/** Inserts a key for an account whose row is locked; counts nothing, and leaves the audit row to its caller. */
export async function insertKeyRow(
  trx: Transaction<Schema>,
  wish: {
    readonly accountId: string;
    readonly name: string;
    readonly options: KeyOptions;
    /** Who made it; left out: the operator. */
    readonly personId?: string | null;
  },
  deps: StoreDeps,
): Promise<MadeKey> {
  const text = generateKey(deps.random);
  const row = await trx
    .insertInto("api_keys")
    .values({
      id: deps.random.uuid(),
      account_id: wish.accountId,
      name: parseKeyName(wish.name),
      hash: hashKey(text),
      prefix: prefixOfKey(text),
      created_at: deps.clock.now().getTime(),
      person_id: wish.personId ?? null,
      ...columnsOf(wish.options),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { row, text };
}

/** The person who asks for something about keys. */
export type KeyPerson = Pick<Person, "id" | "role">;

/** Refuses a key that another person made to a person who is no owner: FORBIDDEN. Undefined: the operator asks. */
export function refuseOthersKey(
  { person_id: maker }: Pick<KeyRow, "person_id">,
  person: KeyPerson | undefined,
): void {
  if (person === undefined || person.role === "owner" || maker === person.id) return;
  throw new Refusal("FORBIDDEN", {
    message: "Another person made this key: only they and the owners of this account may change it",
  });
}

/** Which keys a person may choose among: an owner all, others those they made. */
export const madeByOf = ({ id, role }: KeyPerson): { readonly madeBy?: string } =>
  role === "owner" ? {} : { madeBy: id };

/** The name of a key or a token as it is kept. Throws InvalidValue where it is too long: cut, it could be that of another. */
export function parseKeyName(text: string): string {
  const name = text.replace(/[\p{Cc}\p{Cf}]/gu, " ").trim();
  const { length } = [...name];
  if (length <= MAX_NAME) return name || "default";
  throw new InvalidValue(
    "name_long",
    `A name has at most ${MAX_NAME} characters, and this one has ${length}`,
  );
}

/** What the audit log says of a key; of its limits those that it has. */
function detailOf(row: KeyRow): Detail {
  const { expiresAt, networks, products } = apiKeyFromRow(row, new Date(row.created_at)).options;
  return {
    key_id: row.id,
    prefix: row.prefix,
    name: row.name,
    ...(expiresAt === null ? {} : { expires_at: expiresAt.toISOString() }),
    ...(networks === null ? {} : { networks: networks.join(" ") }),
    ...(products === null ? {} : { products: products.join(" ") }),
  };
}

/** Writes what was done to a key. */
export const auditKey = (
  trx: Transaction<Schema>,
  row: KeyRow,
  entry: { readonly actor: string; readonly action: AuditAction; readonly more?: Detail },
  deps: StoreDeps,
): Promise<void> =>
  writeAudit(
    trx,
    {
      actor: entry.actor,
      action: entry.action,
      accountId: row.account_id,
      detail: { ...detailOf(row), ...entry.more },
    },
    deps,
  );

/**
 * The key that an id or a 12-character prefix names, with `accountId` only among that account's. Throws NOT_FOUND, or
 * VALIDATION when several keys have the prefix.
 */
export async function findKeyRow(
  trx: Transaction<Schema>,
  name: string,
  accountId: string | undefined,
): Promise<KeyRow> {
  const query = trx
    .selectFrom("api_keys")
    .selectAll()
    .where((eb) => eb.or([eb("id", "=", name), eb("prefix", "=", name), eb("hash", "=", hashKey(name))]))
    .limit(2);
  const own = accountId === undefined ? query : query.where("account_id", "=", accountId);
  return onlyRow(await own.execute(), "key", name);
}

/** The one row that a name has. Throws NOT_FOUND without one, VALIDATION when several begin with it. */
export function onlyRow<Row>([row, second]: readonly Row[], kind: "key" | "token", name: string): Row {
  if (row === undefined)
    throw new Refusal("NOT_FOUND", { message: `There is no ${kind} "${prefixOfKey(name)}"` });
  if (second === undefined) return row;
  throw new Refusal("VALIDATION", {
    message: `Several ${kind}s begin with "${name}": name the ${kind} by its id`,
  });
}

/** The row of a key as it is now, after the lock of its account. */
export const readKeyRow = (trx: Transaction<Schema>, id: string): Promise<KeyRow> =>
  trx.selectFrom("api_keys").selectAll().where("id", "=", id).executeTakeFirstOrThrow();

/** Sets columns of a key, and gives its row. */
export const updateKeyRow = (
  trx: Transaction<Schema>,
  id: string,
  columns: Partial<Omit<KeyRow, "id" | "account_id" | "hash">>,
): Promise<KeyRow> =>
  trx.updateTable("api_keys").set(columns).where("id", "=", id).returningAll().executeTakeFirstOrThrow();

/**
 * Refuses one key more than the plan has: VALIDATION. The account's row is locked, so that of two creations at once the
 * second counts the first. A key that works on for a while after it was replaced counts no more.
 */
export async function refuseFullAllowance(
  trx: Transaction<Schema>,
  account: AccountRow,
  deps: Pick<StoreDeps, "clock">,
): Promise<void> {
  const plan = parsePlan(account.plan);
  if ((await countWorking(trx, account.id, { isReplaced: false }, deps)) < plan.maxApiKeys) return;
  throw new Refusal("VALIDATION", {
    message: `All ${plan.maxApiKeys} keys of plan ${plan.name} are in use: revoke one first`,
    details: { max_api_keys: plan.maxApiKeys },
  });
}

const MAX_NEW_KEYS = 20;

/**
 * Refuses to a session what makes another key when its account has got 20 within an hour: RATE_LIMIT_EXCEEDED. The account's
 * row is locked. Null: the operator asks, who may. Source: security P7.
 */
export async function refuseManyNewKeys(
  trx: Transaction<Schema>,
  { accountId, sessionId }: { readonly accountId: string; readonly sessionId: string | null },
  { clock }: Pick<StoreDeps, "clock">,
): Promise<void> {
  if (sessionId === null) return;
  const nowMs = clock.now().getTime();
  const oldest = await trx
    .selectFrom("api_keys")
    .select("created_at")
    .where("account_id", "=", accountId)
    .where("session_id", "is", null)
    .where("created_at", ">", nowMs - HOUR_MS)
    .orderBy("created_at", "desc")
    .offset(MAX_NEW_KEYS - 1)
    .limit(1)
    .executeTakeFirst();
  if (oldest === undefined) return;
  const retryAfterS = Math.max(1, Math.ceil((Number(oldest.created_at) + HOUR_MS - nowMs) / 1000));
  const message = `This account has made ${MAX_NEW_KEYS} keys within an hour; try again in ${Math.ceil(retryAfterS / 60)} min`;
  throw new Refusal("RATE_LIMIT_EXCEEDED", { message, retryAfterS });
}

/** Keys of an account that work now, of those that were replaced or of the others. */
export async function countWorking(
  trx: Transaction<Schema>,
  accountId: string,
  { isReplaced }: { readonly isReplaced: boolean },
  { clock }: Pick<StoreDeps, "clock">,
): Promise<number> {
  const nowMs = clock.now().getTime();
  const { working } = await trx
    .selectFrom("api_keys")
    .select(sql<number>`count(*)`.as("working"))
    .where("account_id", "=", accountId)
    .where("revoked_at", "is", null)
    .where("session_id", "is", null)
    .where("replaced_by", isReplaced ? "is not" : "is", null)
    .where((eb) => eb.or([eb("expires_at", "is", null), eb("expires_at", ">", nowMs)]))
    .executeTakeFirstOrThrow();
  return Number(working);
}
