import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Link, useLocation } from "wouter";
import { dashboard } from "../../api/dashboard.ts";
import { faultOf } from "../../api/failure.ts";
import { Button } from "../../ui/button.tsx";
import { Form, FormFailure } from "../../ui/form.tsx";
import { useSay } from "../../ui/toasts.tsx";
import { useEnter, useSession } from "../session.tsx";
import { Frame } from "./frame.tsx";
import { PasswordField } from "./password-field.tsx";

/** The token of the link: behind `#`, which no server and no `Referer` sees, or in the query. */
function tokenOf({ hash, search }: Location): string {
  return new URLSearchParams(hash.slice(1)).get("token") ?? new URLSearchParams(search).get("token") ?? "";
}

/** Set a new password with the token of a link. */
export function ResetPage() {
  const [token] = useState(() => tokenOf(location));
  // Out of the address bar and of the history, before somebody looks over the shoulder.
  useEffect(() => history.replaceState(null, "", location.pathname), []);
  return (
    <Frame title="Set a new password" foot={<Link href="/sign-in">Back to sign-in</Link>}>
      {token === "" ? (
        <p>
          This address lacks the token of the link. Open the link as it was sent. <NewLink />
        </p>
      ) : (
        <ResetForm token={token} />
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
      This installation sends no mail: whoever runs it makes a new link with{" "}
      <code>repute account reset-password</code> and your e-mail address.
    </>
  );
}

function ResetForm({ token }: { readonly token: string }) {
  const enter = useEnter();
  const [, navigate] = useLocation();
  const say = useSay();
  const reset = useMutation({
    mutationFn: dashboard.reset,
    onSuccess: (session) => {
      enter(session);
      // With an authenticator the new password alone signs nobody in.
      navigate(session.account === null ? "/sign-in" : "/", { replace: true });
      say("The new password is set");
    },
  });
  const password = faultOf(reset.error, "new_password");
  return (
    <Form
      error={reset.error}
      onSend={(typed) => reset.mutate({ token, new_password: typed("new_password") })}
    >
      <PasswordField label="New password" name="new_password" error={password} />
      <FormFailure error={reset.error} shown={[password]} />
      {faultOf(reset.error, "token") !== null && (
        <p>
          A link works once, for an hour. <NewLink /> What you typed stands here until you leave.
        </p>
      )}
      <Button type="submit" tone="primary" isBusy={reset.isPending}>
        Set password and sign in
      </Button>
    </Form>
  );
}
