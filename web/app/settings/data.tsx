import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useState } from "react";
import { dashboard } from "../../api/dashboard.ts";
import { faultOf } from "../../api/failure.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Form, FormFailure } from "../../ui/form.tsx";
import { forgetKey } from "../key-store.ts";
import { type Account, leave } from "../session.tsx";

/** Everything that is stored of the account, as a file. */
export const ExportData = () => (
  <div className="settings-part">
    <p className="muted">
      Account, keys, sessions, audit log, usage and billing as one JSON file, without any secret.
    </p>
    <a className="button" data-tone="plain" href={dashboard.exportUrl} download="repute-account.json">
      <Download aria-hidden="true" />
      Download my data
    </a>
  </div>
);

/** The end of the account. */
export function DeleteAccount({ account }: { readonly account: Account }) {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <div className="settings-part">
      <p className="muted">
        Keys stop at once, and everything that names the account is deleted. This cannot be undone.
      </p>
      <Button tone="danger" disabled={!account.has_password} onClick={() => setIsAsking(true)}>
        Delete account
      </Button>
      {!account.has_password && <p className="muted small">Set a password first.</p>}
      {isAsking && <ConfirmDeletion account={account} onClose={() => setIsAsking(false)} />}
    </div>
  );
}

type ConfirmProps = { readonly account: Account; readonly onClose: () => void };

function ConfirmDeletion({ account, onClose }: ConfirmProps) {
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: dashboard.deleteAccount,
    onSuccess: async () => {
      forgetKey();
      await leave(queries);
    },
  });
  const [email, password, code] = ["email", "password", "totp_code"].map((field) =>
    faultOf(remove.error, field),
  );
  return (
    <Dialog title="Delete this account?" onClose={onClose}>
      <ul className="small">
        <li>Every key gets a 401 from now on, calls under way included.</li>
        <li>Keys, sessions, usage and billing records are deleted; credits that are left are lost.</li>
        <li>Totals of past days stay, without a name.</li>
      </ul>
      <Form
        error={remove.error}
        onSend={(typed) =>
          remove.mutate({
            email: typed("email"),
            password: typed("password"),
            ...(account.has_totp && { totp_code: typed("totp_code") }),
          })
        }
      >
        <Field
          label={`Type ${account.email} to confirm`}
          name="email"
          autoComplete="off"
          spellCheck={false}
          error={email}
        />
        <Field
          label="Your password"
          name="password"
          type="password"
          autoComplete="current-password"
          error={password}
        />
        {account.has_totp && (
          <Field
            label="Code"
            name="totp_code"
            inputMode="numeric"
            autoComplete="one-time-code"
            hint="Six digits, new every 30 seconds"
            error={code}
          />
        )}
        <FormFailure error={remove.error} shown={[email ?? null, password ?? null, code ?? null]} />
        <div className="button-row">
          <Button type="submit" tone="danger" isBusy={remove.isPending}>
            Delete account
          </Button>
          <Button tone="quiet" onClick={onClose}>
            Keep it
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
