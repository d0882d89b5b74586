import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { dashboard } from "../../api/dashboard.ts";
import { faultOf } from "../../api/failure.ts";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Form, FormFailure } from "../../ui/form.tsx";
import { countOf } from "../../ui/format.ts";
import { Notice } from "../../ui/states.tsx";
import { useRefreshSession } from "../session.tsx";
import { areFew } from "./few-codes.ts";

/** How many recovery codes are left, and the way to new ones. */
export function RecoveryCodes({ left }: { readonly left: number }) {
  const [isRenewing, setIsRenewing] = useState(false);
  return (
    <>
      {areFew(left) ? (
        <Notice kind="warn">
          <p>{leftText(left)} Make new ones before you lose your authenticator.</p>
        </Notice>
      ) : (
        <p className="muted">{leftText(left)}</p>
      )}
      <Button onClick={() => setIsRenewing(true)}>Make new recovery codes</Button>
      {isRenewing && <Renew onClose={() => setIsRenewing(false)} />}
    </>
  );
}

const leftText = (left: number): string =>
  left === 0
    ? "No recovery code is left."
    : `${countOf(left, "recovery code")} left, each good for one sign-in.`;

function Renew({ onClose }: { readonly onClose: () => void }) {
  const renew = useMutation({ mutationFn: dashboard.renewCodes });
  if (renew.data !== undefined) return <ShownCodes codes={renew.data.recovery_codes} onClose={onClose} />;
  const fault = faultOf(renew.error, "totp_code");
  return (
    <Dialog title="New recovery codes" onClose={onClose}>
      <p>Your current codes stop working.</p>
      <Form error={renew.error} onSend={(typed) => renew.mutate({ totp_code: typed("totp_code") })}>
        <Field
          label="Code"
          name="totp_code"
          autoComplete="one-time-code"
          hint="Of your authenticator, or one of the recovery codes"
          error={fault}
        />
        <FormFailure error={renew.error} shown={[fault]} />
        <Button type="submit" tone="primary" isBusy={renew.isPending}>
          Make new codes
        </Button>
      </Form>
    </Dialog>
  );
}

type ShownCodesProps = { readonly codes: readonly string[]; readonly onClose: () => void };

/** The codes, shown this once. */
export function ShownCodes({ codes, onClose }: ShownCodesProps) {
  const refresh = useRefreshSession();
  const close = () => {
    onClose();
    void refresh();
  };
  return (
    <Dialog title="Your recovery codes" onClose={close} isDismissable={false}>
      <p>
        Each signs you in once when you do not have your authenticator. They are{" "}
        <strong>shown this once</strong>: print them, or store them where you would look without your phone.
      </p>
      <ul className="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="dialog-end">
        <CopyButton text={`${codes.join("\n")}\n`} what="the recovery codes" tone="primary" />
        <Button onClick={close}>I have stored them</Button>
      </div>
    </Dialog>
  );
}
