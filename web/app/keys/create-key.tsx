import { useMutation, useQueryClient } from "@tanstack/react-query";
import { dashboard } from "../../api/dashboard.ts";
import { faultOf } from "../../api/failure.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Form, FormFailure } from "../../ui/form.tsx";
import { NewKey } from "./new-key.tsx";

/** Names a key, then shows it this once. */
export function CreateKey({ onClose }: { readonly onClose: () => void }) {
  const queries = useQueryClient();
  const create = useMutation({
    mutationFn: dashboard.createKey,
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ["keys"] });
      void queries.invalidateQueries({ queryKey: ["overview"] });
    },
  });
  if (create.data !== undefined) return <NewKey made={create.data} onClose={onClose} />;
  const name = faultOf(create.error, "name");
  return (
    <Dialog title="Create key" onClose={onClose}>
      <Form error={create.error} onSend={(typed) => create.mutate({ name: typed("name").trim() })}>
        <Field
          label="Name"
          name="name"
          maxLength={64}
          autoComplete="off"
          required
          error={name}
          hint="What will use it: sign-up form, mail server, laptop"
        />
        <FormFailure error={create.error} shown={[name]} />
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
