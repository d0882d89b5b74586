import type { Generated } from "kysely";

// Times are milliseconds since 1970 and flags are 0 or 1 in both databases: one representation, no zones, no drivers'
// conversions. Ids are UUID text.

type AccountsTable = {
  id: string;
  /** Lower case. */
  email: string;
  plan: string;
  credits: number;
  /** End of the current cycle; when it has passed, a refill is due (read accounts/refill.ts). */
  credits_reset_at: number;
  is_owner: number;
  created_at: number;
  disabled_at: number | null;
  billing_status: string | null;
  current_period_end: number | null;
  cancel_at_period_end: number;
};

type ApiKeysTable = {
  id: string;
  account_id: string;
  name: string;
  /** SHA-256 of the key's text, hexadecimal. */
  hash: string;
  prefix: string;
  created_at: number;
  last_used_at: number | null;
  revoked_at: number | null;
};

/** The call history: one row for each authenticated call, pruned by age. */
type CallsTable = {
  id: Generated<number>;
  at: number;
  request_id: string;
  account_id: string;
  key_id: string;
  key_prefix: string;
  endpoint: string;
  target_kind: string;
  target: string | null;
  items: number;
  status: number;
  credits: number;
  elapsed_ms: number;
  client_address: string;
};

/** The roll-up of `calls`, written in the same transaction and never pruned. */
type CallDaysTable = {
  account_id: string;
  /** UTC date, YYYY-MM-DD. */
  day: string;
  endpoint: string;
  key_id: string;
  status: number;
  calls: number;
  items: number;
  credits: number;
};

type AuditTable = {
  id: string;
  at: number;
  /** Who: "cli", "service", "stripe", or a signed-in account's e-mail. */
  actor: string;
  action: string;
  account_id: string | null;
  /** JSON. */
  detail: string;
};

type MetaTable = { key: string; value: string };

/** All tables, as both databases have them. */
export type Schema = {
  accounts: AccountsTable;
  api_keys: ApiKeysTable;
  calls: CallsTable;
  call_days: CallDaysTable;
  audit: AuditTable;
  meta: MetaTable;
};
