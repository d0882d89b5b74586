import { faultOf } from "../../api/failure.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Form, FormFailure } from "../../ui/form.tsx";

type LinkRequest = {
  readonly error: unknown;
  readonly isPending: boolean;
  readonly mutate: (input: { email: string }) => void;
};

/** Asks for an e-mail address that a link is sent to. */
export function LinkForm({ request, hint }: { readonly request: LinkRequest; readonly hint: string }) {
  const email = faultOf(request.error, "email");
  return (
    <Form error={request.error} onSend={(typed) => request.mutate({ email: typed("email").trim() })}>
      <Field
        label="E-mail"
        name="email"
        type="email"
        autoComplete="username"
        required
        error={email}
        hint={hint}
      />
      <FormFailure error={request.error} shown={[email]} />
      <Button type="submit" tone="primary" isBusy={request.isPending}>
        Send the link
      </Button>
    </Form>
  );
}
