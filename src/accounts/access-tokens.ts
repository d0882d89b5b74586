import type { Selectable } from "kysely";
import { dateOrNull } from "../base/clock.ts";
import type { Schema } from "../db/schema.ts";
import type { ApiKey } from "./accounts.ts";
import type { KeyRestriction } from "./key-options.ts";
import { restrictionFrom } from "./key-options.ts";
import { keyState } from "./rows.ts";
import { scopesFrom, type TokenScope } from "./token-scopes.ts";

/** A credential that looks nothing up and costs nothing: it fetches exports and decisions, and asks the gate. */
export type AccessToken = Pick<
  ApiKey,
  "id" | "accountId" | "name" | "prefix" | "createdAt" | "lastUsedAt" | "revokedAt" | "state"
> & {
  readonly scopes: readonly TokenScope[];
  /** Networks that calls may come from; null: any. */
  readonly networks: readonly string[] | null;
  readonly expiresAt: Date | null;
};

/** What is known of a token that works, on an account that is alive. */
export type TokenBearer = {
  readonly tokenId: string;
  readonly accountId: string;
  readonly prefix: string;
  readonly scopes: ReadonlySet<TokenScope>;
  readonly allowsAddress: KeyRestriction["allowsAddress"];
};

export type AccessTokenRow = Selectable<Schema["access_tokens"]>;

/** A token without its hash, as it stands at `now`. */
export const accessTokenFrom = (row: AccessTokenRow, now: Date): AccessToken => ({
  id: row.id,
  accountId: row.account_id,
  name: row.name,
  prefix: row.prefix,
  scopes: scopesFrom(row.scopes),
  networks: row.networks?.split(" ") ?? null,
  expiresAt: dateOrNull(row.expires_at),
  createdAt: new Date(row.created_at),
  lastUsedAt: dateOrNull(row.last_used_at),
  revokedAt: dateOrNull(row.revoked_at),
  state: keyState(row, now.getTime()),
});

/** The bearer of a row whose token and account are alive. */
export const bearerFrom = (
  row: Pick<AccessTokenRow, "id" | "account_id" | "prefix" | "scopes" | "networks">,
): TokenBearer => ({
  tokenId: row.id,
  accountId: row.account_id,
  prefix: row.prefix,
  scopes: new Set(scopesFrom(row.scopes)),
  allowsAddress: restrictionFrom(row.networks, null)?.allowsAddress ?? (() => true),
});
