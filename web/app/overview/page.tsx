import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { dashboard } from "../../api/dashboard.ts";
import type { Shapes } from "../../api/types.gen.ts";
import { formatCount, formatDate, formatRelative } from "../../ui/format.ts";
import { Loaded } from "../../ui/loaded.tsx";
import { Meter } from "../../ui/meter.tsx";
import { useNow } from "../../ui/relative-time.tsx";
import { Figure, Figures, Page, Section } from "../page.tsx";
import { LastCalls } from "./last-calls.tsx";
import { Steps } from "./steps.tsx";
import "./overview.css";

type Overview = Shapes["OverviewView"];

/** Balance, today, the last calls, and the next steps of a new account. */
export function OverviewPage() {
  const overview = useQuery({
    queryKey: ["overview"],
    queryFn: ({ signal }) => dashboard.overview(signal),
    refetchInterval: 30_000,
  });
  return (
    <Page title="Overview">
      <Loaded query={overview} what="the overview" rows={8}>
        {(data) => (
          <>
            <Steps
              steps={data.steps}
              hasReport={data.last_calls.some(({ result_id: report }) => report !== null)}
            />
            <Numbers overview={data} />
            <Section title="Last calls" aside={<Link href="/usage">All usage</Link>}>
              <LastCalls calls={data.last_calls} />
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  );
}

const LOW_SHARE = 0.1;

function Numbers({ overview: { subscription, today, yesterday } }: { readonly overview: Overview }) {
  const { credits_remaining: left, credits_per_month: granted, plan } = subscription;
  const isLow = left < granted * LOW_SHARE;
  const wrong = today.refused + today.failed;
  return (
    <Figures>
      <Figure label={`Credits left · ${plan} plan`} value={formatCount(left)}>
        <Meter
          label="Credits left"
          isLabelHidden
          value={left}
          max={granted}
          text={`of ${formatCount(granted)}`}
          state={left === 0 ? "bad" : isLow ? "warn" : "good"}
        />
        <Refill at={subscription.credits_reset_at} />
        {isLow && <Link href="/billing">See the plans</Link>}
      </Figure>
      <Figure label="Calls today, in UTC" value={formatCount(today.calls)}>
        {formatCount(yesterday.calls)} on the whole of yesterday
      </Figure>
      <Figure label="Credits spent today" value={formatCount(today.credits)}>
        {formatCount(yesterday.credits)} on the whole of yesterday
      </Figure>
      <Figure label="Refused or failed today" value={formatCount(wrong)}>
        {wrong === 0
          ? `${formatCount(yesterday.refused + yesterday.failed)} on the whole of yesterday`
          : `${formatCount(today.refused)} refused, ${formatCount(today.failed)} failed; not charged`}
      </Figure>
    </Figures>
  );
}

function Refill({ at }: { readonly at: string | null }) {
  const now = useNow();
  if (at === null) return null;
  return (
    <p>
      Refills on {formatDate(at)}, <span className="whole">{formatRelative(at, now)}</span>
    </p>
  );
}
