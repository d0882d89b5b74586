import { useState } from "react";
import { Link } from "wouter";
import type { Product } from "../../api/products.ts";
import { Button } from "../../ui/button.tsx";
import { Select } from "../../ui/field.tsx";
import { countOf, formatCount } from "../../ui/format.ts";
import { Notice } from "../../ui/states.tsx";
import { bestColumn, type Checked, checkColumn, type Sheet } from "./csv-in.ts";
import { NotSent } from "./not-sent.tsx";

type CheckProps = {
  readonly sheet: Sheet;
  readonly product: Product;
  /** Balance; null while it is not known. */
  readonly left: number | null;
  /** False: this session only reads. */
  readonly canAsk: boolean;
  readonly onStart: (checked: Checked) => void;
};

/** What would be sent and what it costs, before anything is. */
export function Check({ sheet, product, left, canAsk, onStart }: CheckProps) {
  const [column, setColumn] = useState(() => bestColumn(sheet, product.word));
  const checked = checkColumn(sheet, column, product.word);
  const count = checked.good.length;
  const cost = count * product.credits;
  const isShort = left !== null && cost > left;
  return (
    <div className="bulk-check">
      {sheet.columns.length > 1 && (
        <Select label="Column" value={column} onChange={(event) => setColumn(Number(event.target.value))}>
          {sheet.columns.map((name, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
            <option key={at} value={at}>
              {name}
            </option>
          ))}
        </Select>
      )}
      <p role="status">
        <strong>{countOf(count, "lookup")}</strong>
        {checked.repeated.length > 0 && `, ${formatCount(checked.repeated.length)} repeated left out`}
        {count > 0 && ` · costs up to ${countOf(cost, "credit")}`}
        {left !== null && <span className="muted"> of {formatCount(left)} left</span>}
      </p>
      <NotSent wrong={checked.wrong} product={product} />
      {isShort && (
        <Notice kind="warn">
          <p>
            The balance does not cover all of it: it stops where the credits end.{" "}
            <Link href="/billing">See the plans</Link>
          </p>
        </Notice>
      )}
      <Button tone="primary" disabled={count === 0 || !canAsk} onClick={() => onStart(checked)}>
        {count === 0 ? "Run lookups" : `Run ${countOf(count, "lookup")}`}
      </Button>
    </div>
  );
}
