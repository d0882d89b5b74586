import { Ban, Check, CircleDashed, ShieldCheck } from "lucide-react";
import type { ReactNode } from "react";
import { dataAge, fromEngines } from "../api/sources.gen.ts";
import type { FreeDomainReport, FreeIpReport, FreeUrlReport } from "../api/types.gen.ts";
import { Section } from "./facts.tsx";
import { OutsideLink } from "./links.tsx";
import { Ago } from "./moment.tsx";
import { closeness, count, counted, words } from "./numbers.ts";
import { Outside } from "./outside.tsx";

type Counted = Pick<
  FreeIpReport | FreeDomainReport | FreeUrlReport,
  | "engines"
  | "engines_count"
  | "engines_total"
  | "detections"
  | "unanswered_count"
  | "unanswered"
  | "allowlists"
  | "freshness"
>;
type Named = Counted["engines"][number];

/** The engines of a free report: counts of all of them, and those that it names. */
export function FreeEngines({ report }: { report: Counted }) {
  const { engines, engines_count: answered, engines_total: total, detections, allowlists } = report;
  if (total === 0) return null;
  const now = report.freshness.computed_at;
  const listed = engines.filter(({ detected }) => detected);
  const clean = engines.filter(({ detected }) => !detected);
  return (
    <Section
      title="Engines"
      note={`${count(answered)} of ${counted(total, "engine")} answered`}
      from={fromEngines(report.freshness)}
    >
      <Group kind="listed" title="Listed" size={detections} shown={listed.length}>
        {listed.map((engine) => (
          <Row key={engine.name} engine={engine} now={now} />
        ))}
      </Group>
      {allowlists.length === 0 ? null : (
        <Group kind="allowed" title="On an allowlist" size={allowlists.length} shown={allowlists.length}>
          {allowlists.map((name) => (
            <li key={name}>
              <ShieldCheck aria-hidden="true" className="engine-icon" />
              <Outside text={name} most={120} />
            </li>
          ))}
        </Group>
      )}
      <Group
        kind="silent"
        title="Did not answer"
        size={report.unanswered_count}
        shown={report.unanswered.length}
      >
        {report.unanswered.map(({ name, status }) => (
          <li key={name}>
            <CircleDashed aria-hidden="true" className="engine-icon" />
            <span>
              <Outside text={name} most={120} /> <span className="muted">{words(status)}</span>
            </span>
          </li>
        ))}
      </Group>
      <Group kind="clean" title="Not listed" size={answered - detections} shown={clean.length}>
        {clean.map((engine) => (
          <Row key={engine.name} engine={engine} now={now} />
        ))}
      </Group>
    </Section>
  );
}

type GroupProps = {
  kind: string;
  title: string;
  /** Of all engines; `shown` of them are named. */
  size: number;
  shown: number;
  children: ReactNode;
};

function Group({ kind, title, size, shown, children }: GroupProps) {
  return (
    <div className={`engine-group engine-group-${kind} engine-group-flat`}>
      <h3>
        {title} <span className="engine-count">{count(size)}</span>
        {shown > 0 && shown < size ? <span className="muted"> ({count(shown)} shown)</span> : null}
      </h3>
      {size === 0 ? <p className="muted engine-none">None.</p> : null}
      {size > 0 && shown === 0 ? <p className="muted engine-none">Not named here.</p> : null}
      <ul className="engine-grid">{children}</ul>
    </div>
  );
}

function Row({ engine, now }: { engine: Named; now: string }) {
  const { name, detected, reference, category, level, last_seen: seen, data_age_s: age, stale } = engine;
  const Icon = detected ? Ban : Check;
  return (
    <li>
      <Icon aria-hidden="true" className="engine-icon" />
      <span>
        {reference === null ? (
          <Outside text={name} most={120} />
        ) : (
          <OutsideLink href={reference}>{name}</OutsideLink>
        )}{" "}
        <span className="muted">
          {detected ? `${words(category)} · ` : ""}
          {level === null ? "" : `${closeness(level)} · `}
          {seen === null ? null : (
            <>
              last seen <Ago at={seen} now={now} />
              {" · "}
            </>
          )}
          <span className="whole">{dataAge(age)}</span>
        </span>
        {stale ? (
          <>
            {" "}
            <span className="tag-stale">stale</span>
          </>
        ) : null}
      </span>
    </li>
  );
}
