import { type SelectQueryBuilder, sql } from "kysely";
import type { Schema } from "../db/schema.ts";
import { normaliseEmail, readAccountRow, type StoreDeps } from "./account-rows.ts";
import type { Account } from "./accounts.ts";
import { type AuditRow, auditFromRow } from "./audit.ts";
import { accountFromRow } from "./rows.ts";

type Page = { readonly limit: number; readonly offset: number };

/** An audit row with the e-mail of its account as it is now; null where there is none. */
type NamedAuditRow = AuditRow & { readonly email: string | null };

/** What owners look through. */
export type Directory = {
  /**
   * Accounts by e-mail, and how many match: those whose e-mail holds the text, or whose id or key's prefix it is. All for
   * an empty one.
   */
  readonly search: (text: string, page: Page) => Promise<{ accounts: readonly Account[]; total: number }>;
  /** Throws NOT_FOUND. */
  readonly account: (accountId: string) => Promise<Account>;
  /** The audit log, newest first, of one account or of all. */
  readonly audit: (
    wish: Page & { readonly accountId?: string },
  ) => Promise<{ rows: readonly NamedAuditRow[]; total: number }>;
};

/** Reads accounts and the audit log by pages. */
export function createDirectory(deps: Pick<StoreDeps, "db" | "clock">): Directory {
  const { kysely } = deps.db;
  return {
    search: async (text, { limit, offset }) => {
      // PostgreSQL takes no U+0000, and nothing that is looked for holds a control character.
      const sought = text.toWellFormed().replace(/\p{Cc}/gu, "");
      const matching = matchingAccounts(deps, normaliseEmail(sought), sought.trim());
      const rows = await matching.selectAll().orderBy("email").limit(limit).offset(offset).execute();
      const accounts = rows.map((row) => accountFromRow(row, deps.clock.now()));
      return { accounts, total: await countOf(matching) };
    },
    account: async (accountId) =>
      accountFromRow(await readAccountRow(kysely, { accountId }), deps.clock.now()),
    audit: async ({ accountId, limit, offset }) => {
      const all = kysely.selectFrom("audit");
      const wanted = accountId === undefined ? all : all.where("audit.account_id", "=", accountId);
      const rows = await wanted
        .leftJoin("accounts", "accounts.id", "audit.account_id")
        .selectAll("audit")
        .select("accounts.email")
        .orderBy("audit.at", "desc")
        .orderBy("audit.id")
        .limit(limit)
        .offset(offset)
        .execute();
      return {
        rows: rows.map((row) => ({ ...auditFromRow(row), email: row.email })),
        total: await countOf(wanted),
      };
    },
  };
}

function matchingAccounts({ db }: Pick<StoreDeps, "db">, email: string, exact: string) {
  const all = db.kysely.selectFrom("accounts");
  if (email === "") return all;
  // `%` and `_` in what was typed are themselves.
  const pattern = `%${email.replace(/[\\%_]/g, "\\$&")}%`;
  return all.where((eb) =>
    eb.or([
      sql<boolean>`email like ${pattern} escape '\\'`,
      eb("id", "=", exact),
      eb("id", "in", eb.selectFrom("api_keys").select("account_id").where("prefix", "=", exact.slice(0, 12))),
    ]),
  );
}

async function countOf<T extends keyof Schema>(
  query: SelectQueryBuilder<Schema, T, object>,
): Promise<number> {
  const { count } = await query.select(sql<number>`count(*)`.as("count")).executeTakeFirstOrThrow();
  return Number(count);
}
