import { CircleCheck, TriangleAlert } from "lucide-react";
import { duration } from "../api/spans.gen.ts";
import { Ago } from "../report/moment.tsx";
import { count, counted } from "../report/numbers.ts";
import { Outside } from "../report/outside.tsx";
import { Causes } from "./causes.tsx";
import { EngineGroups } from "./engine-groups.tsx";
import { EngineState, type EngineView, isWell, stateWord } from "./engine-states.tsx";
import type { FrameOf } from "./frame.ts";
import { HistoryBar } from "./history-bar.tsx";
import { Layout } from "./layout.tsx";

/** How the service and its sources are. */
export function StatusPage({ frame }: { frame: FrameOf<"status"> }) {
  const { engines, allowlists, tables, database, missing, are_limits_shared: shared, version } = frame.page;
  const { resolver_trouble: resolverTrouble, is_history_known: isHistoryKnown } = frame.page;
  const summary = summaryOf(frame.page);
  const told = new Set(frame.page.causes.map(({ reason }) => reason));
  const Icon = summary.isWell ? CircleCheck : TriangleAlert;
  const shown = { told, now: frame.now };
  return (
    <Layout
      frame={frame}
      title="Status · Repute"
      description="Whether the service answers, and how each of its sources is."
      refreshS={missing.length > 0 ? 5 : null}
    >
      <div className="page-head">
        <h1>Status</h1>
      </div>
      <section
        className={`verdict ${summary.isWell ? "answer-good" : "answer-warning"}`}
        aria-label="Summary"
      >
        <p className="verdict-word">
          <Icon aria-hidden="true" className="verdict-icon" />
          <strong>{summary.text}</strong>
        </p>
        <p>{wellText(engines, allowlists)}</p>
      </section>
      <Troubles sources={[...engines, ...allowlists, ...tables]} {...shown} />
      <dl className="figures">
        <Figure name="Database" isWell={database} value={database ? "reachable" : "not reachable"} />
        <Figure
          name="Rate limits"
          isWell={shared !== false}
          value={
            shared === null
              ? "working"
              : shared
                ? "shared by all processes"
                : "kept by each process on its own for now"
          }
        />
        <Figure name="DNS" isWell={resolverTrouble === null} value={resolverTrouble ?? "working"} />
        <Figure
          name="Bundled data"
          isWell={missing.length === 0}
          value={missing.length === 0 ? "ready" : `being prepared: ${missing.join(", ")}`}
        />
        <Figure
          name="Downloads"
          isWell={frame.page.lists.loaded === frame.page.lists.total}
          value={downloadsText(frame.page.lists)}
        />
        <Figure name="Version" isWell value={version} />
      </dl>
      <Causes causes={frame.page.causes} />
      <p className="muted history-legend">
        {isHistoryKnown
          ? "Each bar is one source over the last 90 days, today on the right: green where every check found it healthy, amber where some did, red where none did, grey where it was not watched."
          : "The history of the sources cannot be read at the moment."}
      </p>
      {tables.length === 0 ? null : (
        <section className="home-section">
          <h2>Places and networks</h2>
          <TableRows tables={tables} {...shown} />
        </section>
      )}
      <section className="home-section">
        <h2>Engines</h2>
        <EngineGroups engines={engines} {...shown} />
      </section>
      {allowlists.length === 0 ? null : (
        <section className="home-section">
          <h2>Allowlists</h2>
          <p className="muted">Allowlists only clear targets; they are not counted as engines.</p>
          <EngineGroups engines={allowlists} {...shown} />
        </section>
      )}
    </Layout>
  );
}

/** `0 of 132 lists downloaded; 61 others answer from their shipped copy; 71 not loaded yet`. */
const downloadsText = ({ loaded, shipped, total }: Page["lists"]): string =>
  [
    `${count(loaded)} of ${count(total)} lists downloaded`,
    ...(shipped === 0 ? [] : [`${count(shipped)} others answer from their shipped copy`]),
    ...(loaded + shipped === total ? [] : [`${count(total - loaded - shipped)} not loaded yet`]),
  ].join("; ");

/** `38 of 41 engines and 6 of 6 allowlists well.` */
function wellText(engines: readonly EngineView[], allowlists: readonly EngineView[]): string {
  const share = (all: readonly EngineView[], noun: string): string =>
    `${count(all.filter(isWell).length)} of ${counted(all.length, noun)}`;
  const beside = allowlists.length === 0 ? "" : ` and ${share(allowlists, "allowlist")}`;
  const others = [...engines, ...allowlists].every(isWell)
    ? ""
    : " The others are named below and in every report.";
  return `${share(engines, "engine")}${beside} healthy.${others}`;
}

type Page = FrameOf<"status">["page"];

/** Well only when everything is: each source that is asked answers with data of its age. */
function summaryOf(page: Page): { readonly isWell: boolean; readonly text: string } {
  const { engines, allowlists, tables, database, missing, are_limits_shared: shared } = page;
  if (missing.length > 0) {
    return { isWell: false, text: `Starting: preparing the bundled data (${missing.join(", ")})` };
  }
  if (!database || shared === false) return { isWell: false, text: "Partial outage" };
  const sources = [...engines, ...allowlists, ...tables];
  const troubled = sources.filter((source) => !isWell(source)).length;
  const unloaded = page.lists.total - page.lists.loaded;
  if (troubled === 0 && unloaded > 0)
    return { isWell: false, text: `Degraded: ${counted(unloaded, "list")} not loaded yet` };
  if (troubled === 0 && page.resolver_trouble !== null)
    return { isWell: false, text: "Degraded: DNS does not work" };
  if (troubled === 0) return { isWell: true, text: "All systems healthy" };
  const verb = troubled === 1 ? "has" : "have";
  return {
    isWell: false,
    text: `Degraded: ${count(troubled)} of ${counted(sources.length, "source")} ${verb} a problem`,
  };
}

type TroubledView = Page["tables"][number] & { readonly last_success?: string | null };

type TroublesProps = {
  readonly sources: readonly TroubledView[];
  /** The reasons that the groups of equal causes give, with the hosts. */
  readonly told: ReadonlySet<string>;
  readonly now: string;
};

/** Since when and why: the sources with a problem by their state, the commonest first. */
function Troubles({ sources, told, now }: TroublesProps) {
  const groups = [
    ...Map.groupBy(
      sources.filter((source) => !isWell(source)),
      ({ status }) => status,
    ),
  ];
  if (groups.length === 0) return null;
  return (
    <ul className="troubles">
      {groups
        .toSorted(([, a], [, b]) => b.length - a.length)
        .map(([status, troubled]) => (
          <li key={status}>
            <strong>
              {counted(troubled.length, "source")}: {stateWord(status)}
            </strong>
            <span className="muted">
              {" · "}
              <Outside text={namesOf(troubled)} most={160} />
              <Why sources={troubled} told={told} />
              <Since sources={troubled} now={now} />
            </span>
          </li>
        ))}
    </ul>
  );
}

/** What most of them failed with, unless the groups of equal causes give it. */
function Why({ sources, told }: Pick<TroublesProps, "sources" | "told">) {
  const reasons = Map.groupBy(
    sources.filter(({ last_error: reason }) => reason !== null && !told.has(reason)),
    ({ last_error: reason }) => reason ?? "",
  );
  const [first] = [...reasons].toSorted(([, a], [, b]) => b.length - a.length);
  if (first === undefined) return null;
  return (
    <>
      {" · "}
      <Outside text={first[0]} most={160} />
      {reasons.size > 1 ? ` and ${counted(reasons.size - 1, "other reason")}` : ""}
    </>
  );
}

const SHOWN_NAMES = 3;

function namesOf(sources: readonly TroubledView[]): string {
  const more = sources.length - SHOWN_NAMES;
  const names = sources
    .slice(0, SHOWN_NAMES)
    .map(({ name }) => name)
    .join("; ");
  return more > 0 ? `${names} and ${counted(more, "other")}` : names;
}

/** When the first of them worked last. */
function Since({ sources, now }: { sources: readonly TroubledView[]; now: string }) {
  const times = sources.flatMap(({ last_success: at }) => at ?? []).toSorted();
  if (times[0] === undefined) return null;
  return (
    <>
      {" · last healthy "}
      <Ago at={times[0]} now={now} />
    </>
  );
}

function Figure({ name, value, isWell: well }: { name: string; value: string; isWell: boolean }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className={well ? "" : "bad"}>{value}</dd>
    </div>
  );
}

/** Where places and networks come from: as retrieved, or as shipped until then. */
type TableRowsProps = {
  readonly now: string;
  readonly tables: FrameOf<"status">["page"]["tables"];
  readonly told: ReadonlySet<string>;
};

function TableRows({ tables, told, now }: TableRowsProps) {
  return (
    <ul className="engine-rows">
      {tables.map((table) => (
        <li key={table.key}>
          <div>
            <strong>{table.name}</strong>
            <p className="muted">
              {table.entries === null ? "bundled table" : counted(table.entries, "entry", "entries")}
              {table.last_error === null || told.has(table.last_error) ? null : (
                <>
                  {" · "}
                  <Outside text={table.last_error} most={120} />
                </>
              )}
            </p>
            <HistoryBar days={table.history} now={now} />
          </div>
          <EngineState engine={table} />
          <span className="muted engine-row-age">
            {table.data_age_s === null ? "" : `${duration(table.data_age_s)} old`}
          </span>
        </li>
      ))}
    </ul>
  );
}
