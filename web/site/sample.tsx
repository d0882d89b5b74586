import type { RiskScore } from "../api/types.gen.ts";
import { VerdictLine } from "../report/verdict-line.tsx";

const SCORE: Pick<RiskScore, "result" | "verdict" | "base" | "factors" | "adjustments"> = {
  result: 78,
  verdict: "high",
  base: 78,
  factors: [
    { key: "attack", points: 31, reason: "Listed for attacks by three lists", strength: 0.4, engines: [] },
    { key: "tor exit", points: 24, reason: "Current Tor exit", strength: 0.3, engines: [] },
    { key: "spam", points: 15, reason: "Listed for spam by one list", strength: 0.2, engines: [] },
    { key: "aggregate", points: 8, reason: "On an aggregate list", strength: 0.1, engines: [] },
  ],
  adjustments: [],
};

/** How an answer reads: made up, of an address that documentation may use, and said so. */
export function Sample() {
  return (
    <figure className="sample" aria-label="How an answer reads">
      <figcaption className="sample-head muted">
        <span className="mono">192.0.2.44</span>
        <span>How an answer reads</span>
      </figcaption>
      <VerdictLine
        score={SCORE}
        basis="Listed by 6 of 41 engines · 3 did not answer"
        age="lists 2 min to 14 h old · place data of November 2026"
      />
      <ol className="reasons">
        {SCORE.factors.map(({ key, points, reason }) => (
          <li key={key}>
            <span className="reason-points">{points}</span>
            <span>{reason}</span>
          </li>
        ))}
      </ol>
    </figure>
  );
}
