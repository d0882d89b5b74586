import { FROM_RESULT } from "../api/sources.gen.ts";
import type { Blacklists, EngineResult, RiskScore } from "../api/types.gen.ts";
import { NO_REASON } from "../api/words.gen.ts";
import { Section } from "./facts.tsx";
import { Ago } from "./moment.tsx";
import { closeness, counted } from "./numbers.ts";
import { Outside } from "./outside.tsx";
import { enginesOf, groupReasons, type ReasonGroup, titleOf } from "./reason-groups.ts";

type Props = {
  readonly score: Pick<RiskScore, "factors" | "adjustments" | "verdict">;
  readonly blacklists: Blacklists | null;
  /** When the report was made. */
  readonly now: string;
};

/** What made the number, each with its points; lists of one category together. */
export function Reasons({ score: { factors, adjustments, verdict }, blacklists, now }: Props) {
  return (
    <Section title="Why" from={FROM_RESULT}>
      {factors.length === 0 && adjustments.length === 0 ? (
        <p className="muted">{NO_REASON[noReasonOf(verdict, blacklists)]}</p>
      ) : (
        <ol className="reasons">
          {groupReasons(factors, blacklists).map((group) => (
            <li key={group.key}>
              <span className="reason-points">{group.points}</span>
              <div>
                <p>
                  <Outside text={titleOf(group)} />
                </p>
                <Evidence group={group} now={now} />
                {group.factors.length === 1 ? null : (
                  <Parts group={group} blacklists={blacklists} now={now} />
                )}
              </div>
            </li>
          ))}
          {adjustments.map(({ key, points, reason }) => (
            <li key={key}>
              <span className="reason-points reason-cut">{points < 0 ? `−${-points}` : `+${points}`}</span>
              <p>
                <Outside text={reason} />
              </p>
            </li>
          ))}
        </ol>
      )}
    </Section>
  );
}

function noReasonOf(verdict: RiskScore["verdict"], blacklists: Blacklists | null): keyof typeof NO_REASON {
  if (verdict === "not_applicable") return verdict;
  if (blacklists?.engines_total === 0) return "unasked";
  return verdict === "unknown" ? verdict : "other";
}

/** From the entry that says most to the one that says least. */
const LEVELS: readonly string[] = [
  ...["ip", "url", "email", "domain"],
  ...["embedded_ipv4", "registered_domain", "url_host", "network"],
];

/** How closely the closest entry matches, and when the target was seen last. What the title says is not said again. */
function Evidence({ group: { factors, engines }, now }: { group: ReasonGroup; now: string }) {
  const levels = engines.flatMap(({ matched }) => (matched === null ? [] : [matched.level]));
  const [closest] = levels.toSorted((a, b) => LEVELS.indexOf(a) - LEVELS.indexOf(b));
  const seen =
    engines
      .flatMap(({ last_seen: at }) => at ?? [])
      .toSorted()
      .at(-1) ?? null;
  const level = closest === undefined ? null : closeness(closest);
  const isSaid = level === null || (factors.length === 1 && factors[0]?.reason.includes(level));
  if (isSaid && seen === null) return null;
  return (
    <p className="muted reason-evidence">
      {isSaid ? null : level}
      {isSaid || seen === null ? "" : " · "}
      {seen === null ? null : (
        <>
          last seen <Ago at={seen} now={now} />
        </>
      )}
    </p>
  );
}

/** Each factor of a group by itself. */
function Parts({ group: { factors }, blacklists, now }: Omit<Props, "score"> & { group: ReasonGroup }) {
  return (
    <details className="fold reason-parts">
      <summary>{counted(factors.length, "reason")}, one by one</summary>
      <ul className="plain-list">
        {factors.map((factor) => (
          <li key={factor.key}>
            <b>{factor.points}</b> <Outside text={factor.reason} />
            <Seen engines={enginesOf(factor, blacklists)} now={now} />
          </li>
        ))}
      </ul>
    </details>
  );
}

function Seen({ engines, now }: { engines: readonly EngineResult[]; now: string }) {
  const at = engines
    .flatMap(({ last_seen: seen }) => seen ?? [])
    .toSorted()
    .at(-1);
  if (at === undefined) return null;
  return (
    <span className="muted">
      {" · last seen "}
      <Ago at={at} now={now} />
    </span>
  );
}
