import { Check, ChevronRight, CircleAlert, CircleOff, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { plain } from "../../report/outside-text.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { countOf, formatCount, formatSpan } from "../../ui/format.ts";
import { Meter } from "../../ui/meter.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { type Column, NONE, Table } from "../../ui/table.tsx";
import { FeedActions } from "./feed-actions.tsx";
import { type Feed, healthOf, intervalsOld, stateOf, stillOf } from "./health.ts";

const LOOKS = {
  good: { kind: "good", Icon: Check },
  warn: { kind: "warn", Icon: TriangleAlert },
  bad: { kind: "bad", Icon: CircleAlert },
  off: { kind: "off", Icon: CircleOff },
} as const;

/** One engine in a line; it opens to what it is and how the last attempts went. */
export function FeedRow({ feed, isOwner }: { readonly feed: Feed; readonly isOwner: boolean }) {
  const [isOpen, setIsOpen] = useState(false);
  const health = healthOf(feed);
  const { kind, Icon } = LOOKS[health];
  return (
    <li className="feed" data-health={health}>
      <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
        <summary>
          <ChevronRight className="feed-open" size={16} aria-hidden="true" />
          <span className="feed-name">{feed.name}</span>
          <span className="tag" data-kind={kind}>
            <Icon aria-hidden="true" />
            {stateOf(feed)}
          </span>
          <span className="feed-what muted">
            {feed.kind} · {feed.target}
          </span>
          <span className="feed-age">
            <Age feed={feed} />
          </span>
          <span className="feed-entries">
            {feed.refresh_minutes === null ? "asked live" : entriesText(feed)}
          </span>
          {feed.last_error !== null && (
            <span className="feed-error">
              {[plain(feed.last_error), stillOf(feed, Date.now())].filter((part) => part !== "").join(" · ")}
            </span>
          )}
        </summary>
        {isOpen && <FeedDetail feed={feed} isOwner={isOwner} />}
      </details>
    </li>
  );
}

/** Empty where only owners are told, and of a shipped table. */
const entriesText = ({ entries }: Feed): string =>
  entries === null ? "" : countOf(entries, "entry", "entries");

function Age({ feed }: { readonly feed: Feed }) {
  const old = intervalsOld(feed);
  if (feed.data_age_s === null)
    return <span className="muted">{feed.refresh_minutes === null ? "" : "no data"}</span>;
  const text = formatSpan(feed.data_age_s);
  if (old === null) return <span className="muted">{text}</span>;
  const state = old > 3 ? "bad" : old > 1.5 ? "warn" : "good";
  return (
    <Meter
      label={`Age of ${feed.name} against three refresh intervals`}
      isLabelHidden
      value={old}
      max={3}
      text={text}
      state={state}
    />
  );
}

type Try = Feed["tries"][number];

const TRIES: readonly Column<Try>[] = [
  { head: "When", cell: ({ at }) => <RelativeTime time={at} /> },
  { head: "Outcome", isRowHead: true, cell: ({ outcome }) => outcome.replaceAll("_", " ") },
  {
    head: "Detail",
    cell: ({ detail }) => (detail === null ? NONE : plain(detail)),
  },
  {
    head: "Took",
    isNumber: true,
    cell: ({ elapsed_ms: ms }) => (ms === null ? NONE : `${formatCount(ms)} ms`),
  },
];

function FeedDetail({ feed, isOwner }: { readonly feed: Feed; readonly isOwner: boolean }) {
  return (
    <div className="feed-detail">
      {isOwner && <FeedActions feed={feed} />}
      {feed.line !== null && (
        <p>
          To switch it on, put this into the configuration: <code>{feed.line}</code>{" "}
          <CopyButton text={feed.line} what="the line" tone="quiet" />
        </p>
      )}
      <dl className="feed-facts">
        <Fact name="Key">
          <code>{feed.key}</code>
        </Fact>
        <Fact name="Refreshed">
          {feed.refresh_minutes === null ? "asked live" : `every ${formatSpan(feed.refresh_minutes * 60)}`}
        </Fact>
        <Fact name="Last success">
          <RelativeTime time={feed.last_success} />
        </Fact>
        <Fact name="Last attempt">
          <RelativeTime time={feed.last_attempt} />
        </Fact>
        <Fact name="Next attempt">
          <RelativeTime time={feed.next_attempt} none="None planned" />
        </Fact>
        <Fact name="Content changed">
          <RelativeTime time={feed.changed_at} none="Unknown" />
        </Fact>
        {feed.dropped !== null && <Fact name="Lines not understood">{formatCount(feed.dropped)}</Fact>}
        {feed.publisher !== null && <Fact name="Publisher">{feed.publisher}</Fact>}
        {feed.licence !== null && <Fact name="Licence">{licenceText(feed.licence)}</Fact>}
        {feed.disabled_reason !== null && (
          <Fact name="Off because">
            {feed.disabled_reason}
            {feed.disabled_class !== null && ` (${feed.disabled_class})`}
          </Fact>
        )}
        {feed.owner_switch !== null && <Fact name="Owner's switch">{feed.owner_switch}</Fact>}
        <Fact name="Data from">{feed.seed ? "the snapshot shipped with the product" : "the publisher"}</Fact>
      </dl>
      {feed.tries.length > 0 && (
        <Table
          caption={`Last attempts at ${feed.name}`}
          columns={TRIES}
          rows={feed.tries}
          keyOf={({ at, outcome }) => `${at} ${outcome}`}
        />
      )}
    </div>
  );
}

const licenceText = ({ spdx, commercial, redistribution }: NonNullable<Feed["licence"]>): string =>
  `${spdx ?? "no SPDX identifier"}; commercial use: ${commercial}; redistribution: ${redistribution}`;

const Fact = ({ name, children }: { readonly name: string; readonly children: React.ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);
