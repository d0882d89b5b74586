import { REFUSED_STATUS } from "../../accounts/ledger/refused-calls.ts";
import type { Latency } from "../../accounts/usage-hours.ts";
import { messageOf } from "../../base/caught.ts";
import { Refusal } from "../../base/failure.ts";
import { ownersExportViews } from "../exports/view.ts";
import { dayOf, daysOf } from "./days.ts";
import { ENDPOINTS } from "./endpoints.ts";
import { changeBy, type DashboardCall, gives, signedIn, takes } from "./route.ts";
import { viewCall } from "./views.ts";

/** Rows of one answer: a year of a busy account may have more, then the days must be fewer. */
const MAX_USAGE_ROWS = 20_000;

/** What an account sees of itself: overview and usage. */
export const ACCOUNT_ROUTES = {
  overview: gives(ENDPOINTS.overview, async (call) => {
    const { id } = signedIn(call).account;
    const { accounts, activityOf, results } = call.dashboard;
    const { today, yesterday, lastCalls, hasLookedUp } = await activityOf(id);
    const requestIds = lastCalls.flatMap((one) => (one.kind === "call" ? [one.requestId] : []));
    const kept = await results.idsOf(id, requestIds);
    const keys = await accounts.listKeys({ accountId: id, maxRevoked: 0 });
    return {
      subscription: await subscriptionOf(call),
      today,
      yesterday,
      last_calls: lastCalls.map((one) => viewCall(one, kept)),
      steps: {
        has_key: keys.some(({ state, sessionId }) => state === "active" && sessionId === null),
        has_call: hasLookedUp,
      },
    };
  }),
  usage: gives(ENDPOINTS.usage, async (call) => {
    const { days, rows } = await readUsage(call);
    return { ...days, rows };
  }),
  usageHours: gives(ENDPOINTS.usageHours, async (call) => {
    const day = dayOf(call.query, call.parts.calls.clock.now());
    const { id } = signedIn(call).account;
    const { accounts, usageHoursOf } = call.dashboard;
    await call.parts.calls.ledger.flush();
    const { rows, leftOut, latency, latencyByHour } = await usageHoursOf(id, day);
    const keys = new Map((await accounts.listKeys({ accountId: id })).map((key) => [key.id, key]));
    return {
      day,
      rows: rows.map(({ keyId, ...row }) => {
        const { prefix, name } = keys.get(keyId) ?? (row.status === REFUSED_STATUS ? ANY_KEY : NO_KEY);
        return { ...row, key_id: keyId, key_prefix: prefix, key_name: name };
      }),
      left_out: leftOut,
      latency: latency.map(({ endpoint, ...one }) => ({ endpoint, ...viewLatency(one) })),
      latency_by_hour: latencyByHour.map(({ hour, ...one }) => ({ hour, ...viewLatency(one) })),
    };
  }),
  alerts: gives(ENDPOINTS.alerts, (call) => call.dashboard.alerts.settings(personIdOf(call))),
  changeAlerts: takes(ENDPOINTS.changeAlerts, async (call, settings) => {
    await call.dashboard.alerts.change(personIdOf(call), settings, changeBy(call).guard);
    return settings;
  }),
  exports: gives(ENDPOINTS.exports, async ({ parts: { exports } }) => ({
    exports: ownersExportViews(exports),
  })),
  releaseExport: gives(ENDPOINTS.releaseExport, async ({ parts: { exports }, param }) => {
    const name = param("name");
    if (exports.find(name) === null)
      throw new Refusal("NOT_FOUND", { message: `There is no export "${name}"`, field: "name" });
    try {
      await exports.release(name);
    } catch (error) {
      throw new Refusal("CONFLICT", { message: messageOf(error) });
    }
    return { done: true } as const;
  }),
};

/** A session called, or its key, which has no name any more. */
const NO_KEY = { prefix: "session", name: "Dashboard" };
/** Calls that the limits refused are not counted by key. */
const ANY_KEY = { prefix: "", name: "Any key" };

const viewLatency = ({ calls, p50Ms, p95Ms }: Latency) => ({ calls, p50_ms: p50Ms, p95_ms: p95Ms });

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

/** Of a session that the endpoint's audience wants of a person. */
function personIdOf(call: DashboardCall): string {
  const { person } = signedIn(call);
  if (person === null) throw new Refusal("NOT_SIGNED_IN");
  return person.id;
}

async function subscriptionOf(call: DashboardCall) {
  const subscription = await call.parts.subscriptionOf(signedIn(call).account.id);
  if (subscription === null) throw new Refusal("NOT_SIGNED_IN");
  return subscription;
}
