import { useQuery } from "@tanstack/react-query";
import { Fragment } from "react";
import { dashboard } from "../../api/dashboard.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { formatCount } from "../../ui/format.ts";
import { Loaded } from "../../ui/loaded.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { Empty, Notice } from "../../ui/states.tsx";
import { Page } from "../page.tsx";
import { Fetches } from "./fetches.tsx";
import { Held } from "./held.tsx";
import { firstSteps, linesFor } from "./lines.ts";
import type { Export } from "./recipes.ts";
import "./exports.css";

/** What is exported, since when, and how each consumer takes it. */
export function ExportsPage() {
  const exports = useQuery({
    queryKey: ["exports"],
    queryFn: ({ signal }) => dashboard.exports(signal),
    refetchInterval: 60_000,
  });
  const nameOf = useEngineNames();
  return (
    <Page
      title="Exports"
      intro="What your lists name, as files for firewalls, resolvers and servers. A token with the export's scope opens each; create one on the Keys page."
    >
      <Loaded query={exports} what="the exports" rows={6}>
        {(view) =>
          view.exports.length === 0 ? (
            <Empty title="No exports are configured">
              <p>
                Add <code>exports: [{"{ name: edge }"}]</code> to the configuration file and restart.
              </p>
            </Empty>
          ) : (
            <>
              <FirstSteps />
              {view.exports.map((one) => (
                <ExportCard key={one.name} one={one} others={view.exports} nameOf={nameOf} />
              ))}
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

/** The script by which the lines below fetch, which refuses half a file and the page of a proxy. */
function FirstSteps() {
  const lines = firstSteps(location.origin);
  return (
    <section className="export" aria-labelledby="first-steps">
      <h2 id="first-steps">First steps</h2>
      <p className="muted">
        Once on each machine that is to block, as root, with a token that has the exports' scopes. Programs
        that fetch by themselves do not need them.
      </p>
      <details>
        <summary>The token, and the script that fetches</summary>
        <pre>{lines}</pre>
        <CopyButton text={lines} what="the first steps" />
      </details>
    </section>
  );
}

/** Names of engines by their keys; the key itself until they are there. */
function useEngineNames(): (key: string) => string {
  const feeds = useQuery({ queryKey: ["feeds"], queryFn: ({ signal }) => dashboard.feeds(signal) });
  const names = new Map(feeds.data?.feeds.map(({ key, name }) => [key, name]));
  return (key) => names.get(key) ?? key;
}

type CardProps = {
  readonly one: Export;
  readonly others: readonly Export[];
  readonly nameOf: (key: string) => string;
};

function ExportCard({ one, others, nameOf }: CardProps) {
  return (
    <section className="export" aria-labelledby={`export-${one.name}`}>
      <h2 id={`export-${one.name}`}>{one.name}</h2>
      {one.closed_reason !== null && <Notice kind="warn">{one.closed_reason}</Notice>}
      {one.held !== null && <Held one={one} held={one.held} />}
      {one.fault !== null && <Notice kind="warn">The last build failed: {one.fault.message}</Notice>}
      <dl className="export-facts">
        {factsOf(one, nameOf).map(([term, told]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{told}</dd>
          </div>
        ))}
      </dl>
      <Bouncers bouncers={one.bouncers} />
      <Fetches one={one} />
      <h3>Lines to paste</h3>
      <p className="muted">
        After the first steps above. The folder <code>docs/consumers</code> has a page for each program, with
        a timer, what happens when Repute is away, and how to see that it works.
      </p>
      {linesFor(one, location.origin, others).map(({ consumer, fetch, place, lines, hourly, note }) => (
        <details key={consumer}>
          <summary>{consumer}</summary>
          {fetch !== null && <Pasted place="As root:" lines={fetch} what={`what fetches for ${consumer}`} />}
          <Pasted place={place} lines={lines} what={`the lines for ${consumer}`} />
          {hourly !== null && (
            <Pasted
              place="Every hour, by cron or a timer:"
              lines={hourly}
              what={`the hourly line for ${consumer}`}
            />
          )}
          <p className="muted small">{note}</p>
        </details>
      ))}
    </section>
  );
}

type PastedProps = { readonly place: string; readonly lines: string; readonly what: string };

/** Lines, and where they go. */
function Pasted({ place, lines, what }: PastedProps) {
  return (
    <>
      <p className="muted small">{place}</p>
      <pre>{lines}</pre>
      <CopyButton text={lines} what={what} />
    </>
  );
}

/** Who takes decisions of it, and what each of them cannot enforce. */
function Bouncers({ bouncers }: Pick<Export, "bouncers">) {
  if (bouncers.length === 0) return null;
  return (
    <>
      <h3>Bouncers</h3>
      <ul>
        {bouncers.map(({ token, address, user_agent, last_answer_at, not_enforceable }) => (
          <li key={`${token} ${address} ${user_agent}`}>
            {address}, {user_agent || "no user agent"}, token {token}…: last answer{" "}
            <RelativeTime time={last_answer_at} />
            {not_enforceable !== null &&
              not_enforceable > 0 &&
              `; ${formatCount(not_enforceable)} networks are not enforceable there and were left out`}
          </li>
        ))}
      </ul>
    </>
  );
}

const TARGETS: Readonly<Record<Export["target"], string>> = {
  ip: "IP addresses",
  domain: "Domains",
  url: "URLs",
  email: "E-mail addresses",
};

/** Names, each in a direction of its own: those of lists of the operator's may run from right to left. */
function Names({ names }: { readonly names: readonly string[] }) {
  if (names.length === 0) return "none";
  return [...new Set(names)].map((name, i) => (
    <Fragment key={name}>
      {i === 0 ? "" : "; "}
      <bdi>{name}</bdi>
    </Fragment>
  ));
}

function factsOf(
  one: Export,
  nameOf: (key: string) => string,
): readonly (readonly [term: string, told: React.ReactNode])[] {
  const cut = one.subtracted;
  const what =
    one.kind === "allow"
      ? "Published ranges, to be allowed"
      : `${TARGETS[one.target]}, score ${one.min_score} or more`;
  return [
    ["What", what],
    ...(one.policy === null ? [] : [["Policy", one.policy] as const]),
    ["Entries", one.entries === null ? "none yet" : formatCount(one.entries)],
    ["Made", <RelativeTime key="made" time={one.made_at} none="Not yet" />],
    ["Last checked", <RelativeTime key="checked" time={one.checked_at} />],
    ["Left out by the limit", formatCount(one.cut_by_limit ?? 0)],
    [
      "Cut out",
      cut === null
        ? "–"
        : `${formatCount(cut.allowlists + cut.overrides)} allowlisted, ${formatCount(cut.shared_infrastructure)} shared infrastructure`,
    ],
    ["Sources", <Names key="sources" names={one.sources.map(({ name }) => name)} />],
    ["Asked live, not in it", <Names key="live" names={one.not_exportable.map(nameOf)} />],
  ];
}
