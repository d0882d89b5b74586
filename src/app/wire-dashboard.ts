import { guardBySession } from "../accounts/account-rows.ts";
import { createDirectory } from "../accounts/account-search.ts";
import type { Accounts } from "../accounts/account-store.ts";
import { writeEngineSwitch } from "../accounts/engine-switches.ts";
import { createActivity } from "../accounts/ledger/activity.ts";
import type { LedgerWithUpkeep } from "../accounts/ledger/ledger.ts";
import { createUsage } from "../accounts/ledger/usage.ts";
import { makeSessionKey } from "../accounts/session-keys.ts";
import { createTeam } from "../accounts/team.ts";
import { createUsageHours } from "../accounts/usage-hours.ts";
import { keptResultDays, maxKeptBytes } from "../accounts/usage-options.ts";
import { type Alerts, createAlerts } from "../alerts/alerts.ts";
import { type Clock, systemRandom } from "../base/clock.ts";
import type { Log } from "../base/log.ts";
import type { Metrics } from "../base/metrics.ts";
import { type Billing, createBilling } from "../billing/billing.ts";
import { mayCollect } from "../billing/entitlement.ts";
import { createProvider } from "../billing/provider.ts";
import type { Config } from "../config/config.ts";
import type { Database } from "../db/database.ts";
import type { SourceHistory } from "../feeds/retrieval/source-days.ts";
import type { DashboardParts } from "../http/dashboard/parts.ts";
import { answerFacts } from "../metering/answer-facts.ts";
import type { LimitStore } from "../metering/limits/types.ts";
import { createResults, type Results } from "../results/results.ts";
import { createRuns } from "../runs/runs.ts";
import { createWorker, type WorkerDeps } from "../runs/worker.ts";
import { createPasswords } from "../sessions/passwords.ts";
import { createSessions, type Sessions } from "../sessions/sessions.ts";
import { baseOf, type MailParts, openMail } from "./wire-mail.ts";

export type DashboardWiring = {
  readonly config: Config;
  readonly db: Database;
  readonly accounts: Accounts;
  readonly ledger: Pick<LedgerWithUpkeep, "findCaller" | "findSessionCaller" | "flush" | "forgetDeleted">;
  readonly limits: LimitStore;
  readonly lookups: Pick<WorkerDeps, "deps" | "missingParts">;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics | null;
  readonly feeds: DashboardParts["feeds"];
  readonly sourceHistory: () => Promise<SourceHistory>;
  readonly sources: Pick<DashboardParts["sources"], "try" | "update"> & {
    /** Puts owners' switches into force as the database has them. */
    readonly lookAtSwitches: () => Promise<void>;
  };
  /** Where the service listens. */
  readonly address: () => string;
};

type Ends = {
  /** Lets other processes go on with the bulk runs; none is worked on here any more. */
  readonly handOn: () => Promise<void>;
  /** Waits for what goes on when its answer has left. */
  readonly close: () => Promise<void>;
};

/** The pages' own interface, wired. */
export function openDashboard(wiring: DashboardWiring): DashboardParts & Ends {
  const { config, db, accounts, ledger, clock, log, metrics } = wiring;
  const options = config.file.dashboard;
  const deps = { db, clock, random: systemRandom };
  const passwords = createPasswords(deps);
  const sessions = createSessions({ ...deps, ledger, passwords, options, metrics, log });
  const billing = openBilling(wiring);
  const usage = createUsage(db);
  const results = openResults(wiring);
  const runs = openRuns(wiring);
  const mail = openMail(wiring);
  const alerts = openAlerts(mail, wiring);
  return {
    sessions,
    accounts,
    makeSessionKey: (wish) => makeSessionKey(wish, deps),
    guardBySession: (session) => guardBySession(session, deps),
    team: createTeam(deps),
    directory: createDirectory({ db, clock }),
    usage,
    usageHoursOf: createUsageHours(deps),
    activityOf: createActivity({ usage, ledger, clock }),
    results,
    runs: runs.runs,
    alerts,
    wakeRuns: runs.wake,
    feeds: wiring.feeds,
    sources: switchableSources(wiring),
    signup: options.signup,
    keySignIn: options.key_sign_in,
    billing,
    deletion: { mayCollect, owners: options.owners },
    forgetDeleted: ledger.forgetDeleted,
    post: mail?.post ?? null,
    handOn: runs.handOn,
    ...openEnds({ billing, alerts, runs, sessions, results, mail }, wiring),
  };
}

/** What goes on beside calls and behind them, until it is closed. */
function openEnds(
  { billing, alerts, runs, sessions, results, mail }: EndingParts,
  wiring: DashboardWiring,
): Pick<DashboardParts, "afterwards"> & Pick<Ends, "close"> {
  const background = startUpkeep({ billing, alerts }, wiring);
  return {
    afterwards: background.afterwards,
    close: async () => {
      mail?.outbox.end();
      await background.end();
      await runs.handOn();
      await sessions.failuresWritten();
      await results.flush();
    },
  };
}

type EndingParts = {
  readonly billing: Billing;
  readonly alerts: Alerts;
  readonly runs: Pick<Ends, "handOn">;
  readonly sessions: Pick<Sessions, "failuresWritten">;
  readonly results: Pick<Results, "flush">;
  readonly mail: MailParts;
};

const startUpkeep = (
  { billing, alerts }: { readonly billing: Billing; readonly alerts: Alerts },
  wiring: DashboardWiring,
) =>
  startBackground(wiring.log, (signal) => [
    tidyRegularly(billing, wiring, signal),
    alertRegularly(alerts, wiring, signal),
  ]);

/** What goes on beside calls, and what they began when their answer has left; `end` waits for all of it. */
function startBackground(log: Log, start: (signal: AbortSignal) => readonly Promise<unknown>[]) {
  const stop = new AbortController();
  const underWay = new Set<Promise<unknown>>(start(stop.signal));
  const afterwards: DashboardParts["afterwards"] = (work) => {
    const running = work()
      .catch((error) => log.error({ err: error }, "Cannot finish what a call began"))
      .finally(() => underWay.delete(running));
    underWay.add(running);
  };
  const end = async (): Promise<void> => {
    stop.abort();
    await Promise.allSettled(underWay);
  };
  return { afterwards, end };
}

const switchableSources = ({ sources, db, clock }: DashboardWiring): DashboardParts["sources"] => ({
  ...sources,
  switch: async (change) => {
    await writeEngineSwitch(change, { db, clock, random: systemRandom });
    await sources.lookAtSwitches();
  },
});

function openResults({ config, db, clock, log }: DashboardWiring): Results {
  const { usage } = config.file;
  const options = { keptDays: keptResultDays(usage), maxBytes: maxKeptBytes(usage) };
  return createResults(options, { db, clock, random: systemRandom, log, factsOf: answerFacts });
}

/** Bulk runs, and what works through them in this process. */
function openRuns({ config, db, clock, log, ledger, limits, lookups }: DashboardWiring) {
  const { usage } = config.file;
  const deps = { db, clock, random: systemRandom };
  const runs = createRuns(deps);
  // Runs of a time when results were kept are deleted, not worked on.
  if (keptResultDays(usage) === 0) return { runs, wake: () => undefined, handOn: async () => undefined };
  const worker = createWorker({
    ...{ ...deps, log, ledger, limits },
    deps: lookups.deps,
    missingParts: lookups.missingParts,
    storeTargets: usage.store_targets === true,
    maxBytes: maxKeptBytes(usage),
  });
  return { runs, wake: worker.wake, handOn: worker.close };
}

const TIDY_EVERY_MS = 60_000;

/** A late payment's grace and a key's life end by the clock: no event says so. */
async function tidyRegularly(
  billing: Billing,
  { accounts, clock, log }: Pick<DashboardWiring, "accounts" | "clock" | "log">,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await billing
      .tidy()
      .catch((error) => log.warn({ err: error }, "Cannot look after subscriptions; trying again later"));
    await accounts
      .endExpiredKeys()
      .then(accounts.endExpiredTokens)
      .catch((error) => log.warn({ err: error }, "Cannot end expired keys; trying again later"));
    await clock.sleep(TIDY_EVERY_MS, signal).catch(() => undefined);
  }
}

function openBilling({ config, db, clock, log, address }: DashboardWiring): Billing {
  const options = config.file.billing;
  const { stripe_secret_key: secretKey, stripe_api_base: apiBase } = options;
  const provider = secretKey === null ? null : createProvider({ secretKey, apiBase }, log);
  if (provider !== null && options.stripe_webhook_secret === null) {
    log.warn(
      "Billing is on without billing.stripe_webhook_secret: nothing is sold, as a payment would change no plan",
    );
  }
  return createBilling({
    db,
    clock,
    random: systemRandom,
    options,
    provider,
    baseUrl: baseOf({ config, address }),
    log,
  });
}

const ALERT_EVERY_MS = 5 * 60_000;

async function alertRegularly(
  alerts: Alerts,
  { clock, log }: Pick<DashboardWiring, "clock" | "log">,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await clock.sleep(ALERT_EVERY_MS, signal).catch(() => undefined);
    if (signal.aborted) return;
    await alerts
      .sweep()
      .catch((error) => log.warn({ err: error }, "Cannot see who is to be mailed; trying again later"));
  }
}

function openAlerts(mail: MailParts, wiring: DashboardWiring): Alerts {
  const { config, db, clock, log, feeds, sourceHistory } = wiring;
  const { owners } = config.file.dashboard;
  return createAlerts({
    ...{ db, clock, log, owners },
    send: mail?.outbox.send ?? null,
    base: baseOf(wiring),
    sources: feeds,
    history: sourceHistory,
  });
}
