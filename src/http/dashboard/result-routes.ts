import type { z } from "zod";
import { isoSeconds } from "../../base/clock.ts";
import { DAY_MS } from "../../base/durations.ts";
import { PRODUCT_NAMES } from "../../products/all.ts";
import { type KeptResult, resultFactsOf, type Share } from "../../results/result.ts";
import { choiceOf, pageOf } from "./days.ts";
import { ENDPOINTS } from "./endpoints.ts";
import { type ResultsView, ResultVerdict } from "./result-shapes.ts";
import { changeBy, type DashboardCall, gives, signedIn, takes } from "./route.ts";

/** Where a link to a kept answer leads. */
export const SHARED_BASE = "/shared";

/** The kept answers of an account, and the links to them. */
export const RESULT_ROUTES = {
  results: gives(ENDPOINTS.results, async (call) => {
    const { results } = call.dashboard;
    const filter = {
      q: (call.query("q") ?? "").slice(0, MAX_SOUGHT),
      verdict: choiceOf(call.query, "verdict", ResultVerdict.options),
      product: choiceOf(call.query, "product", PRODUCT_NAMES),
      runId: call.query("run"),
    };
    const found = await results.list(signedIn(call).account.id, filter, pageOf(call.query));
    return { results: found.results.map(viewResult), total: found.total, kept_days: results.keptDays };
  }),
  result: gives(ENDPOINTS.result, async (call) => {
    const { results } = call.dashboard;
    const { shares, question, data, ...result } = await results.open(accountOf(call), call.param("id"));
    const answer: unknown = JSON.parse(data);
    return {
      result: {
        ...viewResult(result),
        question: { ...question },
        expires_at: isoSeconds(new Date(result.at.getTime() + results.keptDays * DAY_MS)),
        report: answer,
      },
      shares: shares.map(viewShare),
    };
  }),
  removeResult: gives(ENDPOINTS.removeResult, async (call) => {
    await call.dashboard.results.remove({ ...changeBy(call), id: call.param("id") });
    return { done: true } as const;
  }),
  shareResult: takes(ENDPOINTS.shareResult, async (call, { days }) => {
    const wish = { ...changeBy(call), resultId: call.param("id"), days };
    const { token, share } = await call.dashboard.results.share(wish);
    return { ...viewShare(share), path: `${SHARED_BASE}/${token}` };
  }),
  revokeShare: gives(ENDPOINTS.revokeShare, async (call) => {
    await call.dashboard.results.revokeShare({ ...changeBy(call), id: call.param("id") });
    return { done: true } as const;
  }),
};

const MAX_SOUGHT = 200;

const accountOf = (call: DashboardCall): string => signedIn(call).account.id;

const viewResult = (result: KeptResult): z.output<typeof ResultsView>["results"][number] => ({
  id: result.id,
  at: isoSeconds(result.at),
  request_id: result.requestId,
  product: result.product,
  target: result.target,
  ...resultFactsOf(result),
  run_id: result.runId,
});

const viewShare = ({ id, createdAt, expiresAt }: Share) => ({
  id,
  created_at: isoSeconds(createdAt),
  expires_at: isoSeconds(expiresAt),
});
