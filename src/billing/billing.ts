import { z } from "zod";
import type { StoreDeps } from "../accounts/account-rows.ts";
import type { Account } from "../accounts/accounts.ts";
import type { PlanName } from "../accounts/plans.ts";
import { Refusal } from "../base/failure.ts";
import type { Log } from "../base/log.ts";
import { InvalidJson, parseJson } from "../base/parse-json.ts";
import { createUnpriced } from "./ask-unpriced.ts";
import { checkout } from "./checkout.ts";
import { customerOf } from "./customers.ts";
import { isLive } from "./entitlement.ts";
import { type BillingEvent, readEvent } from "./events.ts";
import { endGraces, forgetEvents } from "./grace.ts";
import { createMissedPeriods } from "./missed.ts";
import type { BillingOptions } from "./options.ts";
import type { Provider } from "./provider.ts";
import { isSigned } from "./signature.ts";
import { takeEvent } from "./take-event.ts";
import { conflict, pageUrl, priceOf, rulesOf, webhookSecretOf } from "./terms.ts";

/** The payment provider, as far as accounts are concerned. Off without its key. */
export type Billing = {
  readonly isOn: boolean;
  /** Whether the plan has a price here, and its payment would count: without a webhook no event tells of one. */
  readonly canBuy: (plan: PlanName) => boolean;
  /** Changed in the portal; no second one is sold. */
  readonly hasSubscription: (account: Pick<Account, "billingStatus">) => boolean;
  /** Where the buyer of a first paid plan pays. Throws CONFLICT when there is nothing to buy. */
  readonly checkout: (account: Account, plan: PlanName) => Promise<string>;
  /** Where a plan is changed or cancelled. Throws CONFLICT when the provider knows nothing of the account. */
  readonly portal: (account: Account) => Promise<string>;
  /** Null: without a secret nothing can be verified, and the path does not exist. Throws SIGNATURE_INVALID. */
  readonly takeCall: ((call: { readonly body: Buffer; readonly signature: string }) => Promise<void>) | null;
  /** Ends paid plans whose payment is late for longer than the grace, asks about periods that no event followed, forgets old events. */
  readonly tidy: () => Promise<void>;
};

export type BillingDeps = StoreDeps & {
  readonly options: BillingOptions;
  /** Null: there is no key. */
  readonly provider: Provider | null;
  /** Where people reach the pages; links are made from it. */
  readonly baseUrl: () => string;
  readonly log: Pick<Log, "info" | "warn" | "error">;
};

/** Billing over an open database; several processes may have it on one. */
export function createBilling(deps: BillingDeps): Billing {
  const { options, provider } = deps;
  const secret = webhookSecretOf(options);
  const canBuy = (plan: PlanName) => provider !== null && secret !== null && priceOf(plan, options) !== null;
  const ruled = { ...deps, rules: rulesOf(options) };
  const askAboutMissed = createMissedPeriods(ruled);
  const askAboutUnpriced = createUnpriced(ruled);
  return {
    isOn: provider !== null,
    canBuy,
    hasSubscription: ({ billingStatus }) => isLive(billingStatus),
    checkout: (account, plan) => checkout(account, plan, deps),
    portal: (account) => portal(account, deps),
    takeCall: secret === null ? null : (call) => takeCall({ ...call, secret }, deps),
    tidy: async () => {
      await endGraces(ruled);
      await askAboutMissed();
      await askAboutUnpriced();
      await forgetEvents(deps);
    },
  };
}

async function portal(account: Account, deps: BillingDeps): Promise<string> {
  const { provider, db } = deps;
  if (provider === null) throw conflict("Billing is off here: plans are set by the operator");
  const { customerId } = await customerOf(db.kysely, account.id);
  if (customerId === null)
    throw conflict("This account has never bought anything: there is nothing to change");
  const url = await provider.createPortal({ customerId, returnUrl: pageUrl(deps, "") });
  if (url === null) throw conflict("The payment provider knows this customer no more: ask the operator");
  return url;
}

async function takeCall(
  { body, signature, secret }: { readonly body: Buffer; readonly signature: string; readonly secret: string },
  deps: BillingDeps,
): Promise<void> {
  const { provider, clock } = deps;
  if (!isSigned({ body, header: signature }, { secret, now: clock.now() })) {
    throw new Refusal("SIGNATURE_INVALID");
  }
  const event = readBody(body, deps);
  if (event === null) return;
  if (provider === null) {
    throw new Refusal("SERVICE_UNAVAILABLE", {
      message: "The event cannot be acted on: there is no billing.stripe_secret_key",
      retryAfterS: 3600,
    });
  }
  await takeEvent(event, { ...deps, provider, rules: rulesOf(deps.options) });
}

/** Signed, and still perhaps no event that we can read: that is told, and logged, for it would be lost. */
function readBody(body: Buffer, { log }: BillingDeps): BillingEvent | null {
  try {
    return readEvent(parseJson(body.toString("utf8")));
  } catch (error) {
    if (!(error instanceof z.ZodError || error instanceof InvalidJson)) throw error;
    log.error({ err: error }, "A signed billing event cannot be read");
    const fault = {
      loc: ["body"],
      type: "value_error",
      msg: "This is not an event",
      ctx: { reason: "no_event" },
    };
    throw new Refusal("VALIDATION", { faults: [fault], cause: error });
  }
}
