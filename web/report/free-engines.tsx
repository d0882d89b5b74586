import { Ban, Check } from "lucide-react";
import type { FreeIpReport, FreeUrlReport } from "../api/types.gen.ts";
import { Section } from "./facts.tsx";
import { OutsideLink } from "./links.tsx";
import { closeness, counted } from "./numbers.ts";
import { Outside } from "./outside.tsx";

type Named = FreeIpReport["engines"][number] & Partial<Pick<FreeUrlReport["engines"][number], "level">>;
type Props = { report: { readonly engines: readonly Named[]; readonly engines_count: number } };

/** The engines that the free tool names: those that list the target first. */
export function FreeEngines({ report: { engines, engines_count: total } }: Props) {
  if (total === 0) return null;
  const groups = [
    { title: "Listed", kind: "listed", rows: engines.filter(({ detected }) => detected), Icon: Ban },
    { title: "Not listed", kind: "clean", rows: engines.filter(({ detected }) => !detected), Icon: Check },
  ] as const;
  const hidden = total - engines.length;
  return (
    <Section title="Engines" note={`${counted(total, "engine")} answered`}>
      {groups.map(({ title, kind, rows, Icon }) => (
        <div key={kind} className={`engine-group engine-group-${kind} engine-group-flat`}>
          <h3>
            {title} <span className="engine-count">{rows.length}</span>
          </h3>
          {rows.length === 0 ? <p className="muted engine-none">None of those named here.</p> : null}
          <ul className="engine-grid">
            {rows.map(({ name, reference, level = null }) => (
              <li key={name}>
                <Icon aria-hidden="true" className="engine-icon" />
                <span>
                  {reference === null ? (
                    <Outside text={name} most={120} />
                  ) : (
                    <OutsideLink href={reference}>{name}</OutsideLink>
                  )}
                  {level === null ? null : <span className="muted"> ({closeness(level)})</span>}
                </span>
              </li>
            ))}
          </ul>
        </div>
      ))}
      {hidden > 0 ? (
        <p className="muted engine-more">
          {counted(hidden, "more engine")} answered; an account sees each by name, with its reasons.
        </p>
      ) : null}
    </Section>
  );
}
