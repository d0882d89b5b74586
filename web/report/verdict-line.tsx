import type { ReactNode } from "react";
import type { Blacklists, RiskScore } from "../api/types.gen.ts";
import { VERDICTS } from "./bands.tsx";
import { Outside } from "./outside.tsx";
import { groupReasons, labelOf, type ReasonGroup } from "./reason-groups.ts";
import { ScoreBar, shadeOf } from "./score-bar.tsx";

type Score = Pick<RiskScore, "result" | "verdict" | "factors" | "adjustments" | "base">;

type Props = {
  readonly score: Score;
  /** What the engines said, which puts the factors of one category together. */
  readonly blacklists?: Pick<Blacklists, "engines"> | null;
  readonly hasNumber?: boolean;
  /** What the verdict means; null where the basis says it. Default: as of all lists. */
  readonly meaning?: string | null;
  readonly basis: ReactNode;
  readonly age: ReactNode;
  /** What may change the score soon; null: nothing known. */
  readonly caution?: string | null;
};

/** The first thing a person wants to know: icon, word, number, bar; then what it rests on. */
export function VerdictLine({
  score,
  blacklists = null,
  hasNumber = true,
  meaning = VERDICTS[score.verdict].meaning,
  basis,
  age,
  caution = null,
}: Props) {
  const { verdict, result } = score;
  const { word, Icon } = VERDICTS[verdict];
  const groups = groupReasons(score.factors, blacklists);
  return (
    <section className={`verdict band-${verdict}`} aria-label="Verdict">
      <div className="verdict-line">
        <p className="verdict-word">
          <Icon aria-hidden="true" className="verdict-icon" />
          <strong>{word}</strong>
          {hasNumber && verdict !== "not_applicable" ? (
            <span className="verdict-number">
              <span className="visually-hidden">, </span>
              {result}
              <span className="verdict-of"> of 100</span>
            </span>
          ) : null}
        </p>
        <p className="verdict-basis">
          {basis} {caution === null ? null : <span className="verdict-caution">{caution}</span>}
        </p>
      </div>
      <ScoreBar score={score} groups={groups} verdict={verdict} />
      <div className="verdict-foot">
        <Legend score={score} groups={groups} meaning={meaning} />
        <p className="muted verdict-age source">{age}</p>
      </div>
    </section>
  );
}

type LegendProps = Required<Pick<Props, "score" | "meaning">> & {
  readonly groups: readonly ReasonGroup[];
};

function Legend({ score: { adjustments, verdict }, groups, meaning }: LegendProps) {
  const shown = groups.map((group, shade) => ({ ...group, shade })).filter(({ points }) => points > 0);
  if (shown.length === 0 && adjustments.length === 0) {
    return meaning !== null && verdict !== "unknown" ? <p className="muted">{meaning}</p> : <span />;
  }
  return (
    <ul className="legend">
      {shown.slice(0, MOST).map(({ key, label, points, shade }) => (
        <li key={key}>
          <span className={`legend-mark ${shadeOf(shade)}`} aria-hidden="true" />
          <Outside text={label} most={40} /> <b>{points}</b>
        </li>
      ))}
      {shown.length > MOST ? <li>and {shown.length - MOST} more below</li> : null}
      {adjustments.map(({ key, points }) => (
        <li key={key}>
          <span className="legend-mark legend-cut" aria-hidden="true" />
          <Outside text={labelOf(key)} most={40} /> <b>{points > 0 ? `+${points}` : `−${-points}`}</b>
        </li>
      ))}
    </ul>
  );
}

/** As many as there are shades. */
const MOST = 6;
