import { Refusal } from "../../base/failure.ts";
import type { Wire } from "../../base/wire.ts";
import { ENDPOINTS } from "./endpoints.ts";
import { judgingField } from "./fields.ts";
import { reasonOf } from "./reason.ts";
import { type DashboardCall, gives, signedIn, takes } from "./route.ts";
import type { FeedView } from "./shapes.ts";

/** How the engines fare, and what owners do with one of them. */
export const FEED_ROUTES = {
  feeds: gives(ENDPOINTS.feeds, async (call) => ({ feeds: viewFeeds(call) })),
  tryFeed: gives(ENDPOINTS.tryFeed, async (call) => call.dashboard.sources.try(engineOf(call).key)),
  updateFeed: gives(ENDPOINTS.updateFeed, async (call) => {
    const { key, status, refresh_minutes: minutes } = feedOf(call);
    if (status === "disabled" || minutes === null) {
      const why = status === "disabled" ? "it is off" : "it is asked live";
      throw new Refusal("CONFLICT", { message: `Cannot update "${key}": ${why}` });
    }
    await call.dashboard.sources.update(key);
    return feedOf(call);
  }),
  switchFeed: takes(ENDPOINTS.switchFeed, async (call, { value, reason: text }) => {
    const { key, owner_switch: before } = engineOf(call);
    const reason = await judgingField("reason", { reason: text }, () => reasonOf(text));
    const { id: sessionId, actor } = signedIn(call);
    await call.dashboard.sources.switch({ key, isOn: value, actor, reason, sessionId });
    const after = feedOf(call);
    if (value === true && after.status === "disabled") {
      const isOn = before === null ? null : before === "on";
      await call.dashboard.sources.switch({ key, isOn, actor, reason, sessionId });
      throw new Refusal("CONFLICT", { message: `Cannot switch "${key}" on: ${after.disabled_reason}` });
    }
    return after;
  }),
};

type Feed = Wire<typeof FeedView>;

function feedOf(call: DashboardCall): Feed {
  const key = call.param("key");
  const found = viewFeeds(call).find((feed) => feed.key === key);
  if (found === undefined) throw new Refusal("NOT_FOUND", { message: `There is no engine "${key}"` });
  return found;
}

/** The same, of what can be tried and switched. */
function engineOf(call: DashboardCall): Feed {
  const found = feedOf(call);
  if (found.kind === "table")
    throw new Refusal("NOT_FOUND", { message: `"${found.key}" is a table, not an engine` });
  return found;
}

/** Sizes and errors of lists that the operator configured are for owners. */
function viewFeeds(call: DashboardCall): Feed[] {
  const { dashboard } = call;
  const isOwner = dashboard.sessions.isOperator(signedIn(call));
  return dashboard.feeds().map(({ own, ...feed }) => ({
    ...feed,
    ...(isOwner || !own ? {} : { entries: null, dropped: null, last_error: null, tries: [] }),
  }));
}
