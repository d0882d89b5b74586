import type { ReactNode } from "react";
import type { RiskScore } from "../api/types.gen.ts";
import { VERDICTS } from "./bands.tsx";
import { Outside } from "./outside.tsx";
import { ScoreBar, shadeOf } from "./score-bar.tsx";

type Score = Pick<RiskScore, "result" | "verdict" | "factors" | "adjustments" | "base">;

type Props = {
  readonly score: Score;
  readonly hasNumber?: boolean;
  /** False where the basis says what the verdict means. */
  readonly hasMeaning?: boolean;
  readonly basis: ReactNode;
  readonly age: ReactNode;
  /** What may change the score soon; null: nothing known. */
  readonly caution?: string | null;
};

/** The first thing a person wants to know: icon, word, number, bar; then what it rests on. */
export function VerdictLine({
  score,
  hasNumber = true,
  hasMeaning = true,
  basis,
  age,
  caution = null,
}: Props) {
  const { verdict, result } = score;
  const { word, Icon } = VERDICTS[verdict];
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
      <ScoreBar score={score} verdict={verdict} />
      <div className="verdict-foot">
        <Legend score={score} hasMeaning={hasMeaning} />
        <p className="muted verdict-age">{age}</p>
      </div>
    </section>
  );
}

function Legend({ score, hasMeaning }: Required<Pick<Props, "score" | "hasMeaning">>) {
  const { factors, adjustments, verdict } = score;
  const shown = factors.filter(({ points }) => points > 0).slice(0, 6);
  if (shown.length === 0) {
    return hasMeaning && verdict !== "unknown" ? (
      <p className="muted">{VERDICTS[verdict].meaning}</p>
    ) : (
      <span />
    );
  }
  return (
    <ul className="legend">
      {shown.map(({ key, points }, i) => (
        <li key={key}>
          <span className={`legend-mark ${shadeOf(i)}`} aria-hidden="true" />
          <Outside text={labelOf(key)} most={40} /> <b>{points}</b>
        </li>
      ))}
      {adjustments.map(({ key, points }) => (
        <li key={key}>
          <span className="legend-mark legend-cut" aria-hidden="true" />
          <Outside text={labelOf(key)} most={40} /> <b>{points > 0 ? `+${points}` : `−${-points}`}</b>
        </li>
      ))}
    </ul>
  );
}

const labelOf = (key: string): string => key.replace(/^signal_/, "").replaceAll("_", " ");
