import { useMutation } from "@tanstack/react-query";
import { Link } from "wouter";
import { dashboard } from "../../api/dashboard.ts";
import { Notice } from "../../ui/states.tsx";
import { useSession } from "../session.tsx";
import { Frame } from "./frame.tsx";
import { LinkForm } from "./link-form.tsx";

/** Requests a link for a new password. */
export function ForgottenPage() {
  const hasMail = useSession().data?.has_mail === true;
  return (
    <Frame title="Forgotten password" foot={<Link href="/sign-in">Back to sign-in</Link>}>
      {hasMail ? <RequestForm /> : <ByOperator />}
    </Frame>
  );
}

const ByOperator = () => (
  <>
    <p>This installation sends no mail. Your administrator can create a one-time link for you:</p>
    <pre className="code">
      <code>repute account reset-password you@example.org</code>
    </pre>
    <p>You can also sign in with an active API key of your account.</p>
  </>
);

function RequestForm() {
  const request = useMutation({ mutationFn: dashboard.requestReset });
  if (request.isSuccess) {
    return (
      <div role="status">
        <Notice kind="good">
          <p>
            If <strong>{request.variables.email}</strong> has an account, a link is on its way. It works once,
            for an hour.
          </p>
        </Notice>
      </div>
    );
  }
  return <LinkForm request={request} hint="A link that sets a new password is sent there" />;
}
