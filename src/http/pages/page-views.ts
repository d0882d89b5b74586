import { FREE_PLAN, PLANS, type PlanName } from "../../accounts/plans.ts";
import { planTerms } from "../../accounts/shapes.ts";
import type { Refusal } from "../../base/failure.ts";
import { ERROR_CODES } from "../../base/failure.ts";
import { causesOf } from "../../feeds/retrieval/causes.ts";
import { hostOfSource } from "../../feeds/retrieval/failure-report.ts";
import type { SourceHistory } from "../../feeds/retrieval/source-days.ts";
import { halfOf } from "../../metering/limits/headers.ts";
import { PRODUCTS } from "../../products/all.ts";
import type { HttpParts } from "../context.ts";
import { type Problem, type PublicPage, Source } from "./page-shapes.ts";
import { readShippedSets } from "./sources.ts";

/** The four plans and what a call costs. */
export function pricingPage({ dashboard: { billing, signup } }: HttpParts): PublicPage {
  const isSelling = PLANS.some(({ name }) => billing.canBuy(name));
  const hasPrice = (plan: PlanName) => (plan === FREE_PLAN ? isSelling : billing.canBuy(plan));
  return {
    page: "pricing",
    has_billing: isSelling,
    can_sign_up: signup === "open",
    plans: PLANS.map((plan) => ({
      ...planTerms(plan),
      half_requests_per_second: halfOf(plan.requestsPerSecond),
      price_usd_per_month: hasPrice(plan.name) ? plan.priceUsdPerMonth : null,
    })),
    products: PRODUCTS.map(({ name, summary, price }) => ({ name, summary, price })),
  };
}

/** Every product with an example call. */
export const guidePage = (): PublicPage => ({
  page: "guide",
  products: PRODUCTS.map(({ name, summary, description, price, bulk, free, example }) => ({
    name,
    summary,
    description,
    price,
    has_bulk: bulk !== null,
    free_path: free?.path ?? null,
    example: { ...example },
  })),
});

/** How the service and its sources are. */
export async function statusPage(parts: HttpParts): Promise<PublicPage> {
  const known = await historyOf(parts);
  const watched = <T extends { readonly key: string }>(source: T) => ({
    ...source,
    history: [...(known?.get(source.key) ?? [])],
  });
  const sources = enabledSources(parts).map(watched);
  return {
    page: "status",
    version: parts.version,
    database: await parts.isDatabaseReachable(),
    are_limits_shared: parts.areLimitsShared(),
    resolver_trouble: parts.calls.deps.resolverTrouble()?.sentence ?? null,
    missing: [...parts.calls.missingParts()],
    lists: { ...parts.listProgress() },
    causes: causesFor(parts),
    is_history_known: known !== null,
    engines: sources.filter(isEngine),
    allowlists: sources.filter((source) => !isEngine(source)),
    tables: parts.tables().map(({ key, name, own, status, entries, dataAgeS, seed, lastError }) =>
      watched({
        ...{ key, name, status, entries, seed },
        data_age_s: dataAgeS,
        last_error: own ? null : lastError,
      }),
    ),
  };
}

/** Null while the database is away. */
async function historyOf({ sourceHistory, isDatabaseUnavailable }: HttpParts): Promise<SourceHistory | null> {
  try {
    return await sourceHistory();
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
    return null;
  }
}

const SHOWN_OF_CAUSE = 5;

/** What went wrong with the operator's own lists is for owners. */
function causesFor({ calls: { deps } }: HttpParts) {
  const { definitions, list, ownKeys } = deps.engines;
  const byKey = new Map(definitions().map((definition) => [definition.engine.key, definition]));
  const rows = list().flatMap(({ key, status, last_error: reason }) => {
    const feed = byKey.get(key)?.feed ?? null;
    if (feed === null || status === "disabled" || ownKeys.has(key)) return [];
    return [{ key, reason, host: hostOfSource(feed) }];
  });
  return causesOf(rows).map(({ reason, keys, hosts, check }) => ({
    ...{ reason, check, count: keys.length },
    names: keys.slice(0, SHOWN_OF_CAUSE).map((key) => byKey.get(key)?.engine.name ?? key),
    hosts: hosts.slice(0, SHOWN_OF_CAUSE),
  }));
}

let shipped: ReturnType<typeof readShippedSets> | null = null;

/** Where the data comes from. What is shipped does not change while the service runs. */
export function sourcesPage(parts: HttpParts): PublicPage {
  shipped ??= readShippedSets();
  return { page: "sources", sets: [...shipped], live: enabledSources(parts) };
}

/** The page with the one field. */
export const homePage = (parts: HttpParts, asked = "", fault: string | null = null): PublicPage => ({
  page: "home",
  asked,
  fault,
  engines: enabledSources(parts).filter(isEngine).length,
});

/** Whether it accuses: an allowlist clears. */
const isEngine = ({ kind }: { readonly kind: string }): boolean => kind !== "allow";

function enabledSources({ calls: { deps } }: HttpParts) {
  const { ownKeys } = deps.engines;
  return deps.engines
    .list()
    .filter(({ status }) => status !== "disabled")
    .map((row) => Source.parse({ ...row, ...(ownKeys.has(row.key) ? UNDESCRIBED : {}) }));
}

/** What the page does not say of an engine that the operator configured. */
const UNDESCRIBED = {
  target: null,
  entries: null,
  data_age_s: null,
  last_success: null,
  last_error: null,
  seed: false,
} as const;

/** A refusal in the words of a page; of a 422 the first fault. */
export const problemOf = (refusal: Refusal, requestId: string): Problem => ({
  status: ERROR_CODES[refusal.code].status,
  message: refusal.faults[0]?.msg ?? refusal.message,
  request_id: requestId,
  retry_after_s: refusal.retryAfterS,
});
