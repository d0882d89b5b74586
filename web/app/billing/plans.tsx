import { Check } from "lucide-react";
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
      cell: ({ price_usd_per_month: price }) => <strong>{price === 0 ? "Free" : formatMoney(price)}</strong>,
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
  const { subscription, plans, has_subscription: isPaying, is_on: isOn } = view;
  const { person } = useAccount();
  if (plan.name === subscription.plan || !isOn || person?.role !== "owner") return null;
  const rank = (name: string): number => plans.findIndex((one) => one.name === name);
  const isUp = rank(plan.name) > rank(subscription.plan);
  const verb = isUp ? `Upgrade to ${plan.name}` : `Change to ${plan.name}`;
  if (isPaying) {
    return (
      <Button isBusy={isBusy} tone={isUp ? "primary" : "plain"} onClick={onPortal}>
        {verb}
      </Button>
    );
  }
  if (!plan.can_buy) return null;
  return (
    <Button isBusy={isBusy} tone="primary" onClick={() => onBuy(plan.name)}>
      {verb}
    </Button>
  );
}
