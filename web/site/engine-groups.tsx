import { duration } from "../api/spans.gen.ts";
import { Ago } from "../report/moment.tsx";
import { counted } from "../report/numbers.ts";
import { Outside } from "../report/outside.tsx";
import { EngineState, type EngineView, isWell } from "./engine-states.tsx";
import { HistoryBar } from "./history-bar.tsx";

/** Longest group that is shown unfolded. */
const MAX_OPEN = 12;

const NOTHING: ReadonlySet<string> = new Set();

type EngineGroupsProps = {
  engines: readonly EngineView[];
  /** Errors that the page tells of elsewhere, with all lists that have them. */
  told?: ReadonlySet<string>;
  now: string;
};

/** Silent engines first, then those with old data, then the others. */
export function EngineGroups({ engines, told = NOTHING, now }: EngineGroupsProps) {
  const groups = [
    { title: "Not answering", rows: engines.filter((one) => !isWell(one) && one.status !== "stale") },
    { title: "Answering with old data", rows: engines.filter(({ status }) => status === "stale") },
    { title: "Healthy", rows: engines.filter(isWell) },
  ];
  return (
    <div>
      {groups.map(({ title, rows }) => (
        <details key={title} className="engine-rows-group" open={rows.length > 0 && rows.length <= MAX_OPEN}>
          <summary>
            <h3>{title}</h3> <span className="engine-count">{rows.length}</span>
          </summary>
          <EngineRows engines={rows} told={told} now={now} />
        </details>
      ))}
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
  const size =
    kind === "dnsbl" ? "asked live" : entries === null ? null : counted(entries, "entry", "entries");
  const parts = target === null ? ["configured by the operator"] : [size, target];
  return [...parts, kind === "allow" ? "allowlist" : null].filter((part) => part !== null).join(" · ");
}

/** The engines, sorted by trouble. */
function EngineRows({ engines, told, now }: Required<EngineGroupsProps>) {
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
              {engine.last_error === null || told.has(engine.last_error) ? null : (
                <>
                  {" · "}
                  <Outside text={engine.last_error} most={120} />
                </>
              )}
              {isWell(engine) || engine.last_success === null ? null : (
                <>
                  {" · last healthy "}
                  <Ago at={engine.last_success} now={now} />
                </>
              )}
            </p>
            <HistoryBar days={engine.history ?? []} now={now} />
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
