import { useMutation } from "@tanstack/react-query";
import { ShieldCheck } from "lucide-react";
import { useState } from "react";
import { dashboard } from "../../api/dashboard.ts";
import { faultOf } from "../../api/failure.ts";
import type { Shapes } from "../../api/types.gen.ts";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Form, FormFailure } from "../../ui/form.tsx";
import { QrCode } from "../../ui/qr-code.tsx";
import { useSay } from "../../ui/toasts.tsx";
import { useRefreshSession } from "../session.tsx";
import { RecoveryCodes, ShownCodes } from "./recovery-codes.tsx";

type TotpProps = {
  readonly isOn: boolean;
  readonly hasPassword: boolean;
  readonly codesLeft: number | null;
};

/** A second factor for signing in. */
export function Totp({ isOn, hasPassword, codesLeft }: TotpProps) {
  const [isRemoving, setIsRemoving] = useState(false);
  const [isStarting, setIsStarting] = useState(false);
  // What shows the codes stays until it is put away, though the authenticator is on by then.
  if (isOn && !isStarting) {
    return (
      <div className="settings-part">
        <p>
          <span className="tag" data-kind="good">
            <ShieldCheck aria-hidden="true" />
            On
          </span>{" "}
          Signing in asks for a code of your authenticator.
        </p>
        <RecoveryCodes left={codesLeft ?? 0} />
        <Button tone="danger" onClick={() => setIsRemoving(true)}>
          Remove authenticator
        </Button>
        {isRemoving && <RemoveTotp onClose={() => setIsRemoving(false)} />}
      </div>
    );
  }
  return (
    <div className="settings-part">
      <p className="muted">Off. Two-factor authentication protects you if your password is stolen.</p>
      <Button disabled={!hasPassword} onClick={() => setIsStarting(true)}>
        Set up authenticator
      </Button>
      {!hasPassword && <p className="muted small">Set a password first.</p>}
      {isStarting && <SetUpTotp onClose={() => setIsStarting(false)} />}
    </div>
  );
}

/** The password first: a stolen session must not lock its owner out. */
function SetUpTotp({ onClose }: { readonly onClose: () => void }) {
  const start = useMutation({ mutationFn: dashboard.startTotp });
  if (start.data !== undefined) return <ConfirmTotp start={start.data} onClose={onClose} />;
  const fault = faultOf(start.error, "current_password");
  return (
    <Dialog title="Set up authenticator" onClose={onClose}>
      <Form
        error={start.error}
        onSend={(typed) => start.mutate({ current_password: typed("current_password") })}
      >
        <Field
          label="Your password"
          name="current_password"
          type="password"
          autoComplete="current-password"
          error={fault}
        />
        <FormFailure error={start.error} shown={[fault]} />
        <Button type="submit" tone="primary" isBusy={start.isPending}>
          Continue
        </Button>
      </Form>
    </Dialog>
  );
}

type ConfirmProps = { readonly start: Shapes["TotpStart"]; readonly onClose: () => void };

function ConfirmTotp({ start, onClose }: ConfirmProps) {
  const confirm = useMutation({ mutationFn: dashboard.confirmTotp });
  if (confirm.data !== undefined) return <ShownCodes codes={confirm.data.recovery_codes} onClose={onClose} />;
  return (
    <Dialog title="Set up authenticator" onClose={onClose}>
      <p>
        Scan this with your authenticator, or add the secret by hand; then type the code that it shows.{" "}
        {start.uri.startsWith("otpauth://") && (
          <a href={start.uri}>Open in an authenticator on this device</a>
        )}
      </p>
      <QrCode text={start.uri} label="QR code of the secret" />
      <div className="secret">
        <code>{start.secret.replace(/(.{4})(?=.)/g, "$1 ")}</code>
        <CopyButton text={start.secret} what="the secret" />
      </div>
      <CodeForm change={confirm} verb="Turn on" />
    </Dialog>
  );
}

function RemoveTotp({ onClose }: { readonly onClose: () => void }) {
  const refresh = useRefreshSession();
  const say = useSay();
  const remove = useMutation({
    mutationFn: dashboard.removeTotp,
    onSuccess: async () => {
      await refresh();
      say("Authenticator removed");
      onClose();
    },
  });
  return (
    <Dialog title="Remove authenticator?" onClose={onClose}>
      <p>After that the password alone is enough to sign in. Confirm with a code or a recovery code.</p>
      <CodeForm change={remove} verb="Remove authenticator" tone="danger" />
    </Dialog>
  );
}

type CodeFormProps = {
  readonly change: {
    readonly error: unknown;
    readonly isPending: boolean;
    readonly mutate: (input: Shapes["TotpInput"]) => void;
  };
  readonly verb: string;
  readonly tone?: "primary" | "danger";
};

function CodeForm({ change, verb, tone = "primary" }: CodeFormProps) {
  const fault = faultOf(change.error, "totp_code");
  return (
    <Form
      error={change.error}
      onSend={(typed) => change.mutate({ totp_code: typed("totp_code").replaceAll(" ", "") })}
    >
      <Field
        label="Code"
        name="totp_code"
        autoComplete="one-time-code"
        hint="Six digits, new every 30 seconds"
        error={fault}
      />
      <FormFailure error={change.error} shown={[fault]} />
      <Button type="submit" tone={tone} isBusy={change.isPending}>
        {verb}
      </Button>
    </Form>
  );
}
