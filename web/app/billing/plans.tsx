import { Check } from "lucide-react";
import { FREE_PLAN } from "../../api/plans.gen.ts";
import type { Shapes } from "../../api/types.gen.ts";
import { Button } from "../../ui/button.tsx";
import { formatCount, formatMoney } from "../../ui/format.ts";
import { type Column, Table } from "../../ui/table.tsx";
import { useAccount } from "../session.tsx";

type Billing = Shapes["BillingView"];
type Plan = Billing["plans"][number];

type PlansProps = {
  readonly view: Billing;
  readonly isBusy: boolean;
  readonly onBuy: (plan: Plan["name"]) => void;
  readonly onPortal: () => void;
};

/** The plans in one table, the current one marked. */
export function Plans({ view, isBusy, onBuy, onPortal }: PlansProps) {
  const { subscription, plans } = view;
  const bought: readonly Column<Plan>[] = [
    {
      head: "Price a month",
      isNumber: true,
      cell: (plan) => <Price plan={plan} view={view} />,
    },
    {
      head: "Choose",
      isAction: true,
      cell: (plan) => <Choose plan={plan} view={view} isBusy={isBusy} onBuy={onBuy} onPortal={onPortal} />,
    },
  ];
  const columns: readonly Column<Plan>[] = [
    { head: "Plan", isRowHead: true, cell: ({ name }) => <Name name={name} current={subscription.plan} /> },
    { head: "Credits a month", isNumber: true, cell: (plan) => formatCount(plan.credits_per_month) },
    { head: "Requests a second", isNumber: true, cell: (plan) => formatCount(plan.requests_per_second) },
    { head: "API keys", isNumber: true, cell: (plan) => formatCount(plan.max_api_keys) },
    ...(view.is_on ? bought : []),
  ];
  return (
    <>
      <Table
        caption="Plans"
        columns={columns}
        rows={plans}
        keyOf={({ name }) => name}
        rowState={({ name }) => (name === subscription.plan ? "current" : undefined)}
      />
      <p className="muted small">
        {view.is_on && "Prices in US dollars, tax included. "}A lookup costs one credit, of a URL two. URL
        reputation and the bulk endpoints take half of the requests a second.
      </p>
    </>
  );
}

/** A plan that an operator gave may have no price here. */
function Price({ plan, view }: { readonly plan: Plan; readonly view: Billing }) {
  const { name, price_usd_per_month: price, can_buy: canBuy } = plan;
  if (price === 0) return <strong>Free</strong>;
  if (canBuy || (view.has_subscription && name === view.subscription.plan)) {
    return <strong>{formatMoney(price)}</strong>;
  }
  return <span className="muted">Not sold here</span>;
}

const Name = ({ name, current }: { readonly name: string; readonly current: string }) => (
  <span className="plan-name">
    {name}
    {name === current && (
      <span className="tag" data-kind="accent">
        <Check aria-hidden="true" />
        Current
      </span>
    )}
  </span>
);

type ChooseProps = PlansProps & { readonly plan: Plan };

function Choose({ plan, view, isBusy, onBuy, onPortal }: ChooseProps) {
  const { person } = useAccount();
  const way = wayTo(plan, view);
  if (way === null || person?.role !== "owner") return null;
  const isUp = rankOf(plan.name, view) > rankOf(view.subscription.plan, view);
  return (
    <Button
      isBusy={isBusy}
      tone={isUp || way === "checkout" ? "primary" : "plain"}
      onClick={() => (way === "portal" ? onPortal() : onBuy(plan.name))}
    >
      {isUp ? `Upgrade to ${plan.name}` : `Change to ${plan.name}`}
    </Button>
  );
}

/** Where an account gets to another plan: who pays already, in the provider's portal. Null: it is not sold. */
export function wayTo(
  plan: Pick<Plan, "name" | "can_buy">,
  { subscription, has_subscription: isPaying, is_on: isOn }: Omit<Billing, "plans">,
): "checkout" | "portal" | null {
  if (plan.name === subscription.plan || !isOn) return null;
  if (isPaying) return plan.can_buy || plan.name === FREE_PLAN ? "portal" : null;
  return plan.can_buy ? "checkout" : null;
}

const rankOf = (name: string, { plans }: Billing): number => plans.findIndex((one) => one.name === name);
