import type { Product } from "../../api/products.ts";
import { countOf, formatCount } from "../../ui/format.ts";
import type { Entry } from "./csv-in.ts";

const NAMED = 3;
const SHOWN = 50;

type NotSentProps = { readonly wrong: readonly Entry[]; readonly product: Product };

/** The lines that cannot be asked about: the first by name, the rest folded. */
export function NotSent({ wrong, product }: NotSentProps) {
  if (wrong.length === 0) return null;
  const rest = wrong.slice(NAMED, SHOWN);
  const more = wrong.length - NAMED;
  return (
    <div className="bulk-wrong">
      <p>
        <strong>{countOf(wrong.length, "line")} not sent</strong>, not like a valid value. Expected, for
        example: <code>{product.example}</code>
      </p>
      <Lines entries={wrong.slice(0, NAMED)} />
      {more > 0 && (
        <details>
          <summary>{countOf(more, "more line")}</summary>
          <Lines entries={rest} />
          {more > rest.length && (
            <p className="muted small">and {formatCount(more - rest.length)} more; the CSV names all.</p>
          )}
        </details>
      )}
    </div>
  );
}

const Lines = ({ entries }: { readonly entries: readonly Entry[] }) => (
  <ul>
    {entries.map(({ line, value }) => (
      <li key={line}>
        Line {formatCount(line)}: <code>{value.slice(0, 120)}</code>
      </li>
    ))}
  </ul>
);
