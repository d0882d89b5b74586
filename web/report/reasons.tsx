import type { Blacklists, EngineResult, RiskScore } from "../api/types.gen.ts";
import { Section } from "./facts.tsx";
import { Ago } from "./moment.tsx";
import { closeness } from "./numbers.ts";
import { Outside } from "./outside.tsx";

type Props = {
  readonly score: Pick<RiskScore, "factors" | "adjustments" | "verdict">;
  readonly blacklists: Blacklists | null;
  /** When the report was made. */
  readonly now: string;
};

/** What made the number, each with its points. */
export function Reasons({ score: { factors, adjustments }, blacklists, now }: Props) {
  return (
    <Section title="Why">
      {factors.length === 0 && adjustments.length === 0 ? (
        <p className="muted">
          No engine that answered names it, and no other sign that could be checked speaks against it.
        </p>
      ) : (
        <ol className="reasons">
          {factors.map((factor) => (
            <li key={factor.key}>
              <span className="reason-points">{factor.points}</span>
              <div>
                <p>
                  <Outside text={factor.reason} />
                </p>
                <Evidence engines={evidenceOf(factor.engines, blacklists)} reason={factor.reason} now={now} />
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

const evidenceOf = (keys: readonly string[], blacklists: Blacklists | null): readonly EngineResult[] =>
  keys
    .flatMap((key) => {
      const engine = blacklists?.engines[key];
      return engine !== undefined && "kind" in engine ? [engine] : [];
    })
    .slice(0, 4);

type EvidenceProps = { engines: readonly EngineResult[]; reason: string; now: string };

/** The engines behind a reason. Of one that the reason itself names with its match, only what is new. */
function Evidence({ engines, reason, now }: EvidenceProps) {
  const isSaid = ({ name }: EngineResult): boolean => reason.includes(name);
  const told = engines.filter((engine) => !isSaid(engine) || engine.last_seen !== null);
  if (told.length === 0) return null;
  return (
    <p className="muted reason-evidence">
      {told.map((engine, i) => (
        <span key={engine.name}>
          {i === 0 ? "" : " · "}
          {isSaid(engine) ? null : <Naming engine={engine} />}
          {engine.last_seen === null ? null : (
            <>
              {isSaid(engine) ? "seen " : ", seen "}
              <Ago at={engine.last_seen} now={now} />
            </>
          )}
        </span>
      ))}
    </p>
  );
}

function Naming({ engine: { name, matched } }: { engine: EngineResult }) {
  return (
    <>
      <Outside text={name} most={80} />
      {matched === null ? "" : `, ${closeness(matched.level)}`}
    </>
  );
}
