import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Link } from "wouter";
import { dashboard } from "../../api/dashboard.ts";
import { FREE_PLAN } from "../../api/plans.gen.ts";
import type { Shapes } from "../../api/types.gen.ts";
import { Button } from "../../ui/button.tsx";
import { formatCount, formatDate, refillText } from "../../ui/format.ts";
import { Loaded } from "../../ui/loaded.tsx";
import { Meter } from "../../ui/meter.tsx";
import { Failure, Notice } from "../../ui/states.tsx";
import { Figure, Figures, Page, Section } from "../page.tsx";
import { useAccount, useRefreshSession } from "../session.tsx";
import { Plans } from "./plans.tsx";
import "./billing.css";

type Billing = Shapes["BillingView"];

/** Plan, balance and the way to another plan. */
export function BillingPage() {
  const back = useWayBack();
  const billing = useQuery({
    queryKey: ["billing"],
    queryFn: ({ signal }) => dashboard.billing(signal),
    // After a payment the provider tells the service; its word arrives within seconds.
    refetchInterval: ({ state }) => (back === "success" && state.dataUpdateCount < 10 ? 2_000 : false),
  });
  return (
    <Page title="Billing">
      {back !== null && <Back outcome={back} plan={billing.data?.subscription.plan ?? null} />}
      <Loaded query={billing} what="the plans" rows={8}>
        {(view) => <BillingView view={view} />}
      </Loaded>
    </Page>
  );
}

type Outcome = "success" | "cancelled";

/** The result that the payment provider put into the address; the address is cleaned, so that a reload shows no message. */
function useWayBack(): Outcome | null {
  const refresh = useRefreshSession();
  const [outcome] = useState((): Outcome | null => {
    const word = new URLSearchParams(location.search).get("checkout");
    return word === "done" ? "success" : word === "cancelled" ? "cancelled" : null;
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page is come to
  useEffect(() => {
    if (outcome !== null) history.replaceState(null, "", location.pathname);
    if (outcome === "success") void refresh();
  }, []);
  return outcome;
}

const Back = ({ outcome, plan }: { readonly outcome: Outcome; readonly plan: string | null }) => (
  <div role="status">
    {outcome === "success" ? (
      <Notice kind="good">
        {plan === null || plan === FREE_PLAN ? (
          <p>
            <strong>Thank you.</strong> The plan changes as soon as the provider confirms the payment, usually
            within seconds. If it is still {FREE_PLAN} after some minutes, choose the plan again: it is not
            paid twice.
          </p>
        ) : (
          <p>
            <strong>Thank you, the payment succeeded.</strong> The plan is {plan}.
          </p>
        )}
      </Notice>
    ) : (
      <Notice kind="note">
        <p>Nothing was bought; the plan did not change.</p>
      </Notice>
    )}
  </div>
);

function BillingView({ view }: { readonly view: Billing }) {
  const go = useRedirect();
  const isSelling = view.has_subscription || view.plans.some(({ can_buy: canBuy }) => canBuy);
  return (
    <>
      {!isSelling && <ByHand />}
      <Current view={view} onPortal={() => go.mutate(dashboard.portal)} isBusy={go.isPending} />
      {go.error !== null && <Failure error={go.error} />}
      <Section title="Plans">
        <Plans
          view={view}
          isBusy={go.isPending}
          onBuy={(plan) => go.mutate(() => dashboard.checkout({ plan }))}
          onPortal={() => go.mutate(dashboard.portal)}
        />
      </Section>
      <Rules isOn={view.is_on} />
    </>
  );
}

/** Who sets the plans where nothing can be bought. */
function ByHand() {
  const { is_owner: isOwner } = useAccount();
  return (
    <Notice kind="note">
      {isOwner ? (
        <p>
          <strong>
            You set plans under <Link href="/admin">Admin</Link>.
          </strong>{" "}
          Nothing can be bought here.
        </p>
      ) : (
        <p>
          <strong>Plans are set by the operator of this installation.</strong> Nothing can be bought here; ask
          them for another plan.
        </p>
      )}
    </Notice>
  );
}

const REFILL = "The balance refills every 30 days. Unused credits do not roll over.";

function Rules({ isOn }: { readonly isOn: boolean }) {
  if (!isOn) return <p className="muted">{REFILL}</p>;
  return (
    <Section title="When a change counts">
      <ul className="list">
        <li>
          A larger plan counts as soon as its payment is confirmed. In the middle of a paid month it adds the
          credits that it has above those granted since the last refill.
        </li>
        <li>A cancelled plan stays active until the end of the paid month.</li>
        <li>A smaller plan leaves at most its own monthly credits on the balance.</li>
        <li>{REFILL}</li>
        <li>
          When a payment fails, the plan stays for seven days from the start of the unpaid month. The balance
          refills once the invoice is paid; otherwise the plan becomes Free.
        </li>
      </ul>
    </Section>
  );
}

/** Leaves for the address that the service names. */
function useRedirect() {
  const queries = useQueryClient();
  const refresh = useRefreshSession();
  return useMutation({
    mutationFn: (ask: () => Promise<Shapes["RedirectView"]>) => ask(),
    onSuccess: ({ url }) => {
      if (/^https?:\/\//.test(url)) location.assign(url);
    },
    // What is refused may have been bought before: it counts from now on.
    onError: () => void refresh(),
    onSettled: () => void queries.invalidateQueries({ queryKey: ["billing"] }),
  });
}

/** How long the plan is there, or why it is not. */
function Term({ view }: Pick<CurrentProps, "view">) {
  const { subscription: own, has_subscription: isPaying, grace_ends_at: graceEnd } = view;
  const end = own.current_period_end;
  if (isPaying && own.plan === FREE_PLAN) {
    return <p>Your subscription gives no plan now: it is unpaid or paused.</p>;
  }
  if (own.billing_status === "past_due") {
    const day = graceEnd === null ? "" : ` by ${formatDate(graceEnd)}`;
    return <p>{`The last payment failed. Pay the open invoice${day} to keep the plan.`}</p>;
  }
  if (end === null) return null;
  return <p>{own.cancel_at_period_end ? `Ends on ${formatDate(end)}` : `Renews on ${formatDate(end)}`}</p>;
}

type CurrentProps = { readonly view: Billing; readonly onPortal: () => void; readonly isBusy: boolean };

function Current({ view, onPortal, isBusy }: CurrentProps) {
  const { subscription: own, has_subscription: isPaying } = view;
  const { person } = useAccount();
  return (
    <Figures>
      <Figure label="Plan" value={own.plan}>
        {own.billing_status !== null && <p>Payment: {own.billing_status.replaceAll("_", " ")}</p>}
        <Term view={view} />
        {isPaying && person?.role === "owner" && (
          <Button className="billing-manage" isBusy={isBusy} onClick={onPortal}>
            Manage subscription
          </Button>
        )}
      </Figure>
      <Figure label="Credits left" value={formatCount(own.credits_remaining)}>
        <Meter
          label="Credits left"
          isLabelHidden
          value={own.credits_remaining}
          max={own.credits_per_month}
          text={`of ${formatCount(own.credits_per_month)}`}
        />
        <p>{refillText(own.credits_reset_at)}</p>
      </Figure>
      <Figure label="Requests a second" value={formatCount(own.rate_limit_per_second)}>
        on each endpoint, half of it on URL and bulk endpoints
      </Figure>
      <Figure label="API keys" value={formatCount(own.max_api_keys)} />
    </Figures>
  );
}
