import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { dashboard } from "../../api/dashboard.ts";
import { faultOf } from "../../api/failure.ts";
import type { Shapes } from "../../api/types.gen.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Form, FormFailure } from "../../ui/form.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Notice } from "../../ui/states.tsx";
import { useSay } from "../../ui/toasts.tsx";
import { useEnter, useSession } from "../session.tsx";
import { Frame } from "./frame.tsx";
import { useLinkToken } from "./link-token.ts";
import { PasswordField } from "./password-field.tsx";
import { ResetKeys } from "./reset-keys.tsx";

/** Set a new password with the token of a link. */
export function ResetPage() {
  const token = useLinkToken();
  return (
    <Frame title="Set a new password" foot={<Link href="/sign-in">Back to sign-in</Link>}>
      {token === "" ? (
        <p>
          This address lacks the token of the link. Open the link as it was sent. <NewLink />
        </p>
      ) : (
        <ByToken token={token} />
      )}
    </Frame>
  );
}

/** Where another link comes from, as this installation does it. */
function NewLink() {
  const hasMail = useSession().data?.has_mail === true;
  if (hasMail) {
    return (
      <>
        <Link href="/forgotten">Have a new link sent</Link> to your e-mail address.
      </>
    );
  }
  return (
    <>
      This installation sends no mail: the person who runs it makes a new link with{" "}
      <code>repute account reset-password</code> and your e-mail address.
    </>
  );
}

const UsedLink = () => (
  <p role="alert">
    This link was used or is too old: it works once. <NewLink />
  </p>
);

function ByToken({ token }: { readonly token: string }) {
  const view = useQuery({
    queryKey: ["reset", token],
    queryFn: () => dashboard.viewReset({ token }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (faultOf(view.error, "token") !== null) return <UsedLink />;
  return (
    <Loaded query={view} what="the account">
      {(link) => <ResetForm token={token} link={link} />}
    </Loaded>
  );
}

function useReset() {
  const enter = useEnter();
  const [, navigate] = useLocation();
  const say = useSay();
  return useMutation({
    mutationFn: dashboard.reset,
    onSuccess: (session) => {
      enter(session);
      // Without a code of the authenticator the new password alone opens no session.
      navigate(session.account === null ? "/sign-in" : "/", { replace: true });
      say("The new password is set");
    },
  });
}

type ResetFormProps = { readonly token: string; readonly link: Shapes["ResetLink"] };

function ResetForm({ token, link }: ResetFormProps) {
  const reset = useReset();
  const [revoked, setRevoked] = useState<readonly string[]>([]);
  if (faultOf(reset.error, "token") !== null) return <UsedLink />;
  const password = faultOf(reset.error, "new_password");
  const code = faultOf(reset.error, "totp_code");
  return (
    <Form
      error={reset.error}
      onSend={(typed) =>
        reset.mutate({
          token,
          new_password: typed("new_password"),
          revoke_keys: [...revoked],
          ...(typed("totp_code") !== "" && { totp_code: typed("totp_code") }),
        })
      }
    >
      <Field label="E-mail" type="email" autoComplete="username" value={link.email} readOnly />
      <PasswordField label="New password" name="new_password" error={password} autoFocus />
      {link.needs_totp && (
        <Field
          label="Code of your authenticator"
          name="totp_code"
          autoComplete="one-time-code"
          hint="Or a recovery code. Left empty, you are asked for it when you sign in"
          error={code}
        />
      )}
      {link.is_proved ? (
        <ResetKeys keys={link.keys} revoked={revoked} onChange={setRevoked} />
      ) : (
        <FirstProof keys={link.keys.length} />
      )}
      <FormFailure error={reset.error} shown={[password, code]} />
      <Button type="submit" tone="primary" isBusy={reset.isPending}>
        Set password and sign in
      </Button>
    </Form>
  );
}

const FirstProof = ({ keys }: { readonly keys: number }) => (
  <Notice kind="note">
    <p>
      This is the first link of this account that was opened, and shows that the address is yours.{" "}
      {keys > 0 && "All API keys made so far are revoked. "}
      An authenticator that was set up before is removed.
    </p>
  </Notice>
);
