import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useLocation } from "wouter";
import { dashboard } from "../../api/dashboard.ts";
import { faultOf } from "../../api/failure.ts";
import type { Shapes } from "../../api/types.gen.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Form, FormFailure } from "../../ui/form.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { useSay } from "../../ui/toasts.tsx";
import { useEnter } from "../session.tsx";
import { Frame } from "../sign-in/frame.tsx";
import { useLinkToken } from "../sign-in/link-token.ts";
import { PasswordField } from "../sign-in/password-field.tsx";
import { ROLE_NAMES, ROLE_WORDS } from "./roles.ts";

/** Accept an invitation, with a password of one's own. */
export function JoinPage() {
  const token = useLinkToken();
  return (
    <Frame title="Join an account" foot={<Link href="/sign-in">Back to sign-in</Link>}>
      {token === "" ? (
        <p>This address lacks the token of the link. Open the link as you got it.</p>
      ) : (
        <ByToken token={token} />
      )}
    </Frame>
  );
}

function ByToken({ token }: { readonly token: string }) {
  const view = useQuery({
    queryKey: ["invitation", token],
    queryFn: () => dashboard.viewInvitation({ token }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const fault = faultOf(view.error, "token");
  if (fault !== null) return <Useless fault={fault} />;
  return (
    <Loaded query={view} what="the invitation">
      {(invitation) => <JoinForm token={token} invitation={invitation} />}
    </Loaded>
  );
}

const Useless = ({ fault }: { readonly fault: string }) => (
  <p role="alert">
    {fault}. If you have joined with it, <Link href="/sign-in">sign in</Link>.
  </p>
);

type JoinFormProps = { readonly token: string; readonly invitation: Shapes["InvitationView"] };

function JoinForm({ token, invitation }: JoinFormProps) {
  const { email, role, account, invited_by: invitedBy } = invitation;
  const enter = useEnter();
  const [, navigate] = useLocation();
  const say = useSay();
  const join = useMutation({
    mutationFn: dashboard.join,
    onSuccess: (session) => {
      enter(session);
      navigate("/", { replace: true });
      say(`You have joined ${account}`);
    },
  });
  const fault = faultOf(join.error, "token");
  if (fault !== null) return <Useless fault={fault} />;
  const password = faultOf(join.error, "password");
  return (
    <Form error={join.error} onSend={(typed) => join.mutate({ token, password: typed("password") })}>
      <p>
        <strong>{invitedBy}</strong> invites you to the account <strong>{account}</strong>.
      </p>
      <p className="muted">
        {ROLE_NAMES[role]}: {ROLE_WORDS[role].toLowerCase()}.
      </p>
      <Field label="E-mail" type="email" autoComplete="username" value={email} readOnly />
      <PasswordField label="Password" name="password" error={password} autoFocus />
      <FormFailure error={join.error} shown={[password]} />
      <Button type="submit" tone="primary" isBusy={join.isPending}>
        Join
      </Button>
    </Form>
  );
}
