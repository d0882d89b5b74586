import type { z } from "zod";
import { isoSeconds } from "../../base/clock.ts";
import { Refusal } from "../../base/failure.ts";
import { PRODUCTS } from "../../products/all.ts";
import { resultFactsOf } from "../../results/result.ts";
import { ITEM_STATES, MAX_LINES, type Run, type RunItem, type RunProgress } from "../../runs/run.ts";
import { choiceOf, pageOf } from "./days.ts";
import { ENDPOINTS } from "./endpoints.ts";
import { ResultVerdict } from "./result-shapes.ts";
import { changeBy, type DashboardCall, gives, signedIn, takes } from "./route.ts";
import { readLines } from "./run-lines.ts";
import type { RunItemsView, RunView } from "./run-shapes.ts";

/** Bulk runs: lines are added to a draft, which is then started and goes on by itself. */
export const RUN_ROUTES = {
  runs: gives(ENDPOINTS.runs, async (call) => {
    const runs = await call.dashboard.runs.list(signedIn(call).account.id);
    const now = call.parts.calls.clock.now();
    return {
      runs: runs.map((run) => viewRun(run, now)),
      max_lines: MAX_LINES,
      kept_days: call.dashboard.results.keptDays,
    };
  }),
  run: gives(ENDPOINTS.run, async (call) => ({
    run: viewRun(await call.dashboard.runs.read(refOf(call)), call.parts.calls.clock.now()),
  })),
  runItems: gives(ENDPOINTS.runItems, async (call) => {
    const { query } = call;
    const wish = {
      state: choiceOf(query, "state", ITEM_STATES),
      verdict: choiceOf(query, "verdict", ResultVerdict.options),
      after: 0,
      ...pageOf(query),
    };
    return { items: (await call.dashboard.runs.items(refOf(call), wish)).map(viewItem) };
  }),
  createRun: takes(ENDPOINTS.createRun, async (call, { name, columns }) => {
    const { results, runs } = call.dashboard;
    if (results.keptDays === 0) {
      throw new Refusal("CONFLICT", {
        message: "This installation keeps no results, which a run needs: use the API's bulk endpoints",
      });
    }
    const wish = { ...changeBy(call), name, columns, clientAddress: call.client.address };
    return { id: (await runs.create(wish)).id };
  }),
  addRunLines: takes(ENDPOINTS.addRunLines, async (call, given) => {
    const { first_line: firstLine, domains_as: domainsAs, column, rows } = given;
    const lines = await readLines({ firstLine, column, domainsAs, rows });
    await call.dashboard.runs.addLines({ ...changeOf(call), lines });
    return { done: true } as const;
  }),
  startRun: gives(ENDPOINTS.startRun, async (call) => {
    const { id: sessionId, account, actor } = signedIn(call);
    const wish = { accountId: account.id, sessionId, actor };
    // The run is paid for as any other lookup of this session is.
    await call.dashboard.makeSessionKey(wish);
    await call.dashboard.runs.start({ ...changeOf(call), sessionId, clientAddress: call.client.address });
    call.dashboard.wakeRuns();
    return { done: true } as const;
  }),
  cancelRun: gives(ENDPOINTS.cancelRun, async (call) => {
    await call.dashboard.runs.cancel(changeOf(call));
    return { done: true } as const;
  }),
  removeRun: gives(ENDPOINTS.removeRun, async (call) => {
    await call.dashboard.runs.remove(changeOf(call));
    return { done: true } as const;
  }),
};

/** The run that a path names, of the account that is signed in. */
export const refOf = (call: DashboardCall) => ({
  accountId: signedIn(call).account.id,
  id: call.param("id"),
});

const changeOf = (call: DashboardCall) => ({ ...changeBy(call), id: call.param("id") });

const priceOf = (product: string): number => PRODUCTS.find(({ name }) => name === product)?.price ?? 0;

function viewRun(run: Run & { readonly progress: RunProgress }, now: Date): z.output<typeof RunView>["run"] {
  const { lines, credits, verdicts, waiting } = run.progress;
  return {
    id: run.id,
    name: run.name,
    columns: [...run.columns],
    state: run.state,
    reason: run.reason,
    created_at: isoSeconds(run.createdAt),
    changed_at: isoSeconds(run.changedAt),
    lines,
    credits,
    cost_left: Object.entries(waiting).reduce((sum, [name, count]) => sum + count * priceOf(name), 0),
    seconds_left: secondsLeft(run, lines.waiting, now),
    verdicts,
  };
}

/** How long the waiting lines take at the speed since the run last began. */
function secondsLeft({ state, resumedAt, leftAtResume }: Run, waiting: number, now: Date): number | null {
  if (state !== "running" || resumedAt === null || leftAtResume === null) return null;
  const settled = leftAtResume - waiting;
  if (settled <= 0) return null;
  return Math.ceil(((now.getTime() - resumedAt.getTime()) / 1000 / settled) * waiting);
}

/** A line on the wire. */
const viewItem = (item: RunItem): z.output<typeof RunItemsView>["items"][number] => ({
  line: item.line,
  cells: [...item.cells],
  product: item.product,
  target: item.target,
  state: item.state,
  same_as: item.sameAs,
  note: item.note,
  ...resultFactsOf(item),
  result_id: item.resultId,
});
