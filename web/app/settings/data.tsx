import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { dashboard } from "../../api/dashboard.ts";
import { faultOf } from "../../api/failure.ts";
import { Button } from "../../ui/button.tsx";
import { saveBlob } from "../../ui/csv.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Form, FormFailure } from "../../ui/form.tsx";
import { Failure } from "../../ui/states.tsx";
import { useSay } from "../../ui/toasts.tsx";
import { leave, type OwnAccount, useSession } from "../session.tsx";

/** Everything that is stored of the account, as a file. */
export function ExportData() {
  const say = useSay();
  const file = useMutation({
    mutationFn: dashboard.exportAccount,
    onSuccess: (data) => {
      saveBlob("repute-account.json", data);
      say("Your data is downloaded");
    },
  });
  return (
    <div className="settings-part">
      <p className="muted">
        One JSON file with the account, its keys, sessions, billing, audit log, usage and every call that is
        kept. It holds no password and no key.
      </p>
      {file.error !== null && <Failure error={file.error} isInline />}
      <Button isBusy={file.isPending} onClick={() => file.mutate()}>
        <Download aria-hidden="true" />
        Download my data
      </Button>
    </div>
  );
}

/** The end of the account. */
export function DeleteAccount({ account }: { readonly account: OwnAccount }) {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <div className="settings-part">
      <p className="muted">
        Its keys stop at once, and everything that names it is deleted. This cannot be undone.
      </p>
      <Button tone="danger" onClick={() => setIsAsking(true)}>
        Delete account
      </Button>
      {isAsking && <ConfirmDeletion account={account} onClose={() => setIsAsking(false)} />}
    </div>
  );
}

/** Deletes the account, and leaves for a page that says so. */
function useDeletion(email: string) {
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  return useMutation({
    mutationFn: dashboard.deleteAccount,
    onSuccess: async () => {
      navigate("/goodbye", { replace: true, state: { deleted: email } });
      await leave(queries);
      queries.removeQueries({ type: "inactive" });
    },
  });
}

type ConfirmProps = { readonly account: OwnAccount; readonly onClose: () => void };

function ConfirmDeletion({ account, onClose }: ConfirmProps) {
  const remove = useDeletion(account.email);
  const hasBilling = useSession().data?.has_billing === true;
  const email = faultOf(remove.error, "email");
  const password = faultOf(remove.error, "password");
  const code = faultOf(remove.error, "totp_code");
  return (
    <Dialog title="Delete this account?" onClose={onClose}>
      <ul className="list">
        <li>All keys stop working: programs that use one get a 401.</li>
        <li>All people of this account are signed out, and their sign-ins are deleted with it.</li>
        <li>Keys, results, bulk runs, calls and billing records are deleted. Remaining credits are lost.</li>
        <li>Totals of past days and the audit log stay, without any name.</li>
        {hasBilling && (
          <li>
            A paid plan goes first: cancel it on the <Link href="/billing">Billing page</Link>, and delete the
            account once it has ended.
          </li>
        )}
      </ul>
      <Form
        error={remove.error}
        onSend={(typed) => {
          if (remove.isPending) return;
          const wish = { email: typed("email"), password: typed("password") };
          remove.mutate({ ...wish, totp_code: typed("totp_code") });
        }}
      >
        <Field
          label={`Type ${account.email} to confirm`}
          name="email"
          autoComplete="off"
          autoCapitalize="none"
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
        {(account.has_totp || code !== null) && (
          <Field
            label="Code of your authenticator"
            name="totp_code"
            autoComplete="one-time-code"
            hint="Six digits, new every 30 seconds"
            error={code}
          />
        )}
        <FormFailure error={remove.error} shown={[email, password, code]} />
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
