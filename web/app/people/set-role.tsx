import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { dashboard } from "../../api/dashboard.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, FormActions, FormFailure } from "../../ui/form.tsx";
import { useSay } from "../../ui/toasts.tsx";
import { leave } from "../session.tsx";
import { KeepKeys } from "./keep-keys.tsx";
import type { ListedPerson } from "./people-table.tsx";
import { RoleChoice } from "./role-choice.tsx";
import { ROLE_NAMES, type RoleName } from "./roles.ts";

type SetRoleProps = { readonly person: ListedPerson; readonly onClose: () => void };

/** Gives a person another role. */
export function SetRole({ person, onClose }: SetRoleProps) {
  const queries = useQueryClient();
  const say = useSay();
  const [role, setRole] = useState<RoleName>(person.role);
  const change = useMutation({
    mutationFn: (keepsKeys: boolean) => dashboard.setRole(person.id, { role, keep_keys: keepsKeys }),
    onSuccess: async () => {
      if (person.is_you && role !== person.role) return leave(queries);
      await queries.invalidateQueries({ queryKey: ["people"] });
      say(`${person.email} is ${ROLE_NAMES[role].toLowerCase()} now`);
      onClose();
    },
  });
  return (
    <Dialog title={`Role of ${person.email}`} onClose={onClose}>
      <p className="muted">
        {person.is_you ? "You are signed out everywhere" : "They are signed out everywhere"}, and sign in
        again with the new role.
      </p>
      <Form error={change.error} onSend={(typed) => change.mutate(typed("keep_keys") === "on")}>
        <RoleChoice chosen={person.role} onChoose={setRole} />
        {role === "viewer" && person.role !== "viewer" && <KeepKeys keys={person.keys} />}
        <FormFailure error={change.error} />
        <FormActions isBusy={change.isPending} disabled={role === person.role} onCancel={onClose}>
          Change role
        </FormActions>
      </Form>
    </Dialog>
  );
}
