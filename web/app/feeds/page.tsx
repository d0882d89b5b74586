import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { dashboard } from "../../api/dashboard.ts";
import { Choice } from "../../ui/choice.tsx";
import { Field } from "../../ui/field.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Empty } from "../../ui/states.tsx";
import { Page } from "../page.tsx";
import { FeedRow } from "./feed-row.tsx";
import { byTrouble, countHealth, type Feed, type Health, healthOf, isAllowlist } from "./health.ts";
import { HealthBar } from "./health-bar.tsx";
import "./feeds.css";

/** How the sources of the answers fare. */
export function FeedsPage() {
  const feeds = useQuery({
    queryKey: ["feeds"],
    queryFn: ({ signal }) => dashboard.feeds(signal),
    refetchInterval: 60_000,
  });
  return (
    <Page
      title="Feeds"
      intro="Every list and blacklist that lookups ask, the troubled ones first. A full bar is data three refresh intervals old."
    >
      <Loaded query={feeds} what="the feeds" rows={12}>
        {(view) => <Feeds feeds={view.feeds} />}
      </Loaded>
    </Page>
  );
}

type Filter = "all" | Health;

function Feeds({ feeds }: { readonly feeds: readonly Feed[] }) {
  const [filter, setFilter] = useState<Filter>("all");
  const [text, setText] = useState("");
  const counts = countHealth(feeds);
  const options = [
    { value: "all", label: `All ${feeds.length}` },
    { value: "bad", label: `No answer ${counts.bad}` },
    { value: "warn", label: `Troubled ${counts.warn}` },
    { value: "good", label: `Well ${counts.good}` },
    { value: "off", label: `Off ${counts.off}` },
  ] as const;
  const wanted = text.trim().toLowerCase();
  const shown = byTrouble(feeds).filter(
    (feed) =>
      (filter === "all" || healthOf(feed) === filter) &&
      `${feed.name} ${feed.key} ${feed.target} ${feed.kind}`.toLowerCase().includes(wanted),
  );
  return (
    <>
      <HealthBar
        engines={countHealth(feeds.filter((feed) => !isAllowlist(feed)))}
        allowlists={countHealth(feeds.filter(isAllowlist))}
      />
      <div className="feeds-filter">
        <Choice label="Which feeds" options={options} value={filter} onChange={setFilter} />
        <Field
          label="Find"
          type="search"
          value={text}
          placeholder="Name, key, kind or target"
          onChange={(event) => setText(event.target.value)}
        />
      </div>
      <p className="visually-hidden" role="status">
        {shown.length} of {feeds.length} shown
      </p>
      {shown.length === 0 ? (
        <Empty title="No feed is like that">
          <p>Choose All, or clear the search.</p>
        </Empty>
      ) : (
        <div>
          <p className="feeds-head" aria-hidden="true">
            <span>Source</span>
            <span>State</span>
            <span>Kind · about</span>
            <span>Age of data</span>
            <span>Entries</span>
          </p>
          <ul className="feeds">
            {shown.map((feed) => (
              <FeedRow key={feed.key} feed={feed} />
            ))}
          </ul>
        </div>
      )}
    </>
  );
}
