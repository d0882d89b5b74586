import type { Account, ApiKey } from "../../accounts/accounts.ts";
import type { AuditRow } from "../../accounts/audit.ts";
import type { LastCall } from "../../accounts/ledger/recent-calls.ts";
import { REFUSED_STATUS } from "../../accounts/ledger/refused-calls.ts";
import { isoSeconds, isoSecondsOrNull } from "../../base/clock.ts";
import type { Wire } from "../../base/wire.ts";
import type { AccountsView, AccountView, AuditView, OverviewView } from "./shapes.ts";

/** A key without itself. */
export const viewKey = (key: ApiKey, calls: number): Wire<typeof AccountView>["keys"][number] => ({
  id: key.id,
  name: key.name,
  prefix: key.prefix,
  state: key.state,
  created_at: isoSeconds(key.createdAt),
  last_used_at: isoSecondsOrNull(key.lastUsedAt),
  revoked_at: isoSecondsOrNull(key.revokedAt),
  kind: key.sessionId === null ? "api" : "dashboard",
  expires_at: isoSecondsOrNull(key.options.expiresAt),
  networks: key.options.networks,
  products: key.options.products,
  replaced_by: key.replacedBy,
  calls_30_days: calls,
});

/** A row of the call history, or calls that were counted in place of one. `results`: kept answers by request id. */
export function viewCall(
  call: LastCall,
  results: ReadonlyMap<string, string>,
): Wire<typeof OverviewView>["last_calls"][number] {
  const { endpoint } = call;
  const at = isoSeconds(call.at);
  if (call.kind === "refused") {
    const { calls } = call;
    return { at, endpoint, calls, status: REFUSED_STATUS, items: 0, credits: 0, ...NOT_KEPT };
  }
  return {
    ...{ at, endpoint, calls: 1 },
    request_id: call.requestId,
    key_prefix: call.keyPrefix,
    target_kind: call.targetKind,
    target: call.target,
    items: call.items,
    status: call.status,
    credits: call.credits,
    elapsed_ms: call.elapsedMs,
    result_id: results.get(call.requestId) ?? null,
  };
}

const NOT_KEPT = {
  request_id: null,
  key_prefix: null,
  target_kind: null,
  target: null,
  elapsed_ms: null,
  result_id: null,
} as const;

/** An account as its operator sees it. */
export const viewAccount = (
  account: Account,
  isOwner: boolean,
): Wire<typeof AccountsView>["accounts"][number] => ({
  id: account.id,
  email: account.email,
  plan: account.plan,
  credits_remaining: account.credits,
  credits_reset_at: isoSecondsOrNull(account.creditsResetAt),
  created_at: isoSeconds(account.createdAt),
  disabled_at: isoSecondsOrNull(account.disabledAt),
  is_owner: isOwner,
  billing_status: account.billingStatus,
});

/** A row of the audit log; its reason stands apart. */
export function viewAudit(
  row: AuditRow & { readonly email: string | null },
): Wire<typeof AuditView>["audit"][number] {
  const { reason, ...detail } = row.detail;
  return {
    id: row.id,
    at: isoSeconds(row.at),
    actor: row.actor,
    action: row.action,
    account_id: row.accountId,
    account_email: row.email,
    reason: typeof reason === "string" ? reason : null,
    detail,
  };
}
