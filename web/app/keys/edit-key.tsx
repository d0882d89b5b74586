import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { dashboard } from "../../api/dashboard.ts";
import { faultOf } from "../../api/failure.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Form, FormFailure } from "../../ui/form.tsx";
import { useSay } from "../../ui/toasts.tsx";
import { faultsOf } from "./create-key.tsx";
import type { Key } from "./key.ts";
import { LimitFields, limitsInput, limitsOf } from "./limits.tsx";

type EditKeyProps = {
  readonly apiKey: Key;
  readonly products: readonly string[];
  readonly onClose: () => void;
};

/** Changes the name of a key and what limits it. */
export function EditKey({ apiKey, products, onClose }: EditKeyProps) {
  const queries = useQueryClient();
  const say = useSay();
  const [limits, setLimits] = useState(limitsOf(apiKey));
  const update = useMutation({
    mutationFn: (name: string) => dashboard.updateKey(apiKey.id, { name, ...limitsInput(limits) }),
    onSuccess: async (_done, name) => {
      await queries.invalidateQueries({ queryKey: ["keys"] });
      say(`Changed "${name}"`);
      onClose();
    },
  });
  const name = faultOf(update.error, "name");
  const faults = faultsOf(update.error);
  return (
    <Dialog title={`Edit "${apiKey.name}"`} onClose={onClose}>
      <Form error={update.error} onSend={(typed) => update.mutate(typed("name").trim())}>
        <Field
          label="Name"
          name="name"
          maxLength={64}
          autoComplete="off"
          defaultValue={apiKey.name}
          required
          error={name}
        />
        <LimitFields
          limits={limits}
          onChange={setLimits}
          current={apiKey.expires_at}
          products={products}
          faults={faults}
        />
        <p className="muted small">The limits hold for the very next call.</p>
        <FormFailure error={update.error} shown={[name, ...Object.values(faults)]} />
        <div className="button-row">
          <Button type="submit" tone="primary" isBusy={update.isPending}>
            Save
          </Button>
          <Button tone="quiet" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
