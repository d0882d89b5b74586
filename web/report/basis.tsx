import type { Blacklists, Freshness, RiskScore } from "../api/types.gen.ts";
import { count, counted, duration, month } from "./numbers.ts";
import { Outside } from "./outside.tsx";
import { VerdictLine } from "./verdict-line.tsx";

type Props = { score: RiskScore; blacklists: Blacklists; freshness: Freshness };

/** The verdict of a full report with what it rests on. */
export function Verdict({ score, blacklists, freshness }: Props) {
  return (
    <VerdictLine
      score={score}
      basis={<Basis score={score} blacklists={blacklists} />}
      age={<DataAge freshness={freshness} oldest={oldestOf(blacklists, freshness)} />}
      caution={bundledText(freshness)}
    />
  );
}

function Basis({ score, blacklists }: Pick<Props, "score" | "blacklists">) {
  const { detections, engines_count: asked, engines_total: total, engines_unavailable: silent } = blacklists;
  if (score.verdict === "unknown") return <>{missingText(score, blacklists)}</>;
  const listed = detections === 0 ? "Listed by none" : `Listed by ${count(detections)}`;
  const away = silent.length;
  return (
    <>
      {listed} of {counted(asked, "engine")}
      {away > 0 && total > 0 ? ` · ${count(away)} did not answer` : ""}
    </>
  );
}

/** What a verdict of `unknown` is missing. */
function missingText(score: RiskScore, { engines_total: total, detections, engines }: Blacklists): string {
  const fresh = Object.values(engines).filter(({ stale }) => !stale).length;
  const found =
    detections === 0
      ? `Nothing listed it, but that is not enough ${score.result === 0 ? "to say clean" : "for a verdict"}`
      : namedText(detections);
  return `${count(fresh)} of ${counted(total, "engine")} answered with fresh data. ${found}.`;
}

/** That lists name a target without a verdict, and why there is none. */
export const namedText = (detections: number): string =>
  `${counted(detections, "list")} named it, but that is not enough for a verdict`;

/** That the score rests on lists shipped with the product alone; null where it does not. */
export const bundledText = ({ bundled_data: published }: Freshness): string | null =>
  published === undefined ? null : `From bundled data of ${month(published)}; it may rise when lists load`;

const JUST_S = 3;

/** The engine that the age of an answer is owed to; null when it is another part, as a register of networks. */
function oldestOf({ engines, allowlists }: Blacklists, { data_age_s: age }: Freshness): string | null {
  const naming = Object.values(allowlists).filter(({ detected }) => detected);
  const found = [...Object.values(engines), ...naming].find(({ data_age_s: own }) => own === age);
  return found?.name ?? null;
}

type AgeProps = {
  readonly freshness: Freshness;
  /** Of several sources, the oldest by name, null when that is not known; none of an answer of one source. */
  readonly oldest?: string | null;
};

/** How old the oldest part is. */
export function DataAge({ freshness: { data_age_s: age, stale, cached }, oldest }: AgeProps) {
  if (age === null) return <>age of the data unknown</>;
  return (
    <>
      {" "}
      {age < JUST_S ? (
        "data just asked for"
      ) : oldest === undefined ? (
        `data ${duration(age)} old`
      ) : (
        <>
          oldest source {oldest === null ? "" : <Outside text={oldest} most={80} />} {duration(age)} old
        </>
      )}
      {stale ? <span className="tag-stale">stale</span> : null}
      {cached ? ", partly from a cache" : ""}
    </>
  );
}
