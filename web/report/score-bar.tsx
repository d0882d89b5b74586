import type { RiskScore } from "../api/types.gen.ts";
import { BAND_STARTS, type VerdictWord } from "./bands.tsx";
import { plain } from "./outside-text.ts";
import type { ReasonGroup } from "./reason-groups.ts";

type Score = Pick<RiskScore, "result" | "base">;

type Segment = {
  readonly key: string;
  /** Of its group, which has one shade. */
  readonly group: number;
  readonly from: number;
  readonly points: number;
  readonly text: string;
};

type Props = {
  readonly score: Score;
  readonly groups: readonly ReasonGroup[];
  readonly verdict: VerdictWord;
};

/** The factors by group, each as wide as its points; what adjustments take away is a notch at the result. */
export function ScoreBar({ score, groups, verdict }: Props) {
  if (verdict === "not_applicable") return null;
  const segments = segmentsOf(score, groups);
  const { result, base } = score;
  const label = [`Score ${result} of 100`, ...segments.map(({ text }) => text)].join("; ");
  return (
    <svg
      className={`score-bar score-bar-${verdict}`}
      viewBox="0 0 100 10"
      preserveAspectRatio="none"
      role="img"
      aria-label={plain(label, 600)}
    >
      <rect className="score-bar-ground" width="100" height="10" />
      {BAND_STARTS.map((at) => (
        <rect key={at} className="score-bar-mark" x={at} width="0.15" height="10" />
      ))}
      {segments.map(({ key, group, from, points, text }, i) => (
        <rect
          key={key}
          className={`score-bar-segment ${shadeOf(group)}`}
          x={from}
          width={Math.max(0, points - (i === segments.length - 1 ? 0 : GAP))}
          height="10"
        >
          <title>{plain(text)}</title>
        </rect>
      ))}
      {result < base ? (
        <>
          <rect className="score-bar-cut" x={result} width={base - result} height="10" />
          <rect className="score-bar-notch" x={Math.max(0, result - 0.2)} width="0.5" height="10" />
        </>
      ) : null}
    </svg>
  );
}

const GAP = 0.3;
const SHADES = 6;

/** Class of the shade that a group of reasons has in the bar and in its legend. */
export const shadeOf = (index: number): string => `score-bar-segment-${index % SHADES}`;

function segmentsOf({ base, result }: Score, groups: readonly ReasonGroup[]): readonly Segment[] {
  const known = groups.flatMap(({ factors }, group) =>
    factors.filter(({ points }) => points > 0).map((factor) => ({ ...factor, group })),
  );
  if (known.length === 0) {
    const points = Math.max(base, result);
    return points === 0 ? [] : [{ key: "all", group: 0, from: 0, points, text: `${points} points` }];
  }
  let from = 0;
  return known.map(({ key, group, points, reason }) => {
    const segment = { key, group, from, points, text: `${points}: ${reason}` };
    from += points;
    return segment;
  });
}
