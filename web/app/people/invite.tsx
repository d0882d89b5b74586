import { useMutation, useQueryClient } from "@tanstack/react-query";
import { dashboard } from "../../api/dashboard.ts";
import { faultOf } from "../../api/failure.ts";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Form, FormActions, FormFailure } from "../../ui/form.tsx";
import { RoleChoice } from "./role-choice.tsx";
import { roleFrom } from "./roles.ts";

/** Invites a person: by a mailed link, or by one to hand on where no mail is sent. */
export function Invite({ onClose }: { readonly onClose: () => void }) {
  const queries = useQueryClient();
  const invite = useMutation({
    mutationFn: dashboard.invite,
    onSuccess: () => queries.invalidateQueries({ queryKey: ["people"] }),
  });
  if (invite.data !== undefined) {
    return <Invited email={invite.variables.email} path={invite.data.path} onClose={onClose} />;
  }
  const email = faultOf(invite.error, "email");
  return (
    <Dialog title="Invite a person" onClose={onClose}>
      <Form
        error={invite.error}
        onSend={(typed) => invite.mutate({ email: typed("email").trim(), role: roleFrom(typed("role")) })}
      >
        <Field
          label="E-mail"
          name="email"
          type="email"
          autoComplete="off"
          error={email}
          hint="They sign in with it, and choose a password of their own."
        />
        <RoleChoice chosen="member" />
        <FormFailure error={invite.error} shown={[email]} />
        <FormActions isBusy={invite.isPending} onCancel={onClose}>
          Invite
        </FormActions>
      </Form>
    </Dialog>
  );
}

type InvitedProps = {
  readonly email: string;
  /** The link's; null: it was mailed. */
  readonly path: string | null;
  readonly onClose: () => void;
};

function Invited({ email, path, onClose }: InvitedProps) {
  const link = `${location.origin}${path ?? ""}`;
  return (
    <Dialog title="Invited" onClose={onClose} isDismissable={path === null}>
      {path === null ? (
        <p role="status">
          A link is on its way to <strong>{email}</strong>. It opens once, within 7 days.
        </p>
      ) : (
        <div role="status">
          <p>
            This installation sends no mail. Give this link to <strong>{email}</strong>: the first person who
            opens it chooses the password. It opens once, within 7 days, and is shown only now.
          </p>
          <div className="secret">
            <code>{link}</code>
            <CopyButton text={link} what="the link" tone="primary" />
          </div>
        </div>
      )}
      <div className="dialog-end">
        <Button onClick={onClose}>Done</Button>
      </div>
    </Dialog>
  );
}
