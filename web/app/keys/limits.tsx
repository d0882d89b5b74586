import { useId, useState } from "react";
import { Field, Select, TextArea } from "../../ui/field.tsx";
import { formatExact } from "../../ui/format.ts";
import type { Key } from "./key.ts";

/** What limits a key, as a form holds it. */
export type Limits = {
  /** A duration, "" for never, "day" for the day below, "keep" for what the key has. */
  readonly expiry: string;
  readonly day: string;
  /** One on each line. */
  readonly networks: string;
  /** Empty: all. */
  readonly products: readonly string[];
};

const EXPIRIES = [
  { value: "", label: "Never" },
  { value: "30d", label: "In 30 days" },
  { value: "90d", label: "In 90 days" },
  { value: "365d", label: "In a year" },
  { value: "day", label: "On a day" },
] as const;

/** The limits of a key that is there, or none. */
export const limitsOf = (key: Key | null): Limits => ({
  expiry: key === null || key.expires_at === null ? "" : "keep",
  day: "",
  networks: key?.networks?.join("\n") ?? "",
  products: key?.products ?? [],
});

/** The limits as the service takes them; an expiry that stays is left out. */
export const limitsInput = ({ expiry, day, networks, products }: Limits) => ({
  ...(expiry === "keep" ? {} : { expires_at: expiry === "" ? null : expiry === "day" ? day : expiry }),
  networks: networks.trim() === "" ? null : linesOf(networks),
  products: products.length === 0 ? null : [...products],
});

const linesOf = (text: string): string[] =>
  text
    .replaceAll(",", "\n")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

type ExpiryProps = {
  readonly value: Pick<Limits, "expiry" | "day">;
  readonly onChange: (value: Pick<Limits, "expiry" | "day">) => void;
  /** What the key has so far. */
  readonly current: string | null;
  readonly error: string | null;
};

/** When a key stops working. */
export function ExpiryField({ value: { expiry, day }, onChange, current, error }: ExpiryProps) {
  return (
    <>
      <Select
        label="Expires"
        value={expiry}
        error={expiry === "day" ? null : error}
        onChange={({ target }) => onChange({ expiry: target.value, day })}
      >
        {current !== null && <option value="keep">{formatExact(current)}, as now</option>}
        {EXPIRIES.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
      {expiry === "day" && (
        <Field
          label="Day"
          type="date"
          value={day}
          error={error}
          hint="The key stops working when this day begins in UTC"
          onChange={({ target }) => onChange({ expiry, day: target.value })}
        />
      )}
    </>
  );
}

type LimitFieldsProps = {
  readonly limits: Limits;
  readonly onChange: (limits: Limits) => void;
  readonly current: string | null;
  /** Names of all products. */
  readonly products: readonly string[];
  readonly faults: Readonly<Record<"expires_at" | "networks" | "products", string | null>>;
};

/** Everything that limits a key. */
export function LimitFields({ limits, onChange, current, products, faults }: LimitFieldsProps) {
  return (
    <>
      <ExpiryField
        value={limits}
        onChange={(expiry) => onChange({ ...limits, ...expiry })}
        current={current}
        error={faults.expires_at}
      />
      <div className="key-networks">
        <TextArea
          label="Networks"
          rows={2}
          value={limits.networks}
          spellCheck={false}
          error={faults.networks}
          placeholder={"192.0.2.0/24\n2001:db8::/32"}
          hint="Addresses that calls may come from, one network on each line. Empty: from anywhere"
          onChange={({ target }) => onChange({ ...limits, networks: target.value })}
        />
      </div>
      <ProductChoice
        all={products}
        chosen={limits.products}
        onChange={(chosen) => onChange({ ...limits, products: chosen })}
      />
    </>
  );
}

type ProductChoiceProps = {
  readonly all: readonly string[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
};

function ProductChoice({ all, chosen, onChange }: ProductChoiceProps) {
  const hint = useId();
  const [isLimited, setIsLimited] = useState(chosen.length > 0);
  return (
    <fieldset className="key-products" aria-describedby={hint}>
      <legend>Products</legend>
      <label className="check">
        <input
          type="checkbox"
          checked={!isLimited}
          onChange={({ target }) => {
            setIsLimited(!target.checked);
            onChange(target.checked ? [] : all);
          }}
        />
        <span>All products</span>
      </label>
      {isLimited &&
        all.map((name) => (
          <label key={name} className="check">
            <input
              type="checkbox"
              checked={chosen.includes(name)}
              onChange={({ target }) =>
                onChange(target.checked ? [...chosen, name] : chosen.filter((one) => one !== name))
              }
            />
            <code>{name}</code>
          </label>
        ))}
      <p className="field-hint" id={hint}>
        {isLimited && chosen.length === 0
          ? "None is ticked: the key will be good for all"
          : "Bulk calls of a product included. The free subscription call is always allowed"}
      </p>
    </fieldset>
  );
}
