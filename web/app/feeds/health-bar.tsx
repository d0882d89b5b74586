import { countOf } from "../../ui/format.ts";
import type { Health } from "./health.ts";

const PARTS = [
  { health: "good", word: "healthy" },
  { health: "warn", word: "with a problem" },
  { health: "bad", word: "without an answer" },
] as const;

type Counts = Readonly<Record<Health, number>>;

const askedOf = ({ good, warn, bad }: Counts): number => good + warn + bad;

const besideText = (counts: Counts, noun: string): readonly string[] =>
  askedOf(counts) === 0 ? [] : [`${counts.good} of ${countOf(askedOf(counts), noun)}`];

type HealthBarProps = { readonly engines: Counts; readonly allowlists: Counts; readonly tables: Counts };

/** "38 of 41 engines healthy", and the same as a bar; allowlists and tables apart. What is off counts for nothing. */
export function HealthBar({ engines: counts, allowlists, tables }: HealthBarProps) {
  const asked = askedOf(counts);
  const beside = [...besideText(allowlists, "allowlist"), ...besideText(tables, "table")];
  const words = PARTS.map(({ health, word }) => `${counts[health]} ${word}`).join(", ");
  let from = 0;
  return (
    <div className="health">
      <p className="health-line">
        <strong>
          {counts.good} of {countOf(asked, "engine")} healthy
        </strong>
        {counts.warn > 0 && <span> · {counts.warn} with a problem, still answering</span>}
        {counts.bad > 0 && <span> · {counts.bad} without an answer</span>}
        {counts.off > 0 && <span className="muted"> · {counts.off} off</span>}
        {beside.length > 0 && <span className="muted"> · also {beside.join(" and ")} healthy</span>}
      </p>
      <svg
        className="health-bar"
        viewBox={`0 0 ${Math.max(asked, 1)} 1`}
        preserveAspectRatio="none"
        role="img"
      >
        <title>{words}</title>
        {PARTS.map(({ health }) => {
          const start = from;
          from += counts[health];
          return (
            <rect
              key={health}
              className={`health-${health}`}
              x={start}
              y="0"
              width={counts[health]}
              height="1"
            />
          );
        })}
      </svg>
    </div>
  );
}
