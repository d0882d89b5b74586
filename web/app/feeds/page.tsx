import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { dashboard } from "../../api/dashboard.ts";
import { Choice } from "../../ui/choice.tsx";
import { Field } from "../../ui/field.tsx";
import { countOf } from "../../ui/format.ts";
import { Loaded } from "../../ui/loaded.tsx";
import { Empty } from "../../ui/states.tsx";
import { Pager } from "../admin/pager.tsx";
import { Page } from "../page.tsx";
import { useAccount } from "../session.tsx";
import { FeedCauses } from "./feed-causes.tsx";
import { FeedRow } from "./feed-row.tsx";
import { byTrouble, countHealth, type Feed, type Health, healthOf, isAllowlist, isTable } from "./health.ts";
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
      intro="Every list, blacklist and table that lookups ask, those with a problem first. A full bar is data three refresh intervals old."
    >
      <Loaded query={feeds} what="the feeds" rows={12}>
        {(view) => <Feeds feeds={view.feeds} />}
      </Loaded>
    </Page>
  );
}

type Filter = "all" | Health;

const PAGE = 50;

/** What a search looks at. */
const textOf = ({ name, key, target, kind, publisher, disabled_class: off }: Feed): string =>
  `${name} ${key} ${target} ${kind} ${publisher ?? ""} ${off ?? ""}`.toLowerCase();

/** What the sum holds that no report counts. */
function countedText(feeds: readonly Feed[]): string {
  const allowlists = feeds.filter(isAllowlist).length;
  const tables = feeds.filter(isTable).length;
  const engines = countOf(feeds.length - allowlists - tables, "engine");
  return `${countOf(feeds.length, "source")}: ${engines}, ${countOf(allowlists, "allowlist")} (to clear) and ${countOf(tables, "table")} of places and networks. Reports count the engines alone.`;
}

function Feeds({ feeds }: { readonly feeds: readonly Feed[] }) {
  const [filter, setFilter] = useState<Filter>("all");
  const [text, setText] = useState("");
  const [offset, setOffset] = useState(0);
  const counts = countHealth(feeds);
  const options = [
    { value: "all", label: `All ${feeds.length}` },
    { value: "bad", label: `No answer ${counts.bad}` },
    { value: "warn", label: `Degraded ${counts.warn}` },
    { value: "good", label: `Healthy ${counts.good}` },
    { value: "off", label: `Off ${counts.off}` },
  ] as const;
  const { is_owner: owns, is_reader: reads } = useAccount();
  const isOwner = owns && !reads;
  const wanted = text.trim().toLowerCase();
  const shown = byTrouble(feeds).filter(
    (feed) => (filter === "all" || healthOf(feed) === filter) && textOf(feed).includes(wanted),
  );
  // A search may leave fewer than the page that is shown.
  const start = offset < shown.length ? offset : 0;
  const choose = (chosen: Filter) => {
    setFilter(chosen);
    setOffset(0);
  };
  return (
    <>
      <HealthBar
        engines={countHealth(feeds.filter((feed) => !isAllowlist(feed) && !isTable(feed)))}
        allowlists={countHealth(feeds.filter(isAllowlist))}
        tables={countHealth(feeds.filter(isTable))}
      />
      <p className="muted small">{countedText(feeds)}</p>
      <FeedCauses feeds={feeds} />
      <div className="feeds-filter">
        <Choice label="Which feeds" options={options} value={filter} onChange={choose} />
        <Field
          label="Find"
          type="search"
          value={text}
          placeholder="Name, key, publisher …"
          onChange={(event) => {
            setText(event.target.value);
            setOffset(0);
          }}
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
            {shown.slice(start, start + PAGE).map((feed) => (
              <FeedRow key={feed.key} feed={feed} isOwner={isOwner} />
            ))}
          </ul>
          <Pager offset={start} limit={PAGE} total={shown.length} onOffset={setOffset} />
        </div>
      )}
    </>
  );
}
