import { CheckGroup } from "../../ui/check-group.tsx";
import { Field, Select, TextArea } from "../../ui/field.tsx";
import { formatExact } from "../../ui/format.ts";
import { endpointName } from "../words.ts";
import { ENDS, type Expiry, type KeyFaults, type LimitChoices } from "./limits.ts";

type ExpiryFieldProps = {
  readonly label?: string;
  readonly value: Expiry;
  readonly onChange: (value: Expiry) => void;
  /** The end that may stay; null: there is none. */
  readonly current: string | null;
  readonly error: string | null;
};

/** When a key stops working. */
export function ExpiryField({ label = "Expires", value, onChange, current, error }: ExpiryFieldProps) {
  const { end, day } = value;
  return (
    <>
      <Select
        label={label}
        value={end}
        error={end === "day" ? null : error}
        onChange={({ target }) => onChange({ end: target.value, day })}
      >
        {current !== null && <option value="keep">{formatExact(current)}, as now</option>}
        {ENDS.map((one) => (
          <option key={one.value} value={one.value}>
            {one.label}
          </option>
        ))}
      </Select>
      {end === "day" && (
        <Field
          label="Day"
          type="date"
          value={day}
          error={error}
          hint="The key stops working at 00:00 UTC, when this day begins."
          onChange={({ target }) => onChange({ end, day: target.value })}
        />
      )}
    </>
  );
}

type LimitFieldsProps = {
  readonly limits: LimitChoices;
  readonly onChange: (limits: LimitChoices) => void;
  readonly current: string | null;
  /** Names of all products. */
  readonly products: readonly string[];
  readonly faults: KeyFaults;
};

/** Everything that limits a key. */
export function LimitFields({ limits, onChange, current, products, faults }: LimitFieldsProps) {
  return (
    <>
      <ExpiryField
        value={limits.expiry}
        onChange={(expiry) => onChange({ ...limits, expiry })}
        current={current}
        error={faults.expires_at}
      />
      <TextArea
        label="Networks"
        rows={2}
        value={limits.networks}
        spellCheck={false}
        autoComplete="off"
        error={faults.networks}
        placeholder={"192.0.2.0/24\n2001:db8::/32"}
        hint="Where calls may come from: addresses or networks, one on each line. Empty: from anywhere."
        onChange={({ target }) => onChange({ ...limits, networks: target.value })}
      />
      <CheckGroup
        legend="Products"
        allLabel="All products"
        options={products.map((value) => ({ value, label: endpointName(value) }))}
        chosen={limits.products}
        onChange={(chosen) => onChange({ ...limits, products: chosen })}
        error={faults.products}
        hint="A product's bulk calls belong to it. Every key may ask for the balance."
      />
    </>
  );
}
