import type { Account } from "../../accounts/accounts.ts";
import { InvalidValue, Refusal } from "../../base/failure.ts";
import { lastDays, pageOf } from "./days.ts";
import { ENDPOINTS } from "./endpoints.ts";
import { judgingField } from "./fields.ts";
import { MAX_REVOKED_KEYS } from "./key-routes.ts";
import { reasonOf } from "./reason.ts";
import { type DashboardCall, gives, signedIn, takes } from "./route.ts";
import { viewAccount, viewAudit, viewKey } from "./views.ts";

const MAX_SEARCH = 254;
const AUDIT_OF_ACCOUNT = 50;

/** What owners see of others, and change with a reason. */
export const ADMIN_ROUTES = {
  adminAccounts: gives(ENDPOINTS.adminAccounts, async (call) => {
    const { directory, sessions } = call.dashboard;
    const text = (call.query("q") ?? "").slice(0, MAX_SEARCH);
    const { accounts, total } = await directory.search(text, pageOf(call.query));
    return { accounts: accounts.map((account) => viewAccount(account, sessions.isOwner(account))), total };
  }),
  adminAccount: gives(ENDPOINTS.adminAccount, (call) => viewWhole(call)),
  adminChange: takes(ENDPOINTS.adminChange, async (call, body) => {
    const reason = await judgingField("reason", body, () => reasonOf(body.reason));
    const { id: sessionId, actor } = signedIn(call);
    const change = { accountId: call.param("id"), actor, sessionId, reason };
    await judgingField("value", body, () => CHANGES[body.change](call, change, body.value));
    return viewWhole(call);
  }),
  adminAudit: gives(ENDPOINTS.adminAudit, async (call) => {
    const { rows, total } = await call.dashboard.directory.audit(pageOf(call.query));
    return { audit: rows.map(viewAudit), total };
  }),
};

async function viewWhole(call: DashboardCall) {
  const { directory, accounts, usage, sessions } = call.dashboard;
  const accountId = call.param("id");
  const account = await directory.account(accountId);
  const days = lastDays(call.parts.calls.clock.now(), 30);
  const keys = await accounts.listKeys({ accountId, maxRevoked: MAX_REVOKED_KEYS });
  const calls = await usage.callsByKey(accountId, days);
  const { rows } = await directory.audit({ accountId, limit: AUDIT_OF_ACCOUNT, offset: 0 });
  return {
    account: viewAccount(account, sessions.isOwner(account)),
    keys: keys.map((key) => viewKey(key, calls.get(key.id) ?? 0)),
    last_30_days: await usage.totals(accountId, days),
    audit: rows.map(viewAudit),
  };
}

type Change = {
  readonly accountId: string;
  readonly actor: string;
  readonly sessionId: string;
  readonly reason: string;
};
type Make = (call: DashboardCall, change: Change, value: unknown) => Promise<Account>;

const CHANGES: Readonly<Record<"plan" | "credits" | "disabled" | "owner", Make>> = {
  plan: async ({ dashboard }, change, value) => {
    if (typeof value !== "string") throw wrongValue("the name of a plan");
    return dashboard.accounts.setPlan({ ...change, plan: value });
  },
  credits: async ({ dashboard }, change, value) => {
    if (typeof value !== "number") throw wrongValue("a whole number");
    return dashboard.accounts.setCredits({ ...change, credits: value });
  },
  disabled: async (call, change, value) => {
    if (typeof value !== "boolean") throw wrongValue("true or false");
    if (value) refuseSelf(call, "disable");
    return call.dashboard.accounts.setDisabled({ ...change, isDisabled: value });
  },
  owner: async (call, change, value) => {
    if (typeof value !== "boolean") throw wrongValue("true or false");
    if (!value) refuseSelf(call, "take the ownership of");
    return call.dashboard.accounts.setOwner({ ...change, isOwner: value });
  },
};

const wrongValue = (wanted: string): InvalidValue =>
  new InvalidValue("value_type", `Here ${wanted} is wanted`);

/** An owner cannot lock their own account by mistake; another owner or the command line can. */
function refuseSelf(call: DashboardCall, what: string): void {
  if (call.param("id") !== signedIn(call).account.id) return;
  throw new Refusal("CONFLICT", { message: `You cannot ${what} the account that you are signed in to` });
}
