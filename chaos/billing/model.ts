import { DAY_MS, isLiveStatus, type WorldInvoice, type WorldSubscription } from "./provider-world.ts";

/*
 * The rules of credits and plans once more (design 13.2 and 14), in as few words as they have: nothing of the service is
 * used here. Time passes step by step, nothing is lazy.
 */

export type PlanName = "Free" | "Starter" | "Pro" | "Enterprise";

export const GRANTS: Readonly<Record<PlanName, number>> = {
  Free: 100,
  Starter: 80_000,
  Pro: 300_000,
  Enterprise: 1_500_000,
};
const CYCLE_MS = 30 * DAY_MS;
const HOUR_MS = DAY_MS / 24;
const GRACE_MS = 7 * DAY_MS;

/** An account by the rules. */
type ModelAccount = {
  plan: PlanName;
  credits: number;
  granted: number;
  resetMs: number;
  /** Credits of a cycle in a trial. */
  trialGrant: number | null;
  /** End of the grace of a late payment. */
  graceMs: number | null;
};

export type Model = {
  readonly account: Readonly<ModelAccount>;
  /** An event about a subscription comes, with all subscriptions as they stand at the provider. */
  readonly take: (event: string, about: string, all: readonly WorldSubscription[], nowMs: number) => void;
  /** The service looks for graces that are over. */
  readonly endGrace: (all: readonly WorldSubscription[], nowMs: number) => void;
  /** The service asks about a period that is over, and that no event followed: an hour after its end, and then once a day. */
  readonly askAboutMissed: (all: readonly WorldSubscription[], nowMs: number) => void;
  readonly passTo: (nowMs: number) => void;
  /** Whether there was enough. */
  readonly charge: (cost: number) => boolean;
  readonly setPlan: (plan: PlanName, nowMs: number) => void;
  readonly setCredits: (credits: number) => void;
};

type Wanted = Pick<ModelAccount, "plan" | "trialGrant" | "graceMs">;
const FREE: Wanted = { plan: "Free", trialGrant: null, graceMs: null };

/** A new Free account. */
export function createModel(nowMs: number, trialCredits: number): Model {
  const account: ModelAccount = {
    ...{ plan: "Free", credits: GRANTS.Free, granted: GRANTS.Free, resetMs: nowMs + CYCLE_MS },
    ...{ trialGrant: null, graceMs: null },
  };
  const taken = new Set<string>();
  const paidInvoices = new Set<string>();
  const paidPeriods = new Set<string>();
  /** The plans that each period has given while its subscription was active, paid or not. */
  const givenPlans = new Map<string, PlanName[]>();
  /** The subscription and period seen last, and the plan before it was seen. */
  let seen = { subscription: "", period: "" };
  let planBefore: PlanName = "Free";
  let billingStatus = "";
  /** End of the subscription's period, as it was seen last. */
  let endMs = Number.POSITIVE_INFINITY;

  const passTo = (now: number): void => {
    while (account.graceMs === null && now >= account.resetMs) {
      account.resetMs += CYCLE_MS;
      account.credits = account.granted = account.trialGrant ?? GRANTS[account.plan];
    }
  };
  const hold = (wanted: Wanted, now: number): void => {
    const isSame = (["plan", "trialGrant", "graceMs"] as const).every(
      (name) => account[name] === wanted[name],
    );
    if (isSame) return;
    const grant = wanted.trialGrant ?? GRANTS[wanted.plan];
    if (GRANTS[wanted.plan] < GRANTS[account.plan]) account.credits = Math.min(account.credits, grant);
    if (grant > account.granted) {
      account.credits += grant - account.granted;
      account.granted = grant;
    }
    Object.assign(account, wanted);
    passTo(now);
  };
  const beginCycle = (plan: PlanName, now: number): void => {
    const credits = GRANTS[plan];
    Object.assign(account, { ...FREE, plan, credits, granted: credits, resetMs: now + CYCLE_MS });
  };
  const apply = (about: string, all: readonly WorldSubscription[], now: number): void => {
    const best = choose(
      all,
      { about, before: seen.subscription, isBeforeLive: isLiveStatus(billingStatus) },
      (one) => wantedOf(one, { account, trialCredits, now, isPeriodPaid: paidPeriods.has(periodOf(one)) }),
    );
    if (best === null) return;
    const { one, wanted } = best;
    if (seen.subscription !== one.id || seen.period !== periodOf(one)) planBefore = account.plan;
    seen = { subscription: one.id, period: periodOf(one) };
    billingStatus = one.status;
    endMs = one.endMs;
    const paid = paysPeriod(one.invoice, one.startMs) ? one.invoice : null;
    const isNews = paid !== null && !paidInvoices.has(paid.id);
    if (paid !== null) {
      paidInvoices.add(paid.id);
      paidPeriods.add(periodOf(one));
    }
    const isHigher = paid !== null && GRANTS[paid.plan] > GRANTS[planBefore];
    // Who had the plan before it was paid, had its grant too: one payment is worth one grant.
    const given = givenPlans.get(periodOf(one)) ?? [];
    const isGiven = paid !== null && given.some((plan) => GRANTS[plan] >= GRANTS[paid.plan]);
    const isActive = one.status === "active" && wanted !== null;
    if (isActive) givenPlans.set(periodOf(one), [...given, wanted.plan]);
    if (isNews && isHigher && !isGiven && isActive && wanted.plan === paid.plan) beginCycle(paid.plan, now);
    else if (wanted !== null) hold(wanted, now);
  };
  return {
    account,
    passTo,
    take: (event, about, all, now) => {
      if (taken.has(event)) return;
      taken.add(event);
      apply(about, all, now);
    },
    endGrace: (all, now) => {
      const isOver = () => account.graceMs !== null && now >= account.graceMs;
      if (!isOver()) return;
      apply(seen.subscription, all, now);
      if (isOver()) hold(FREE, now);
    },
    askAboutMissed: (all, now) => {
      if (!isLiveStatus(billingStatus) || now < endMs + HOUR_MS) return;
      const question = `${endMs} ${Math.floor((now - endMs) / DAY_MS)}`;
      if (taken.has(question)) return;
      taken.add(question);
      apply(seen.subscription, all, now);
    },
    charge: (cost) => {
      if (account.credits < cost) return false;
      account.credits -= cost;
      return true;
    },
    setPlan: (plan, now) => {
      const graceMs = plan === "Free" ? null : account.graceMs;
      if (plan !== account.plan) hold({ plan, trialGrant: null, graceMs }, now);
    },
    setCredits: (credits) => {
      account.credits = credits;
    },
  };
}

const periodOf = ({ id, startMs }: WorldSubscription): string => `${id} ${startMs}`;

const paysPeriod = (invoice: WorldInvoice | null, startMs: number): invoice is WorldInvoice =>
  invoice?.isWhole === true &&
  invoice.startMs === startMs &&
  invoice.status === "paid" &&
  invoice.paidBy === "money";

type Circumstances = {
  readonly account: Readonly<ModelAccount>;
  readonly trialCredits: number;
  readonly now: number;
  readonly isPeriodPaid: boolean;
};

/** The table of design 14; null: nothing changes. */
function wantedOf(
  one: WorldSubscription,
  { account, trialCredits, now, isPeriodPaid }: Circumstances,
): Wanted | null {
  const plan = one.isPaused || one.quantity < 1 ? "Free" : one.plan;
  switch (one.status) {
    case "active":
      return { ...FREE, plan };
    case "trialing":
      return plan === "Free"
        ? FREE
        : { plan, trialGrant: Math.min(trialCredits, GRANTS[plan]), graceMs: null };
    case "past_due": {
      const kept = GRANTS[plan] < GRANTS[account.plan] ? plan : account.plan;
      const isChangeLate = isPeriodPaid && one.invoice !== null && one.invoice.status !== "paid";
      const lateSinceMs = isChangeLate ? Math.max(one.startMs, one.invoice?.createdMs ?? 0) : one.startMs;
      const graceMs = account.graceMs ?? lateSinceMs + GRACE_MS;
      const trialGrant = account.trialGrant === null ? null : Math.min(account.trialGrant, GRANTS[kept]);
      return kept === "Free" || now >= graceMs ? FREE : { plan: kept, trialGrant, graceMs };
    }
    case "incomplete":
      return null;
    default:
      return FREE;
  }
}

type Named = { readonly about: string; readonly before: string; readonly isBeforeLive: boolean };
type Candidate = { readonly one: WorldSubscription; readonly wanted: Wanted | null };

/** Of the subscription that the event is about, and of others that may count, the one that gives most. */
function choose(
  all: readonly WorldSubscription[],
  { about, before, isBeforeLive }: Named,
  judge: (one: WorldSubscription) => Wanted | null,
): Candidate | null {
  const own = all.find(({ id }) => id === about);
  const isOwnGood = own !== undefined && isGood(own);
  const others = all.filter(
    ({ id, status }) =>
      id !== about && ((id === before && isBeforeLive) || (!isOwnGood && isLiveStatus(status))),
  );
  const candidates = [...(own === undefined ? [] : [own]), ...others].map((one) => ({
    one,
    wanted: judge(one),
  }));
  return candidates.reduce<Candidate | null>(
    (best, next) => (best === null || rankOf(next) > rankOf(best) ? next : best),
    null,
  );
}

const isGood = ({ status, isPaused, quantity }: WorldSubscription): boolean =>
  ["active", "trialing"].includes(status) && !isPaused && quantity >= 1;

const rankOf = ({ one, wanted }: Candidate): number =>
  (wanted === null ? 0 : GRANTS[wanted.plan]) * 10 +
  (isGood(one) ? 2 : 0) +
  (isLiveStatus(one.status) ? 1 : 0);
