import type { PricingPage as PricingPageData } from "../api/types.gen.ts";
import { count, counted } from "../report/numbers.ts";
import type { FrameOf } from "./frame.ts";
import { Layout } from "./layout.tsx";

type Plan = PricingPageData["plans"][number];

/** Four plans in one table, and what a call costs. Where nothing is sold, plans are limits without prices. */
export function PricingPage({ frame }: { frame: FrameOf<"pricing"> }) {
  const { plans, has_billing: isSold, can_sign_up: isOpen } = frame.page;
  return (
    <Layout
      frame={frame}
      title={isSold ? "Pricing · Repute" : "Plans · Repute"}
      description="Four plans, from 100 credits a month: credits, speed and keys of each, and what a call costs."
    >
      <div className="page-head">
        <h1>{isSold ? "Pricing" : "Plans"}</h1>
        <p className="muted">
          {isSold
            ? "Prices are in US dollars, tax included. "
            : isOpen
              ? "This service does not sell plans: an account begins with Free, and its operator gives another one. "
              : "This service does not sell plans: its operator gives each account one. "}
          The balance refills every 30 days.
        </p>
      </div>
      <ul className="plans">
        {plans.map((plan) => (
          <PlanCard key={plan.name} plan={plan} />
        ))}
      </ul>
      <p className="plan-ways">
        {isOpen && (
          <a className="button button-main" href="/app/sign-up">
            Sign up
          </a>
        )}
        <a className={isOpen ? "button" : "button button-main"} href="/app">
          Open the dashboard
        </a>
      </p>
      <Costs products={frame.page.products} />
    </Layout>
  );
}

function PlanCard({ plan }: { plan: Plan }) {
  const price = plan.price_usd_per_month;
  return (
    <li>
      <h2>{plan.name}</h2>
      {price === null ? null : (
        <p className="plan-price">
          <strong>{price === 0 ? "$0" : `$${price.toFixed(2)}`}</strong>
          <span className="muted"> a month</span>
        </p>
      )}
      <dl className="plan-facts">
        <PlanFact name="Credits a month" value={plan.credits_per_month} />
        <PlanFact name="Calls a second, per endpoint" value={plan.requests_per_second} />
        <PlanFact name="Calls a second, URL and bulk" value={plan.half_requests_per_second} />
        <PlanFact name="API keys" value={plan.max_api_keys} />
      </dl>
    </li>
  );
}

const PlanFact = ({ name, value }: { name: string; value: number }) => (
  <div>
    <dt>{name}</dt>
    <dd>{count(value)}</dd>
  </div>
);

function Costs({ products }: Pick<PricingPageData, "products">) {
  return (
    <section className="home-section">
      <h2>What a call costs</h2>
      <table className="records price-table">
        <caption className="visually-hidden">Credits of each call</caption>
        <thead>
          <tr>
            <th scope="col">Call</th>
            <th scope="col">Endpoint</th>
            <th scope="col" className="numeric">
              Cost
            </th>
          </tr>
        </thead>
        <tbody>
          {products.map(({ name, summary, price }) => (
            <tr key={name}>
              <th scope="row">{summary}</th>
              <td className="mono muted">/api/{name}</td>
              <td className="numeric">{counted(price, "credit")}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="muted">
        A call that is refused or fails costs nothing. A bulk call costs the same for each item, for items
        that are refused or fail too.
      </p>
    </section>
  );
}
