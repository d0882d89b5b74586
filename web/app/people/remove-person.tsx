import { useMutation, useQueryClient } from "@tanstack/react-query";
import { dashboard } from "../../api/dashboard.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, FormFailure } from "../../ui/form.tsx";
import { useSay } from "../../ui/toasts.tsx";
import { KeepKeys } from "./keep-keys.tsx";
import { LeaveDialog } from "./leave.tsx";
import type { ListedPerson } from "./people-table.tsx";

type RemovePersonProps = { readonly person: ListedPerson; readonly onClose: () => void };

/** Removes a person from the account, or leaves it. */
export const RemovePerson = ({ person, onClose }: RemovePersonProps) =>
  person.is_you ? (
    <LeaveDialog keys={person.keys} onClose={onClose} />
  ) : (
    <RemoveDialog person={person} onClose={onClose} />
  );

function RemoveDialog({ person, onClose }: RemovePersonProps) {
  const queries = useQueryClient();
  const say = useSay();
  const remove = useMutation({
    mutationFn: (keepsKeys: boolean) => dashboard.removePerson(person.id, { keep_keys: keepsKeys }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ["people"] });
      void queries.invalidateQueries({ queryKey: ["keys"] });
      say(`${person.email} is removed`);
      onClose();
    },
  });
  return (
    <Dialog title={`Remove ${person.email}?`} onClose={onClose}>
      <p>They are signed out everywhere at once and cannot sign in any more. What they looked up stays.</p>
      <Form error={remove.error} onSend={(typed) => remove.mutate(typed("keep_keys") === "on")}>
        <KeepKeys keys={person.keys} />
        <FormFailure error={remove.error} />
        <div className="dialog-end">
          <Button tone="quiet" onClick={onClose}>
            Keep them
          </Button>
          <Button type="submit" tone="danger" isBusy={remove.isPending}>
            Remove
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
