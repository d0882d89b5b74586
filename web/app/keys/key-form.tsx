import { useState } from "react";
import type { Shapes } from "../../api/types.gen.ts";
import { Field } from "../../ui/field.tsx";
import { Form, FormActions, FormFailure } from "../../ui/form.tsx";
import type { Key } from "./key.ts";
import { LimitFields } from "./limit-fields.tsx";
import { faultsAfter, faultsBefore, type KeyFaults, keyInput, limitsOf } from "./limits.ts";

type KeyFormProps = {
  /** What is there so far; null: a new key. */
  readonly apiKey: Key | null;
  readonly products: readonly string[];
  readonly verb: string;
  readonly change: {
    readonly error: unknown;
    readonly isPending: boolean;
    readonly mutate: (input: Shapes["KeyInput"]) => void;
  };
  readonly onClose: () => void;
  readonly children?: React.ReactNode;
};

/** Name and limits of a key. The limits of a new one are folded away. */
export function KeyForm({ apiKey, products, verb, change, onClose, children }: KeyFormProps) {
  const [limits, setLimits] = useState(limitsOf(apiKey));
  const [before, setBefore] = useState<KeyFaults | null>(null);
  const faults = before ?? faultsAfter(change.error);
  const current = apiKey?.state === "active" ? apiKey.expires_at : null;
  const fields = (
    <LimitFields limits={limits} onChange={setLimits} current={current} products={products} faults={faults} />
  );
  return (
    <Form
      error={before ?? change.error}
      onSend={(typed) => {
        const name = typed("name");
        const wrong = faultsBefore({ name, ...limits });
        setBefore(wrong);
        if (wrong === null && !change.isPending) change.mutate(keyInput(name, limits));
      }}
    >
      <Field
        label="Name"
        name="name"
        autoComplete="off"
        defaultValue={apiKey?.name}
        required
        error={faults.name}
        hint={apiKey === null ? "What will use it: sign-up form, mail server, laptop" : undefined}
      />
      {apiKey === null ? <Folded faults={faults}>{fields}</Folded> : fields}
      {children}
      <FormFailure error={before === null ? change.error : null} shown={Object.values(faults)} />
      <FormActions isBusy={change.isPending} onCancel={onClose}>
        {verb}
      </FormActions>
    </Form>
  );
}

type FoldedProps = { readonly faults: KeyFaults; readonly children: React.ReactNode };

/** Most keys have no limits: they are a press away, and open by themselves where one of them is wrong. */
function Folded({ faults: { name: _name, ...faults }, children }: FoldedProps) {
  const [isOpen, setIsOpen] = useState(false);
  const isWrong = Object.values(faults).some((fault) => fault !== null);
  return (
    <details
      className="key-limits"
      open={isOpen || isWrong}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
    >
      <summary>Limits: expiry, networks, products</summary>
      <div className="key-limits-fields">{children}</div>
    </details>
  );
}
