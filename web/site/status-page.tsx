import { CircleCheck, TriangleAlert } from "lucide-react";
import { count, counted, duration } from "../report/numbers.ts";
import { Outside } from "../report/outside.tsx";
import { Causes } from "./causes.tsx";
import { EngineState, type EngineView, isWell } from "./engine-states.tsx";
import type { FrameOf } from "./frame.ts";
import { Layout } from "./layout.tsx";

/** How the service and its sources are. */
export function StatusPage({ frame }: { frame: FrameOf<"status"> }) {
  const { engines, allowlists, tables, database, missing, are_limits_shared: shared, version } = frame.page;
  const { resolver_trouble: resolverTrouble } = frame.page;
  const isUp = database && missing.length === 0 && shared !== false && resolverTrouble === null;
  const isFed = 2 * engines.filter(isWell).length >= engines.length;
  const told = new Set(frame.page.causes.map(({ reason }) => reason));
  const Icon = isUp && isFed ? CircleCheck : TriangleAlert;
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
      <section className={`verdict ${isUp && isFed ? "answer-good" : "answer-warning"}`} aria-label="Summary">
        <p className="verdict-word">
          <Icon aria-hidden="true" className="verdict-icon" />
          <strong>{summaryOf(isUp, isFed)}</strong>
        </p>
        <p>{wellText(engines, allowlists)}</p>
      </section>
      <dl className="figures">
        <Figure name="Database" isWell={database} value={database ? "reachable" : "not reachable"} />
        <Figure
          name="Limits"
          isWell={shared !== false}
          value={shared === null ? "of this process" : shared ? "shared" : "of each process for now"}
        />
        <Figure name="DNS" isWell={resolverTrouble === null} value={resolverTrouble ?? "working"} />
        <Figure
          name="Shipped data"
          isWell={missing.length === 0}
          value={missing.length === 0 ? "ready" : `being prepared: ${missing.join(", ")}`}
        />
        <Figure
          name="Lists"
          isWell={frame.page.lists.loaded === frame.page.lists.total}
          value={`${count(frame.page.lists.loaded)} of ${count(frame.page.lists.total)} lists loaded`}
        />
        <Figure name="Version" isWell value={version} />
      </dl>
      <Causes causes={frame.page.causes} />
      {tables.length === 0 ? null : (
        <section className="home-section">
          <h2>Places and networks</h2>
          <TableRows tables={tables} told={told} />
        </section>
      )}
      <section className="home-section">
        <h2>Engines</h2>
        <EngineGroups engines={engines} told={told} />
      </section>
      {allowlists.length === 0 ? null : (
        <section className="home-section">
          <h2>Allowlists</h2>
          <p className="muted">
            They clear a target and accuse none, so that no report counts them as engines.
          </p>
          <EngineGroups engines={allowlists} told={told} />
        </section>
      )}
    </Layout>
  );
}

/** `38 of 41 engines and 6 of 6 allowlists well.` */
function wellText(engines: readonly EngineView[], allowlists: readonly EngineView[]): string {
  const share = (all: readonly EngineView[], noun: string): string =>
    `${count(all.filter(isWell).length)} of ${counted(all.length, noun)}`;
  const beside = allowlists.length === 0 ? "" : ` and ${share(allowlists, "allowlist")}`;
  const others = [...engines, ...allowlists].every(isWell)
    ? ""
    : " The others are named below and in every report.";
  return `${share(engines, "engine")}${beside} well.${others}`;
}

/** Longest group that is shown unfolded. */
const MAX_OPEN = 12;

const NOTHING: ReadonlySet<string> = new Set();

type EngineGroupsProps = {
  engines: readonly EngineView[];
  /** Errors that the page tells of elsewhere, with all lists that have them. */
  told?: ReadonlySet<string>;
};

/** Silent engines first, then those with old data, then the others. */
export function EngineGroups({ engines, told = NOTHING }: EngineGroupsProps) {
  const groups = [
    { title: "Do not answer", rows: engines.filter((one) => !isWell(one) && one.status !== "stale") },
    { title: "Answer with old data", rows: engines.filter(({ status }) => status === "stale") },
    { title: "Well", rows: engines.filter(isWell) },
  ];
  return (
    <div>
      {groups.map(({ title, rows }) => (
        <details key={title} className="engine-rows-group" open={rows.length > 0 && rows.length <= MAX_OPEN}>
          <summary>
            <h3>{title}</h3> <span className="engine-count">{rows.length}</span>
          </summary>
          <EngineRows engines={rows} told={told} />
        </details>
      ))}
    </div>
  );
}

function summaryOf(isUp: boolean, isFed: boolean): string {
  if (!isUp) return "A part of the service is away";
  return isFed ? "All is well" : "The service answers; most of its engines have old data or none";
}

function Figure({ name, value, isWell: well }: { name: string; value: string; isWell: boolean }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className={well ? "" : "bad"}>{value}</dd>
    </div>
  );
}

const ORDER = ["error", "refused", "timeout", "self_test_failed", "never", "stale"];

const troubleOf = ({ status }: EngineView): number => {
  const at = ORDER.indexOf(status);
  return at < 0 ? ORDER.length : at;
};

/** `asked live · ip`, `1,234 entries · domain · allowlist`; of an engine of the operator's only whose it is. */
function describe({ kind, entries, target }: EngineView): string {
  const size = kind === "dnsbl" ? "asked live" : entries === null ? null : `${count(entries)} entries`;
  const parts = target === null ? ["configured by the operator"] : [size, target];
  return [...parts, kind === "allow" ? "allowlist" : null].filter((part) => part !== null).join(" · ");
}

/** Where places and networks come from: as retrieved, or as shipped until then. */
type TableRowsProps = {
  readonly tables: FrameOf<"status">["page"]["tables"];
  readonly told: ReadonlySet<string>;
};

function TableRows({ tables, told }: TableRowsProps) {
  return (
    <ul className="engine-rows">
      {tables.map((table) => (
        <li key={table.key}>
          <div>
            <strong>{table.name}</strong>
            <p className="muted">
              {table.entries === null ? "shipped table" : `${count(table.entries)} entries`}
              {table.last_error === null || told.has(table.last_error) ? null : (
                <>
                  {" · "}
                  <Outside text={table.last_error} most={120} />
                </>
              )}
            </p>
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

/** The engines, sorted by trouble. */
function EngineRows({ engines, told }: Required<EngineGroupsProps>) {
  const sorted = engines.toSorted((a, b) => troubleOf(a) - troubleOf(b) || a.name.localeCompare(b.name));
  return (
    <ul className="engine-rows">
      {sorted.map((engine) => (
        <li key={engine.key}>
          <div>
            <strong>
              <Outside text={engine.name} most={100} />
            </strong>
            <p className="muted">
              {describe(engine)}
              {isWell(engine) || engine.last_error === null || told.has(engine.last_error) ? null : (
                <>
                  {" · "}
                  <Outside text={engine.last_error} most={120} />
                </>
              )}
            </p>
          </div>
          <EngineState engine={engine} />
          <span className="muted engine-row-age">
            {engine.data_age_s === null ? "" : `${duration(engine.data_age_s)} old`}
          </span>
        </li>
      ))}
    </ul>
  );
}
