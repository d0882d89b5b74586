import { count, counted } from "../report/numbers.ts";
import type { FrameOf } from "./frame.ts";
import { Layout } from "./layout.tsx";

/** Four plans in one table, and what a call costs. */
export function PricingPage({ frame }: { frame: FrameOf<"pricing"> }) {
  const { plans, products } = frame.page;
  return (
    <Layout
      frame={frame}
      title="Pricing · Repute"
      description="Four plans, from 100 free credits a month: credits, speed and keys of each, and what a call costs."
    >
      <div className="page-head">
        <h1>Pricing</h1>
        <p className="muted">
          A credit is a call. The balance refills every 30 days; refused and failed calls cost nothing. Where
          the operator has no billing, the operator sets the plan.
        </p>
      </div>
      <ul className="plans">
        {plans.map((plan) => (
          <li key={plan.name}>
            <h2>{plan.name}</h2>
            <p className="plan-price">
              <strong>
                {plan.price_usd_per_month === 0 ? "$0" : `$${plan.price_usd_per_month.toFixed(2)}`}
              </strong>
              <span className="muted"> a month</span>
            </p>
            <dl className="plan-facts">
              <div>
                <dt>Credits a month</dt>
                <dd>{count(plan.credits_per_month)}</dd>
              </div>
              <div>
                <dt>Calls a second, per endpoint</dt>
                <dd>{count(plan.requests_per_second)}</dd>
              </div>
              <div>
                <dt>API keys</dt>
                <dd>{count(plan.max_api_keys)}</dd>
              </div>
            </dl>
          </li>
        ))}
      </ul>
      <p>
        <a className="button button-main" href="/app">
          Open the dashboard
        </a>
      </p>
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
        <p className="muted">Bulk calls cost the same for each item.</p>
      </section>
    </Layout>
  );
}
