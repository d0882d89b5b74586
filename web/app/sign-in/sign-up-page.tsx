import { useMutation } from "@tanstack/react-query";
import { Link } from "wouter";
import { dashboard } from "../../api/dashboard.ts";
import { CallFailure, faultOf } from "../../api/failure.ts";
import type { Shapes } from "../../api/types.gen.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Form, FormFailure } from "../../ui/form.tsx";
import { Notice } from "../../ui/states.tsx";
import { useEnter, useSession } from "../session.tsx";
import { Frame } from "./frame.tsx";
import { PasswordField } from "./password-field.tsx";
import { signUpFault } from "./sign-up-faults.ts";

/** Open an account, where the installation lets people. */
export function SignUpPage() {
  const isOpen = useSession().data?.signup === "open";
  const foot = (
    <p>
      Have an account? <Link href="/sign-in">Sign in</Link>
    </p>
  );
  if (!isOpen) {
    return (
      <Frame title="Sign-up is closed" foot={foot}>
        <p>Whoever runs this installation opens accounts by hand. Ask them for one.</p>
      </Frame>
    );
  }
  return (
    <Frame title="Sign up" intro="Free: 100 lookups a month, no card." foot={foot}>
      <SignUpForm />
    </Frame>
  );
}

/** The service tells nobody who has an account: only the sign-in that follows fails. */
const isTaken = (error: unknown): boolean => error instanceof CallFailure && error.code === "SIGN_IN_FAILED";

function SignUpForm() {
  const enter = useEnter();
  const signUp = useMutation({
    mutationFn: async (input: Shapes["SignUpInput"]) => {
      const fault = signUpFault(input);
      if (fault !== null) throw fault;
      await dashboard.signUp(input);
      return dashboard.signIn(input);
    },
    onSuccess: enter,
  });
  const email = faultOf(signUp.error, "email");
  const password = faultOf(signUp.error, "password");
  return (
    <Form
      error={signUp.error}
      onSend={(typed) => signUp.mutate({ email: typed("email").trim(), password: typed("password") })}
    >
      <Field label="E-mail" name="email" type="email" autoComplete="username" required error={email} />
      <PasswordField label="Password" name="password" error={password} />
      {isTaken(signUp.error) ? (
        <Notice kind="warn">
          <p>
            This did not sign you in. If you have an account with this address already,{" "}
            <Link href="/sign-in">sign in with its password</Link>.
          </p>
        </Notice>
      ) : (
        <FormFailure error={signUp.error} shown={[email, password]} />
      )}
      <Button type="submit" tone="primary" isBusy={signUp.isPending}>
        Sign up
      </Button>
    </Form>
  );
}
