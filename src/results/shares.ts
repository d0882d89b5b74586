import { hash } from "node:crypto";
import type { Clock, Random } from "../base/clock.ts";
import { DAY_MS } from "../base/durations.ts";
import { Refusal } from "../base/failure.ts";
import type { Database } from "../db/database.ts";
import type { Guard } from "../db/guard.ts";
import type { OpenedResult, Share } from "./result.ts";
import { openedFrom } from "./result-rows.ts";

export type ShareDeps = { readonly db: Database; readonly clock: Clock; readonly random: Random };

export type NewShare = {
  readonly accountId: string;
  readonly resultId: string;
  readonly days: number;
  readonly guard: Guard;
};

/** The answer of a link, and when the link ends. */
export type SharedResult = { readonly result: OpenedResult; readonly expiresAt: Date };

const MAX_SHARES = 20;
const TOKEN_BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

// 256 random bits need no slow hash. Source: security P15.
const hashOf = (token: string): string => hash("sha256", token, "hex");

/**
 * Makes a link to an account's kept answer and gives its token, which is stored nowhere. Throws NOT_FOUND, CONFLICT with 20
 * links to it already.
 */
export async function createShare(
  wish: NewShare,
  { db, clock, random }: ShareDeps,
): Promise<{ readonly token: string; readonly share: Share }> {
  const token = Buffer.from(random.bytes(TOKEN_BYTES)).toString("base64url");
  const now = clock.now();
  const share = {
    id: random.uuid(),
    createdAt: now,
    expiresAt: new Date(now.getTime() + wish.days * DAY_MS),
  };
  await db.kysely.transaction().execute(async (trx) => {
    await wish.guard(trx);
    const query = trx
      .selectFrom("results")
      .select("id")
      .where("id", "=", wish.resultId)
      .where("account_id", "=", wish.accountId);
    // SQLite's BEGIN IMMEDIATE is the lock.
    const row = await (db.dialect === "postgres" ? query.forUpdate() : query).executeTakeFirst();
    if (row === undefined) throw new Refusal("NOT_FOUND", { message: "This result is not kept" });
    const shares = await trx
      .selectFrom("result_shares")
      .select("id")
      .where("result_id", "=", row.id)
      .where("expires_at", ">", now.getTime())
      .execute();
    if (shares.length >= MAX_SHARES) {
      throw new Refusal("CONFLICT", {
        message: `A result has at most ${MAX_SHARES} links: revoke one first`,
      });
    }
    await trx
      .insertInto("result_shares")
      .values({
        id: share.id,
        token_hash: hashOf(token),
        account_id: wish.accountId,
        result_id: row.id,
        created_at: share.createdAt.getTime(),
        expires_at: share.expiresAt.getTime(),
      })
      .execute();
  });
  return { token, share };
}

/** The links to a result that still open, the newest first. */
export async function listShares(
  { accountId, resultId }: { readonly accountId: string; readonly resultId: string },
  { db, clock }: Omit<ShareDeps, "random">,
): Promise<readonly Share[]> {
  const rows = await db.kysely
    .selectFrom("result_shares")
    .select(["id", "created_at", "expires_at"])
    .where("result_id", "=", resultId)
    .where("account_id", "=", accountId)
    .where("expires_at", ">", clock.now().getTime())
    .orderBy("created_at", "desc")
    .orderBy("id")
    .execute();
  return rows.map((row) => ({
    id: row.id,
    createdAt: new Date(row.created_at),
    expiresAt: new Date(row.expires_at),
  }));
}

/** Ends a link at once. Throws NOT_FOUND. */
export async function revokeShare(
  { accountId, id, guard }: Omit<NewShare, "resultId" | "days"> & { readonly id: string },
  { db }: Pick<ShareDeps, "db">,
): Promise<void> {
  await db.kysely.transaction().execute(async (trx) => {
    await guard(trx);
    const { numDeletedRows } = await trx
      .deleteFrom("result_shares")
      .where("id", "=", id)
      .where("account_id", "=", accountId)
      .executeTakeFirstOrThrow();
    if (numDeletedRows === 0n) throw new Refusal("NOT_FOUND", { message: "There is no such link" });
  });
}

/** The kept answer of a link's token; null for what is none, has ended, or whose account is disabled. */
export async function readShared(
  token: string,
  { db, clock }: Omit<ShareDeps, "random">,
): Promise<SharedResult | null> {
  if (!TOKEN.test(token)) return null;
  const row = await db.kysely
    .selectFrom("result_shares")
    .innerJoin("results", "results.id", "result_shares.result_id")
    .innerJoin("accounts", "accounts.id", "results.account_id")
    .selectAll("results")
    .select("result_shares.expires_at")
    .where("token_hash", "=", hashOf(token))
    .where("expires_at", ">", clock.now().getTime())
    .where("accounts.disabled_at", "is", null)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { expires_at: expiresAt, ...result } = row;
  return { result: await openedFrom(result), expiresAt: new Date(expiresAt) };
}
