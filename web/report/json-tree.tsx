import { visibleJson } from "./outside-text.ts";

type Props = {
  /** The answer as it came. */
  readonly value: unknown;
  /** Paths of the fields that hold a default, as the answer names them. */
  readonly unknown?: readonly string[];
  /** So that a button elsewhere can copy it. */
  readonly id?: string;
};

/**
 * An answer as JSON whose objects and lists fold, the score first. Its text, without the notes, is the same JSON.
 */
export function JsonTree({ value, unknown = [], id }: Props) {
  const isUnknown = (path: string): boolean => unknown.includes(path);
  return (
    <div className="json-tree mono" translate="no" id={id}>
      <Value value={value} path="" isUnknown={isUnknown} end="" />
    </div>
  );
}

type ValueProps = {
  readonly value: unknown;
  readonly path: string;
  readonly isUnknown: (path: string) => boolean;
  /** What follows it: a comma, or nothing. */
  readonly end: string;
};

function Value({ value, path, isUnknown, end }: ValueProps) {
  if (typeof value === "object" && value !== null) {
    const isList = Array.isArray(value);
    const entries = isList
      ? value.map((one, at) => [String(at), one] as const)
      : sorted(Object.entries(value));
    return (
      <Folded
        entries={entries.map(([key, one]) => ({ key, one }))}
        isList={isList}
        path={path}
        isUnknown={isUnknown}
        end={end}
      />
    );
  }
  return (
    <>
      <Leaf value={value} />
      {end}
    </>
  );
}

/** What a reader looks for first. */
const FIRST = ["risk_score", "result", "band", "verdict", "score", "report"];

const placeOf = (key: string): number => {
  const at = FIRST.indexOf(key);
  return at < 0 ? FIRST.length : at;
};

const sorted = (entries: readonly (readonly [string, unknown])[]) =>
  entries.toSorted(([a], [b]) => placeOf(a) - placeOf(b));

type FoldedProps = Omit<ValueProps, "value"> & {
  readonly entries: readonly { readonly key: string; readonly one: unknown }[];
  readonly isList: boolean;
};

/** Longer ones are folded at first. */
const MAX_OPEN = 12;

function Folded({ entries, isList, path, isUnknown, end }: FoldedProps) {
  const [open, close] = isList ? ["[", "]"] : ["{", "}"];
  if (entries.length === 0) return `${open}${close}${end}`;
  const isTop = path === "";
  const noun = isList ? "entry" : "member";
  const nouns = entries.length === 1 ? noun : isList ? "entries" : "members";
  return (
    <details open={isTop || isFirst(path) || (entries.length <= MAX_OPEN && depthOf(path) < 2)}>
      <summary>
        {open}
        <span className="json-note">
          {entries.length} {nouns}
        </span>
      </summary>
      <ul>
        {entries.map(({ key, one }, i) => (
          <li key={key}>
            {isList ? null : (
              <>
                <span className="json-key">{quoted(key)}</span>:{" "}
              </>
            )}
            <Value
              value={one}
              path={below(path, key)}
              isUnknown={isUnknown}
              end={i === entries.length - 1 ? "" : ","}
            />
            {isUnknown(below(path, key)) ? <span className="json-note unknown">unknown</span> : null}
          </li>
        ))}
      </ul>
      {close}
      {end}
    </details>
  );
}

const below = (path: string, key: string): string => (path === "" ? key : `${path}.${key}`);
const depthOf = (path: string): number => path.split(".").length;
const isFirst = (path: string): boolean => path.endsWith("risk_score");

const quoted = (text: string): string => visibleJson(JSON.stringify(text));

function Leaf({ value }: { value: unknown }) {
  if (typeof value === "string") return <span className="json-text">{quoted(value)}</span>;
  return <span className="json-word">{JSON.stringify(value) ?? "null"}</span>;
}
