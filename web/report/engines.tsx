import { Ban, Check, CircleDashed, ShieldCheck } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { dataAge, fromEngines } from "../api/sources.gen.ts";
import type {
  Blacklists,
  EngineClear,
  EngineResult,
  EngineUnavailable,
  Freshness,
} from "../api/types.gen.ts";
import { useReportEnvironment } from "./environment.tsx";
import { Section } from "./facts.tsx";
import { OutsideLink } from "./links.tsx";
import { Ago, LastingSince } from "./moment.tsx";
import { closeness, counted, words } from "./numbers.ts";
import { Mono, Outside } from "./outside.tsx";
import { plain } from "./outside-text.ts";
import { WithCode } from "./with-code.tsx";

/** Who was asked: listed, did not answer, not listed; then who was not asked at all. Silence is never among the clean. */
export function Engines({ blacklists, freshness }: { blacklists: Blacklists; freshness: Freshness }) {
  const now = freshness.computed_at;
  const [filter, setFilter] = useState("");
  const { isLive } = useReportEnvironment();
  const has = ({ name }: { name: string }): boolean =>
    name.toLowerCase().includes(filter.trim().toLowerCase());
  const all = Object.values(blacklists.engines);
  const listed = all.filter(isListed).filter(has);
  const clean = all.filter((engine) => !isListed(engine)).filter(has);
  const silent = blacklists.engines_unavailable.filter(has);
  const { engines_count: answered, engines_total: total } = blacklists;
  const { count: off, see } = blacklists.engines_disabled;
  const clearing = Object.values(blacklists.allowlists).filter(has);
  return (
    <Section
      title="Engines"
      from={fromEngines(freshness)}
      note={total === 0 ? "none was asked" : `${counted(answered, "engine")} of ${total} answered`}
    >
      {isLive && total > 0 ? <Filter value={filter} onChange={setFilter} /> : null}
      <Listed title="Listed" kind="listed" engines={listed} now={now} />
      {clearing.length === 0 ? null : (
        <Listed title="On an allowlist" kind="allowed" engines={clearing} now={now} />
      )}
      <Group kind="silent" title="Did not answer" size={silent.length} isOpen={silent.length <= 6}>
        <Absent engines={silent} now={now} />
      </Group>
      <Clean engines={clean} />
      {off === 0 ? null : (
        <p className="muted">
          {counted(off, "engine")} switched off, not asked:{" "}
          <a href={`${see}?enabled=false`}>which, and why</a>
        </p>
      )}
      {filter !== "" && listed.length + clearing.length + silent.length + clean.length === 0 ? (
        <p className="muted">No engine of this name.</p>
      ) : null}
    </Section>
  );
}

const isListed = (engine: EngineResult | EngineClear): engine is EngineResult => engine.detected;

function Filter({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  const id = useId();
  return (
    <p className="engine-filter">
      <label className="visually-hidden" htmlFor={id}>
        Filter engines by name
      </label>
      <input
        id={id}
        type="search"
        placeholder="Filter engines by name"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </p>
  );
}

type GroupProps = { kind: string; title: string; size: number; isOpen: boolean; children: ReactNode };

function Group({ kind, title, size, isOpen, children }: GroupProps) {
  return (
    <details className={`engine-group engine-group-${kind}`} open={isOpen && size > 0}>
      <summary>
        <h3>{title}</h3> <span className="engine-count">{size}</span>
      </summary>
      {size === 0 ? <p className="muted engine-none">None.</p> : children}
    </details>
  );
}

type ListedProps = {
  title: string;
  kind: "listed" | "allowed";
  engines: readonly EngineResult[];
  now: string;
};

function Listed({ title, kind, engines, now }: ListedProps) {
  const Icon = kind === "listed" ? Ban : ShieldCheck;
  return (
    <Group kind={kind} title={title} size={engines.length} isOpen>
      <ul className="engine-list">
        {engines.map((engine) => (
          <li key={engine.name}>
            <Icon aria-hidden="true" className="engine-icon" />
            <div className="engine-name">
              {engine.reference === "" ? (
                <Outside text={engine.name} most={120} />
              ) : (
                <OutsideLink href={engine.reference}>{engine.name}</OutsideLink>
              )}
              <p className="muted">
                {kind === "listed"
                  ? `${words(engine.category)} · ${engine.confidence} confidence`
                  : "clears the target"}
                {engine.matched === null ? null : (
                  <>
                    {" · "}
                    <Mono text={engine.matched.value} most={80} /> ({closeness(engine.matched.level)}
                    {engine.matched.hop === undefined ? "" : `, redirect ${engine.matched.hop + 1}`})
                  </>
                )}
              </p>
              {engine.reason === null ? null : (
                <p className="engine-reason">
                  “<Outside text={engine.reason} />”
                </p>
              )}
            </div>
            <p className="muted engine-age">
              {engine.last_seen === null ? null : (
                <>
                  seen <Ago at={engine.last_seen} now={now} />
                  <br />
                </>
              )}
              <DataAge engine={engine} />
              {engine.seed ? ", shipped" : ""}
            </p>
          </li>
        ))}
      </ul>
    </Group>
  );
}

function DataAge({ engine: { data_age_s: age, stale } }: { engine: EngineResult | EngineClear }) {
  return (
    <>
      <span className="whole">{dataAge(age)}</span>
      {stale ? (
        <>
          {" "}
          <span className="tag-stale">stale</span>
        </>
      ) : null}
    </>
  );
}

/** Engines without an answer, each with its reason. */
function Absent({ engines, now }: { engines: readonly EngineUnavailable[]; now: string }) {
  return (
    <ul className="engine-list">
      {engines.map(({ key, name, status, since, detail }) => (
        <li key={key}>
          <CircleDashed aria-hidden="true" className="engine-icon" />
          <div className="engine-name">
            <Outside text={name} most={120} />
            <p className="muted">
              {words(status)}
              {detail === "" ? null : (
                <>
                  {": "}
                  <bdi>
                    <WithCode text={plain(detail, 160)} />
                  </bdi>
                </>
              )}
            </p>
          </div>
          <p className="muted engine-age">
            <LastingSince at={since} now={now} />
          </p>
        </li>
      ))}
    </ul>
  );
}

function Clean({ engines }: { engines: readonly (EngineResult | EngineClear)[] }) {
  return (
    <Group kind="clean" title="Not listed" size={engines.length} isOpen={engines.length <= 3}>
      <ul className="engine-grid">
        {engines.map((engine) => (
          <li key={engine.name}>
            <Check aria-hidden="true" className="engine-icon" />
            <span>
              <Outside text={engine.name} most={120} />{" "}
              <span className="muted">
                <DataAge engine={engine} />
              </span>
            </span>
          </li>
        ))}
      </ul>
    </Group>
  );
}
