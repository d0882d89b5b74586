import { fromAnswer } from "../api/sources.gen.ts";
import type { Freshness } from "../api/types.gen.ts";
import { DataAge } from "./basis.tsx";
import { Fact, Facts, Section } from "./facts.tsx";
import { keyed } from "./keyed.ts";
import { Nothing } from "./known.tsx";
import { count, sentence, words } from "./numbers.ts";
import { Outside } from "./outside.tsx";
import { SourceScope } from "./source.tsx";
import { ReportOf } from "./unknown-fields.tsx";

type PlainData = {
  readonly unknown_fields: readonly string[];
  readonly message?: string | null;
  readonly freshness: Freshness;
};

/** Members that the page shows elsewhere, or that say how the answer was made. */
const BESIDE: ReadonlySet<string> = new Set([
  "input",
  "message",
  "freshness",
  "unknown_fields",
  "elapsed_ms",
]);

/** The report of a product that has none of its own: its sentence, where it has one, and every member by its name. */
export function PlainReport({ report }: { report: PlainData }) {
  const { freshness } = report;
  const members = Object.entries(report).filter(([name]) => !BESIDE.has(name));
  return (
    <ReportOf fields={report.unknown_fields}>
      <p>
        {report.message ? <Outside text={report.message} /> : null}{" "}
        <span className="muted source">
          <DataAge freshness={freshness} />
        </span>
      </p>
      <SourceScope from={fromAnswer(freshness)}>
        <Members members={members.filter(([, value]) => !isGroup(value))} path="" />
        {members
          .filter(([, value]) => isGroup(value))
          .map(([name, value]) => (
            <Section key={name} title={sentence(words(name))}>
              <Members members={Object.entries(Object(value))} path={`${name}.`} />
            </Section>
          ))}
      </SourceScope>
    </ReportOf>
  );
}

const isGroup = (value: unknown): boolean =>
  typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length > 0;

type MembersProps = { readonly members: readonly (readonly [string, unknown])[]; readonly path: string };

const Members = ({ members, path }: MembersProps) => (
  <Facts>
    {members.map(([name, value]) => (
      <Fact key={name} name={sentence(words(name))} of={`${path}${name}`}>
        <Value value={value} path={`${path}${name}.`} />
      </Fact>
    ))}
  </Facts>
);

function Value({ value, path }: { value: unknown; path: string }) {
  if (value === true) return "yes";
  if (value === false) return "no";
  if (typeof value === "number") return count(value);
  if (typeof value === "string") return <Outside text={value} />;
  if (isGroup(value)) return <Members members={Object.entries(Object(value))} path={path} />;
  if (!Array.isArray(value) || value.length === 0) return <Nothing />;
  return (
    <ul className="plain-list">
      {keyed<unknown>(value, (item) => JSON.stringify(item)).map(({ key, item }) => (
        <li key={key}>
          <Value value={item} path={path} />
        </li>
      ))}
    </ul>
  );
}
