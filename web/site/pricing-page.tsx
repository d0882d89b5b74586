import type { PricingPage as PricingPageData } from "../api/types.gen.ts";
import { count, counted } from "../report/numbers.ts";
import type { FrameOf } from "./frame.ts";
import { Layout } from "./layout.tsx";

type Plan = PricingPageData["plans"][number];

/** Four plans in one table, and what a call costs. */
export function PricingPage({ frame }: { frame: FrameOf<"pricing"> }) {
  const { plans, has_billing: isSold } = frame.page;
  return (
    <Layout
      frame={frame}
      title="Pricing · Repute"
      description="Four plans, from 100 credits a month: credits, speed and keys of each, and what a call costs."
    >
      <div className="page-head">
        <h1>Pricing</h1>
        <p className="muted">
          The balance refills every 30 days. Prices are in US dollars, tax included.
          {isSold ? null : " Nothing can be bought here: the operator of this installation sets the plans."}
        </p>
      </div>
      <ul className="plans">
        {plans.map((plan) => (
          <PlanCard key={plan.name} plan={plan} />
        ))}
      </ul>
      <p>
        <a className="button button-main" href="/app">
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
      <p className="plan-price">
        <strong>{price === 0 ? "$0" : `$${price.toFixed(2)}`}</strong>
        <span className="muted"> a month</span>
      </p>
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
              Price
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
