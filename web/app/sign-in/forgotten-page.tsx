import { useMutation } from "@tanstack/react-query";
import { Link } from "wouter";
import { dashboard } from "../../api/dashboard.ts";
import { faultOf } from "../../api/failure.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Form, FormFailure } from "../../ui/form.tsx";
import { Notice } from "../../ui/states.tsx";
import { useSession } from "../session.tsx";
import { Frame } from "./frame.tsx";

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
  const email = faultOf(request.error, "email");
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
  return (
    <Form error={request.error} onSend={(typed) => request.mutate({ email: typed("email").trim() })}>
      <Field
        label="E-mail"
        name="email"
        type="email"
        autoComplete="username"
        required
        error={email}
        hint="A link that sets a new password is sent there"
      />
      <FormFailure error={request.error} shown={[email]} />
      <Button type="submit" tone="primary" isBusy={request.isPending}>
        Send the link
      </Button>
    </Form>
  );
}
