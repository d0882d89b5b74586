import { Refusal } from "../../failure.ts";
import { viewSubscription } from "../subscription.ts";
import { dayBefore, daysOf } from "./days.ts";
import { ENDPOINTS } from "./endpoints.ts";
import { type DashboardCall, gives, signedIn } from "./route.ts";
import { viewCall, viewUsage } from "./views.ts";

/** Rows of one answer: a year of a busy account may have more, then the days must be fewer. */
const MAX_USAGE_ROWS = 20_000;
const LAST_CALLS = 10;

/** What an account sees of itself: overview, usage; and how the engines fare. */
export const ACCOUNT_ROUTES = {
  overview: gives(ENDPOINTS.overview, async (call) => {
    const { id } = signedIn(call).account;
    const { accounts, usage } = call.dashboard;
    const { clock, ledger } = call.parts.calls;
    // Calls that were refused a moment ago are to be seen.
    await ledger.flush();
    const now = clock.now();
    const [today, yesterday] = [dayBefore(now, 0), dayBefore(now, 1)];
    const calls = await usage.lastCalls(id, { limit: LAST_CALLS });
    const keys = await accounts.listKeys({ accountId: id, maxRevoked: 0 });
    return {
      subscription: viewSubscription(await subscriptionOf(call)),
      today: await usage.totals(id, { from: today, to: today }),
      yesterday: await usage.totals(id, { from: yesterday, to: yesterday }),
      last_calls: calls.map(viewCall),
      steps: {
        has_key: keys.some(({ state }) => state === "active"),
        has_call: await usage.hasLookedUp(id),
      },
    };
  }),
  usage: gives(ENDPOINTS.usage, async (call) => {
    const { days, rows } = await readUsage(call);
    return { ...days, rows: rows.map(viewUsage) };
  }),
  feeds: gives(ENDPOINTS.feeds, async (call) => ({ feeds: viewFeeds(call) })),
};

/** Sizes and errors of lists that the operator configured are for owners. */
function viewFeeds(call: DashboardCall) {
  const { dashboard, parts } = call;
  const { ownKeys } = parts.calls.deps.engines;
  const isOwner = dashboard.sessions.isOwner(signedIn(call).account);
  return dashboard.feeds().map((feed) => ({
    ...feed,
    ...(isOwner || !ownKeys.has(feed.key)
      ? {}
      : { entries: null, dropped: null, last_error: null, tries: [] }),
  }));
}

/** The roll-up of the days that the query names. Throws VALIDATION when they are too many, or hold too much. */
export async function readUsage(call: DashboardCall) {
  const days = daysOf(call.query, call.parts.calls.clock.now());
  const { id } = signedIn(call).account;
  await call.parts.calls.ledger.flush();
  const rows = await call.dashboard.usage.rows(id, days, { limit: MAX_USAGE_ROWS + 1 });
  if (rows.length <= MAX_USAGE_ROWS) return { days, rows };
  throw new Refusal("VALIDATION", {
    message: `These days hold more than ${MAX_USAGE_ROWS} rows: ask for fewer`,
    field: "from",
  });
}

async function subscriptionOf(call: DashboardCall) {
  const subscription = await call.parts.subscriptionOf(signedIn(call).account.id);
  if (subscription === null) throw new Refusal("NOT_SIGNED_IN");
  return subscription;
}
