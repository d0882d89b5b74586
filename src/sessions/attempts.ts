import { createHash } from "node:crypto";
import { sql, type Transaction } from "kysely";
import type { StoreDeps } from "../accounts/account-rows.ts";
import type { Schema } from "../db/schema.ts";
import { Refusal } from "../failure.ts";

/** Attempts of a window that may fail for one subject. Source: security P15. */
const MAX_FAILURES = 10;
const WINDOW_MS = 15 * 60_000;

/** One attempt, counted as failed from its beginning: of fifty at once, ten are judged. */
export type Attempt = {
  /** It was right after all: it counts no more. */
  readonly forgive: () => Promise<void>;
};

export type Attempts = {
  /**
   * Counts an attempt for all subjects, in one step for all processes. Throws RATE_LIMIT_EXCEEDED with the seconds to
   * wait, counting nothing, when one of them has ten in the last 15 minutes.
   */
  readonly begin: (subjects: readonly string[]) => Promise<Attempt>;
  /** Deletes what no window sees any more. */
  readonly prune: () => Promise<void>;
};

/** Failed attempts in the database, where all processes see them. */
export function createAttempts(deps: StoreDeps): Attempts {
  const { kysely } = deps.db;
  const sinceMs = () => deps.clock.now().getTime() - WINDOW_MS;
  return {
    begin: async (subjects) => {
      const id = deps.random.uuid();
      await kysely.transaction().execute(async (trx) => {
        // In one order everywhere: two attempts that share two subjects must not wait for one another.
        const sorted = [...new Set(subjects)].toSorted();
        for (const subject of sorted) await lockSubject(trx, subject, deps);
        for (const subject of sorted) await refuseMany(trx, subject, deps);
        const at = deps.clock.now().getTime();
        const rows = sorted.map((subject) => ({ id, subject, at }));
        await trx.insertInto("sign_in_attempts").values(rows).execute();
      });
      return {
        forgive: async () => {
          await kysely.deleteFrom("sign_in_attempts").where("id", "=", id).execute();
        },
      };
    },
    prune: async () => {
      await kysely.deleteFrom("sign_in_attempts").where("at", "<=", sinceMs()).execute();
    },
  };
}

/** How attempts on an account are counted, whether it exists or not; what was typed is not kept. */
export const accountSubject = (email: string): string => `account ${sha256(email).toString("hex")}`;

/** How attempts of whoever is signed in are counted: strangers cannot use them up. */
export const signedInSubject = (accountId: string): string => `signed in ${accountId}`;

/** How attempts from a client are counted. */
export const addressSubject = (client: string): string => `address ${client}`;

const sha256 = (text: string): Buffer => createHash("sha256").update(text).digest();

// SQLite's BEGIN IMMEDIATE is the lock. Any two subjects may share one by chance: then they wait, no more.
async function lockSubject(trx: Transaction<Schema>, subject: string, { db }: StoreDeps): Promise<void> {
  if (db.dialect !== "postgres") return;
  const lock = sha256(`sign-in ${subject}`).readIntBE(0, 6);
  await sql`select pg_advisory_xact_lock(${lock}::bigint)`.execute(trx);
}

async function refuseMany(trx: Transaction<Schema>, subject: string, { clock }: StoreDeps): Promise<void> {
  const nowMs = clock.now().getTime();
  const rows = await trx
    .selectFrom("sign_in_attempts")
    .select("at")
    .where("subject", "=", subject)
    .where("at", ">", nowMs - WINDOW_MS)
    .orderBy("at", "desc")
    .limit(MAX_FAILURES)
    .execute();
  const oldest = rows.length < MAX_FAILURES ? undefined : rows.at(-1);
  if (oldest === undefined) return;
  // A clock that jumped back must not make anybody wait longer than the window.
  const waitMs = Math.min(oldest.at + WINDOW_MS - nowMs, WINDOW_MS);
  const retryAfterS = Math.max(1, Math.ceil(waitMs / 1000));
  throw new Refusal("RATE_LIMIT_EXCEEDED", {
    message: `Too many attempts; try again in ${Math.ceil(retryAfterS / 60)} min`,
    retryAfterS,
  });
}
