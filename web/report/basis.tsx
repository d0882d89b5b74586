import { Fragment } from "react";
import { dataAge, listsAge, tableAge } from "../api/sources.gen.ts";
import { month } from "../api/spans.gen.ts";
import type { Blacklists, Freshness, RiskScore } from "../api/types.gen.ts";
import { count, counted } from "./numbers.ts";
import { Outside } from "./outside.tsx";
import { VerdictLine } from "./verdict-line.tsx";

type Props = { score: RiskScore; blacklists: Blacklists; freshness: Freshness };

/** The verdict of a full report with what it rests on. */
export function Verdict({ score, blacklists, freshness }: Props) {
  return (
    <VerdictLine
      score={score}
      blacklists={blacklists}
      basis={<Basis score={score} blacklists={blacklists} />}
      age={
        <DataAge
          freshness={freshness}
          oldest={oldestOf(blacklists, freshness)}
          isAsked={blacklists.engines_total > 0}
        />
      }
      caution={bundledText(freshness)}
    />
  );
}

function Basis({ score, blacklists }: Pick<Props, "score" | "blacklists">) {
  const { detections, engines_count: asked, engines_total: total, engines_unavailable: silent } = blacklists;
  if (score.verdict === "unknown") return <>{missingText(score, blacklists)}</>;
  const listed = `${detections === 0 ? "Listed by none" : `Listed by ${count(detections)}`} of ${counted(asked, "engine")}`;
  const away = silent.length;
  const clearing = Object.keys(blacklists.allowlists).length;
  return (
    <>
      {total === 0 ? NOT_ASKED : asked === 0 ? "No engine answered" : listed}
      {clearing === 0 ? "" : ` · on ${counted(clearing, "allowlist")}`}
      {away > 0 && total > 0 ? ` · ${count(away)} did not answer` : ""}
    </>
  );
}

/** No list holds targets of this kind, or all that do are off. */
const NOT_ASKED = "No engine was asked";

/** What a verdict of `unknown` is missing. */
function missingText(score: RiskScore, { engines_total: total, detections, engines }: Blacklists): string {
  if (total === 0) return `${NOT_ASKED}: no verdict.`;
  const fresh = Object.values(engines).filter(({ stale }) => !stale).length;
  const found =
    detections === 0
      ? `Nothing listed it, but that is not enough ${score.result === 0 ? "to say clean" : "for a verdict"}`
      : namedText(detections);
  return `${fresh === 0 ? "None" : count(fresh)} of ${counted(total, "engine")} answered with fresh data. ${found}.`;
}

/** That lists name a target without a verdict, and why there is none. */
export const namedText = (detections: number): string =>
  `${counted(detections, "list")} named it, but that is not enough for a verdict`;

/** That the score rests on lists shipped with the product alone; null where it does not. */
export const bundledText = ({ bundled_data: published }: Freshness): string | null =>
  published === undefined ? null : `From bundled data of ${month(published)}; it may rise when lists load`;

/** The engine that the age of an answer is owed to; null when it was asked about a host of the target. */
function oldestOf({ engines, allowlists }: Blacklists, { data_age_s: age }: Freshness): string | null {
  const found = [...Object.values(engines), ...Object.values(allowlists)].find(
    ({ data_age_s: own }) => own === age,
  );
  return found?.name ?? null;
}

type AgeProps = {
  readonly freshness: Freshness;
  /** The oldest list by name, where it is known. */
  readonly oldest?: string | null;
  /** False: no list and no registry was asked, so that there is no age to tell. */
  readonly isAsked?: boolean;
};

/** How old the lists are that carried the verdict, and the tables of places and networks; without lists, all of the answer. */
export function DataAge({ freshness, oldest = null, isAsked = true }: AgeProps) {
  const { data_age_s: age, stale, cached, sources } = freshness;
  if (!isAsked && age === null) return null;
  return (
    <>
      {" "}
      {sources === undefined ? (
        age === null ? (
          "age of the data unknown"
        ) : (
          <span className="whole">{dataAge(age)}</span>
        )
      ) : (
        <ListsAge freshness={freshness} oldest={oldest} />
      )}
      {stale ? (
        <>
          {" "}
          <span className="tag-stale">stale</span>
        </>
      ) : null}
      {sources === undefined ? null : <TableAges freshness={freshness} />}
      {cached ? ", partly from a cache" : ""}
    </>
  );
}

function ListsAge({ freshness, oldest }: Required<Pick<AgeProps, "freshness" | "oldest">>) {
  const age = listsAge(freshness);
  if (age === null) return "age of the lists unknown";
  return (
    <>
      <span className="whole">{age}</span>
      {oldest === null ? null : (
        <>
          {" (oldest: "}
          <Outside text={oldest} most={80} />)
        </>
      )}
    </>
  );
}

function TableAges({ freshness }: { freshness: Freshness }) {
  const texts = (["place", "network"] as const).flatMap((what) => tableAge(what, freshness) ?? []);
  return texts.map((text) => (
    <Fragment key={text}>
      {" · "}
      <span className="whole">{text}</span>
    </Fragment>
  ));
}
