import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { dashboard } from "../../api/dashboard.ts";
import { faultOf } from "../../api/failure.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Form, FormFailure } from "../../ui/form.tsx";
import { dashboardKeyName } from "./dashboard-keys.ts";
import { LimitFields, limitsInput, limitsOf } from "./limits.tsx";
import { NewKey } from "./new-key.tsx";

type CreateKeyProps = {
  readonly onClose: () => void;
  /** True where the key is wanted for the lookups of this tab. */
  readonly isForTab?: boolean;
};

/** Names a key and limits it, then shows it this once. */
export function CreateKey({ onClose, isForTab = false }: CreateKeyProps) {
  const queries = useQueryClient();
  const keys = useQuery({ queryKey: ["keys"], queryFn: ({ signal }) => dashboard.keys(signal) });
  const [limits, setLimits] = useState(limitsOf(null));
  const create = useMutation({
    mutationFn: dashboard.createKey,
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ["keys"] });
      void queries.invalidateQueries({ queryKey: ["overview"] });
    },
  });
  if (create.data !== undefined) return <NewKey made={create.data} isForTab={isForTab} onClose={onClose} />;
  const name = faultOf(create.error, "name");
  const faults = faultsOf(create.error);
  return (
    <Dialog title="Create key" onClose={onClose}>
      <Form
        error={create.error}
        onSend={(typed) => create.mutate({ name: typed("name").trim(), ...limitsInput(limits) })}
      >
        <Field
          label="Name"
          name="name"
          maxLength={64}
          autoComplete="off"
          defaultValue={isForTab ? dashboardKeyName(Date.now()) : ""}
          required
          error={name}
          hint="What will use it: sign-up form, mail server, laptop"
        />
        <details
          className="key-limits"
          open={Object.values(faults).some((fault) => fault !== null) || undefined}
        >
          <summary>Limits</summary>
          <LimitFields
            limits={limits}
            onChange={setLimits}
            current={null}
            products={keys.data?.products ?? []}
            faults={faults}
          />
        </details>
        <FormFailure error={create.error} shown={[name, ...Object.values(faults)]} />
        <div className="button-row">
          <Button type="submit" tone="primary" isBusy={create.isPending}>
            Create key
          </Button>
          <Button tone="quiet" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

/** What was wrong with each limit. */
export const faultsOf = (error: unknown) => ({
  expires_at: faultOf(error, "expires_at"),
  networks: faultOf(error, "networks"),
  products: faultOf(error, "products"),
});
