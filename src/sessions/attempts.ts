import { createHash } from "node:crypto";
import { sql, type Transaction } from "kysely";
import type { StoreDeps } from "../accounts/account-rows.ts";
import { DAY_MS, MINUTE_MS } from "../base/durations.ts";
import { Refusal } from "../base/failure.ts";
import type { Schema } from "../db/schema.ts";

/** How many attempts one subject has in a window of time. */
export type Allowance = { readonly subject: string; readonly max: number; readonly windowMs: number };

/** What a subject has unless it is said otherwise. Source: security P15. */
const USUAL = { max: 10, windowMs: 15 * MINUTE_MS } as const;
/** No window sees anything older. */
const LONGEST_MS = DAY_MS;

/** One attempt, counted as failed from its beginning: of fifty at once, ten are judged. */
export type SignInAttempt = {
  /** It was right after all: it counts no more. */
  readonly forgive: () => Promise<void>;
};

export type SignInAttempts = {
  /**
   * Counts an attempt for all subjects, in one step for all processes. A text has ten in 15 minutes. Throws
   * RATE_LIMIT_EXCEEDED with the seconds until all of them have one, counting nothing, when one has used up what it has.
   */
  readonly begin: (subjects: readonly (string | Allowance)[]) => Promise<SignInAttempt>;
  /** Deletes what no window sees any more. */
  readonly prune: () => Promise<void>;
};

/** Failed attempts in the database, where all processes see them. */
export function createAttempts(deps: StoreDeps): SignInAttempts {
  const { kysely } = deps.db;
  return {
    begin: async (subjects) => {
      const id = deps.random.uuid();
      await kysely.transaction().execute(async (trx) => {
        // In one order everywhere: two attempts that share two subjects must not wait for one another.
        const sorted = allowancesOf(subjects).toSorted((a, b) => (a.subject < b.subject ? -1 : 1));
        for (const { subject } of sorted) await lockSubject(trx, subject, deps);
        await refuseMany(trx, sorted, deps);
        const at = deps.clock.now().getTime();
        const rows = sorted.map(({ subject }) => ({ id, subject, at }));
        await trx.insertInto("sign_in_attempts").values(rows).execute();
      });
      return {
        forgive: async () => {
          await kysely.deleteFrom("sign_in_attempts").where("id", "=", id).execute();
        },
      };
    },
    prune: async () => {
      const beforeMs = deps.clock.now().getTime() - LONGEST_MS;
      await kysely.deleteFrom("sign_in_attempts").where("at", "<=", beforeMs).execute();
    },
  };
}

/**
 * Runs what judges an attempt. When it cannot judge (too many wait for a hash, the database is away), the attempt counts
 * no more: nothing was found wrong.
 */
export async function unlessUnjudged<T>(attempt: SignInAttempt, judge: () => Promise<T>): Promise<T> {
  try {
    return await judge();
  } catch (error) {
    await attempt.forgive();
    throw error;
  }
}

/** Each subject once. */
function allowancesOf(subjects: readonly (string | Allowance)[]): readonly Allowance[] {
  const all = subjects.map((one) => (typeof one === "string" ? { subject: one, ...USUAL } : one));
  return [...new Map(all.map((one) => [one.subject, one])).values()];
}

/** How attempts on an account are counted, whether it exists or not; what was typed is not kept. */
export const accountSubject = (email: string): string => `account ${sha256(email).toString("hex")}`;

/** How attempts of a signed-in account are counted: strangers cannot use them up. */
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

/** Who is refused waits for all of them: a shorter window is over while a longer one is still full. */
async function refuseMany(
  trx: Transaction<Schema>,
  allowances: readonly Allowance[],
  deps: StoreDeps,
): Promise<void> {
  let waitMs = 0;
  for (const allowance of allowances) waitMs = Math.max(waitMs, await waitOf(trx, allowance, deps));
  if (waitMs <= 0) return;
  const retryAfterS = Math.max(1, Math.ceil(waitMs / 1000));
  throw new Refusal("RATE_LIMIT_EXCEEDED", {
    message: `Too many attempts; try again in ${waitText(retryAfterS)}`,
    retryAfterS,
  });
}

/** Milliseconds until a subject has another attempt; 0: now. */
async function waitOf(
  trx: Transaction<Schema>,
  { subject, max, windowMs }: Allowance,
  { clock }: StoreDeps,
): Promise<number> {
  const nowMs = clock.now().getTime();
  const rows = await trx
    .selectFrom("sign_in_attempts")
    .select("at")
    .where("subject", "=", subject)
    .where("at", ">", nowMs - windowMs)
    .orderBy("at", "desc")
    .limit(max)
    .execute();
  const oldest = rows.length < max ? undefined : rows.at(-1);
  // A clock that jumped back must not make anybody wait longer than the window.
  return oldest === undefined ? 0 : Math.min(oldest.at + windowMs - nowMs, windowMs);
}

const waitText = (seconds: number): string =>
  seconds <= 2 * 3600 ? `${Math.ceil(seconds / 60)} min` : `${Math.ceil(seconds / 3600)} h`;
