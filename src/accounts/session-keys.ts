import type { Transaction } from "kysely";
import type { Schema } from "../db/schema.ts";
import { lockAccountRow, refuseEndedSession, refuseUnproved, type StoreDeps } from "./account-rows.ts";
import { writeAudit } from "./audit.ts";
import type { Person } from "./people.ts";

/** Which sessions of an account: all, unless some are named. */
export type WhichSessions = {
  readonly accountId: string;
  readonly only?: readonly string[];
  readonly but?: string;
  /** Those that this API key opened. */
  readonly keyId?: string;
  /** Those of this person alone. */
  readonly personId?: string;
  /** Those that this person sees; null: an API key that opened a session. */
  readonly seenBy?: Viewer;
};

type Viewer = Pick<Person, "id" | "role"> | null;

/** Whose sessions a person sees: their own, and an owner those that keys opened (null), which are all that such a session sees. */
export const seenBy = (person: Viewer): readonly (string | null)[] => [
  ...(person === null ? [] : [person.id]),
  ...(person === null || person.role === "owner" ? [null] : []),
];

/**
 * Ends sessions of an account whose row is locked, and with each the key that it paid by: no charge of theirs is on its
 * way afterwards. Their ids. Every end of a session comes through here. Source: security P14, P15.
 */
export async function endSessions(
  trx: Transaction<Schema>,
  { accountId, only, but, keyId, personId, seenBy: viewer }: WhichSessions,
  { clock }: Pick<StoreDeps, "clock">,
): Promise<readonly string[]> {
  if (only?.length === 0) return [];
  let query = trx.deleteFrom("sessions").where("account_id", "=", accountId);
  if (only !== undefined) query = query.where("id", "in", [...only]);
  if (but !== undefined) query = query.where("id", "!=", but);
  if (keyId !== undefined) query = query.where("key_id", "=", keyId);
  if (personId !== undefined) query = query.where("person_id", "=", personId);
  if (viewer !== undefined) {
    query = query.where((eb) =>
      eb.or(seenBy(viewer).map((id) => eb("person_id", id === null ? "is" : "=", id))),
    );
  }
  const ended = (await query.returning("id").execute()).map(({ id }) => id);
  if (ended.length === 0) return ended;
  await trx
    .updateTable("api_keys")
    .set({ revoked_at: clock.now().getTime() })
    .where("session_id", "in", ended)
    .where("revoked_at", "is", null)
    .execute();
  return ended;
}

/** How a key that the dashboard pays by is listed. Source: security P15. */
const SESSION_KEY_NAME = "Dashboard";

/**
 * What stands in place of a hash for the key of a session: that key has no text, so that nothing that a caller sends opens
 * it, and it cannot be stolen. No hash reads like this.
 */
export const markOfSessionKey = (sessionId: string): string => `session ${sessionId}`;

const PREFIX = "dash_";
const PREFIX_LENGTH = 12;

/**
 * Makes the key that a session pays its lookups by, unless it has one. It counts for no plan's number of keys. Throws
 * NOT_SIGNED_IN when the session has ended, ADDRESS_NOT_PROVED.
 */
export async function makeSessionKey(
  wish: { readonly accountId: string; readonly sessionId: string; readonly actor: string },
  deps: StoreDeps,
): Promise<void> {
  const { accountId, sessionId, actor } = wish;
  const id = deps.random.uuid();
  const prefix = `${PREFIX}${id.replaceAll("-", "")}`.slice(0, PREFIX_LENGTH);
  await deps.db.kysely.transaction().execute(async (trx) => {
    const account = await lockAccountRow(trx, { accountId }, deps);
    await refuseEndedSession(trx, sessionId, deps);
    refuseUnproved(account);
    const made = await trx
      .insertInto("api_keys")
      .values({
        id,
        account_id: accountId,
        name: SESSION_KEY_NAME,
        hash: markOfSessionKey(sessionId),
        prefix,
        created_at: deps.clock.now().getTime(),
        session_id: sessionId,
        person_id: (eb) => eb.selectFrom("sessions").select("person_id").where("id", "=", sessionId),
      })
      .onConflict((conflict) => conflict.column("hash").doNothing())
      .returning("id")
      .executeTakeFirst();
    if (made === undefined) return;
    const detail = { key_id: id, prefix, name: SESSION_KEY_NAME, session_id: sessionId };
    await writeAudit(trx, { actor, action: "key.create", accountId, detail }, deps);
  });
}
