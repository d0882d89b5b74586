import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { dashboard } from "../../api/dashboard.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, FormFailure } from "../../ui/form.tsx";
import { leave } from "../session.tsx";

/** The way out of an account that goes on without this person. */
export function Leave({ account }: { readonly account: string }) {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <div className="settings-part">
      <p className="muted">You can no longer sign in then. The account {account} goes on without you.</p>
      <Button tone="danger" onClick={() => setIsAsking(true)}>
        Leave this account
      </Button>
      {isAsking && <LeaveDialog keys={0} onClose={() => setIsAsking(false)} />}
    </div>
  );
}

type LeaveDialogProps = { readonly keys: number; readonly onClose: () => void };

/** Leaves, after a question. */
export function LeaveDialog({ keys, onClose }: LeaveDialogProps) {
  const queries = useQueryClient();
  const go = useMutation({
    mutationFn: () => dashboard.leaveAccount({}),
    onSuccess: () => leave(queries),
  });
  return (
    <Dialog title="Leave this account?" onClose={onClose}>
      <p>
        You are signed out everywhere, and your way in is deleted: an owner has to invite you anew. The keys
        that you made {keys > 0 && `(${keys})`} are revoked.
      </p>
      <Form error={go.error} onSend={() => go.mutate()}>
        <FormFailure error={go.error} />
        <div className="dialog-end">
          <Button tone="quiet" onClick={onClose}>
            Stay
          </Button>
          <Button type="submit" tone="danger" isBusy={go.isPending}>
            Leave
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
