import type { Generated } from "kysely";
import type { AlertSettingsTable, AlertsTable, PersonNetworksTable } from "./alert-tables.ts";
import type {
  CredentialsTable,
  InvitationsTable,
  PeopleTable,
  RecoveryCodesTable,
  ResetTokensTable,
} from "./people-tables.ts";
import type { BulkRunItemsTable, BulkRunsTable, ResultSharesTable, ResultsTable } from "./result-tables.ts";

// Times are milliseconds since 1970 and flags are 0 or 1 in both databases: one representation, no zones, no drivers'
// conversions. Ids are UUID text.

type AccountsTable = {
  id: string;
  /** Lower case. */
  email: string;
  plan: string;
  credits: number;
  /** What the current cycle has granted: its refill, and what changes of plan added. */
  credits_granted: number;
  /** End of the current cycle; when it has passed, a refill is due (read accounts/refill.ts). */
  credits_reset_at: number;
  /** Credits of a cycle during a trial; null: the plan's. */
  trial_grant: number | null;
  /** A payment is late: no refill, and the plan ends then. Null: none is. */
  grace_ends_at: number | null;
  is_owner: number;
  created_at: number;
  disabled_at: number | null;
  billing_status: string | null;
  current_period_end: number | null;
  cancel_at_period_end: number;
  /** A stranger opened it by sign-up. */
  is_signed_up: Generated<number>;
  /** When a mailed link was opened, or the operator made the account; null: never, in accounts of before 0.4 alone. */
  email_proved_at: number | null;
};

type ApiKeysTable = {
  id: string;
  account_id: string;
  name: string;
  /** SHA-256 of the key's text, hexadecimal; of a session's own key, which has no text, `session` and the session's id. */
  hash: string;
  prefix: string;
  created_at: number;
  last_used_at: number | null;
  /** When it stopped working: by revocation, or by its expiry. */
  revoked_at: number | null;
  /** The session that pays by it and that ends it; null: a key with a text. */
  session_id: string | null;
  /** From then on it is refused; null: never. */
  expires_at: number | null;
  /** CIDRs of callers, separated by spaces; null: any. */
  networks: string | null;
  /** Names of products, separated by spaces; null: all. */
  products: string | null;
  /** Id of the key that replaced it; null: none did. */
  replaced_by: string | null;
  /** Who made it on the pages; null: the operator, or it is from before 0.4. */
  person_id: string | null;
};

/** Credentials that look nothing up: they fetch exports and decisions, and ask the gate. */
type AccessTokensTable = {
  id: string;
  account_id: string;
  name: string;
  /** SHA-256 of the token's text, hexadecimal. */
  hash: string;
  prefix: string;
  /** Separated by spaces. */
  scopes: string;
  /** CIDRs of callers, separated by spaces; null: any. */
  networks: string | null;
  /** From then on it is refused; null: never. */
  expires_at: number | null;
  created_at: number;
  /** To the minute. */
  last_used_at: number | null;
  revoked_at: number | null;
  /** Who made it on the pages; null: the operator, or it is from before 0.4. */
  person_id: string | null;
};

/** Accounts that are deleted, and whose call history is still being deleted. */
type AccountDeletionsTable = { account_id: string; at: number };

/** The call history: one row for each authenticated call that is not counted in `refused_calls`, pruned by age. */
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

/**
 * The roll-up of `calls` and `refused_calls`, by the same transaction and never pruned. In SQLite a view of `call_day_sums` and the latest of
 * `calls`, which may have several rows of one account, day, endpoint, key and status.
 */
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

/** Calls that the limits refused (429), in place of a row each: how many in a minute. Pruned with `calls`. */
type RefusedCallsTable = {
  account_id: string;
  /** Start of the minute. */
  minute: number;
  endpoint: string;
  calls: number;
};

/** The newest calls of each account as far as the daily sums go; SQLite only. */
type LastCallsTable = {
  account_id: string;
  /** JSON: ids of `calls`, newest first. */
  ids: string;
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
  /** The API key that opened the session which did it; null: none did. */
  key_id: string | null;
};

/** States of retrieved lists, PostgreSQL only. Times are the server's. */
type FeedStatesTable = {
  key: string;
  /** 0 while nothing was published. */
  version: number;
  /** JSON. */
  state: string | null;
  claimed_by: string | null;
  claimed_until: number;
};

/** Contents of retrieved lists, packed, PostgreSQL only. */
type FeedContentsTable = { key: string; hash: string; packed: Uint8Array };

type SessionsTable = {
  /** Names the session to its owner; opens nothing. */
  id: string;
  /** SHA-256 of the cookie's value, hexadecimal. */
  token_hash: string;
  account_id: string;
  /** Null: an API key opened it. */
  person_id: string | null;
  created_at: number;
  last_seen_at: number;
  expires_at: number;
  client_address: string;
  user_agent: string;
  /** The API key that opened it, and whose revocation ends it; null: a password or a link did. */
  key_id: string | null;
};

/** One row for each subject (an address, an account) of an attempt that failed or is still being judged. */
type SignInAttemptsTable = { id: string; subject: string; at: number };

/** Sign-ups whose mailed link was not opened yet. A used one is deleted; nothing else of them is anywhere. */
type SignUpsTable = {
  token_hash: string;
  /** Lower case. */
  email: string;
  created_at: number;
  expires_at: number;
};

type BillingCustomersTable = {
  account_id: string;
  stripe_customer_id: string | null;
  stripe_subscription_id: string | null;
  /** Counts what was applied: a subscription read before the last of it is old. */
  version: number;
  /** Start of the subscription's period that was seen last; null: none was. */
  period_start: number | null;
  /** The account's plan before that period was seen. */
  plan_before: string | null;
};

/** The payment provider's events that have acted, and the checkouts that were begun there. */
type BillingEventsTable = { id: string; type: string; at: number; account_id: string | null };

/** Invoices that paid a whole period: each begins a credit cycle at most once. */
type BillingInvoicesTable = {
  id: string;
  account_id: string;
  subscription_id: string;
  period_start: number;
  at: number;
};

type MetaTable = { key: string; value: string };

/** What owners switched, before whatever the configuration says. */
type EngineSwitchesTable = { key: string; is_on: number; at: number; actor: string; reason: string };

/** How each source fared, by the day. */
type SourceDaysTable = {
  source: string;
  /** UTC, `2026-11-21`. */
  day: string;
  checks: number;
  healthy: number;
  trouble: string | null;
  /** The quarter of an hour, counted since 1970, that was counted last. */
  slot: number;
};

/** All tables, as both databases have them. */

export type Schema = {
  accounts: AccountsTable;
  api_keys: ApiKeysTable;
  access_tokens: AccessTokensTable;
  account_deletions: AccountDeletionsTable;
  calls: CallsTable;
  call_days: CallDaysTable;
  refused_calls: RefusedCallsTable;
  last_calls: LastCallsTable;
  audit: AuditTable;
  feed_states: FeedStatesTable;
  feed_contents: FeedContentsTable;
  people: PeopleTable;
  invitations: InvitationsTable;
  credentials: CredentialsTable;
  sessions: SessionsTable;
  sign_in_attempts: SignInAttemptsTable;
  reset_tokens: ResetTokensTable;
  sign_ups: SignUpsTable;
  recovery_codes: RecoveryCodesTable;
  engine_switches: EngineSwitchesTable;
  source_days: SourceDaysTable;
  billing_customers: BillingCustomersTable;
  billing_events: BillingEventsTable;
  billing_invoices: BillingInvoicesTable;
  results: ResultsTable;
  result_shares: ResultSharesTable;
  bulk_runs: BulkRunsTable;
  bulk_run_items: BulkRunItemsTable;
  alert_settings: AlertSettingsTable;
  alerts: AlertsTable;
  person_networks: PersonNetworksTable;
  meta: MetaTable;
};
