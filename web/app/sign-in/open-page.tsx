import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useLocation } from "wouter";
import { dashboard } from "../../api/dashboard.ts";
import { faultOf } from "../../api/failure.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Form, FormFailure } from "../../ui/form.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { useSay } from "../../ui/toasts.tsx";
import { useEnter } from "../session.tsx";
import { Frame } from "./frame.tsx";
import { useLinkToken } from "./link-token.ts";
import { PasswordField } from "./password-field.tsx";

/** Open the account of a mailed link, with a password of one's own. */
export function OpenPage() {
  const token = useLinkToken();
  return (
    <Frame title="Open your account" foot={<Link href="/sign-in">Back to sign-in</Link>}>
      {token === "" ? <NoToken /> : <ByToken token={token} />}
    </Frame>
  );
}

const NoToken = () => (
  <p>
    This address lacks the token of the link. Open the link as it was sent, or{" "}
    <Link href="/sign-up">sign up again</Link>.
  </p>
);

function ByToken({ token }: { readonly token: string }) {
  const view = useQuery({
    queryKey: ["sign-up", token],
    queryFn: () => dashboard.viewSignUp({ token }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (faultOf(view.error, "token") !== null) return <UsedLink />;
  return (
    <Loaded query={view} what="the account">
      {({ email }) => <OpenForm token={token} email={email} />}
    </Loaded>
  );
}

const UsedLink = () => (
  <p role="alert">
    This link was used, or is older than a day. If you have opened your account with it,{" "}
    <Link href="/sign-in">sign in</Link>; if not, <Link href="/sign-up">sign up again</Link> for a new link.
  </p>
);

function OpenForm({ token, email }: { readonly token: string; readonly email: string }) {
  const enter = useEnter();
  const [, navigate] = useLocation();
  const say = useSay();
  const open = useMutation({
    mutationFn: dashboard.openAccount,
    onSuccess: (session) => {
      enter(session);
      navigate("/", { replace: true });
      say("Your account is open");
    },
  });
  if (faultOf(open.error, "token") !== null) return <UsedLink />;
  const password = faultOf(open.error, "password");
  return (
    <Form error={open.error} onSend={(typed) => open.mutate({ token, password: typed("password") })}>
      <Field label="E-mail" type="email" autoComplete="username" value={email} readOnly />
      <PasswordField label="Password" name="password" error={password} autoFocus />
      <FormFailure error={open.error} shown={[password]} />
      <Button type="submit" tone="primary" isBusy={open.isPending}>
        Open account
      </Button>
    </Form>
  );
}
