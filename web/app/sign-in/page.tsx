import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { dashboard } from "../../api/dashboard.ts";
import { CallFailure, faultOf } from "../../api/failure.ts";
import type { Shapes } from "../../api/types.gen.ts";
import { Button } from "../../ui/button.tsx";
import { Choice } from "../../ui/choice.tsx";
import { Field } from "../../ui/field.tsx";
import { Form, FormFailure } from "../../ui/form.tsx";
import { Notice } from "../../ui/states.tsx";
import { type PageSession, useEnter, useHasEnded, useSession } from "../session.tsx";
import { Frame } from "./frame.tsx";
import { wordedAs } from "./sign-in-words.ts";

type Way = "password" | "key";

const WAYS = [
  { value: "password", label: "E-mail and password" },
  { value: "key", label: "API key" },
] as const;

/** Sign in, by password or by an API key of the account. */
export function SignInPage() {
  const [way, setWay] = useState<Way>("password");
  const session = useSession().data;
  const hasEnded = useHasEnded();
  return (
    <Frame title="Sign in" foot={session && <Elsewhere session={session} way={way} />}>
      {hasEnded && <Notice kind="note">Your session has ended. Sign in to go on where you were.</Notice>}
      {session?.key_sign_in === "read" && (
        <Choice label="How to sign in" options={WAYS} value={way} onChange={setWay} />
      )}
      {way === "password" && session?.signup !== "open" && <FirstTime />}
      <SignInForm key={way} way={way} />
    </Frame>
  );
}

const FirstTime = () => (
  <p className="muted small">
    First time here? Open the link that the service printed at its first start: it sets your password.
  </p>
);

function Elsewhere({ session, way }: { readonly session: PageSession; readonly way: Way }) {
  return (
    <>
      {session.signup === "open" && (
        <p>
          No account yet? <Link href="/sign-up">Sign up</Link>
        </p>
      )}
      {way === "password" && (
        <p>
          <Link href="/forgotten">Forgotten password</Link>
        </p>
      )}
      {way === "key" && <p>Any active key of the account gives read-only access to its pages.</p>}
    </>
  );
}

/** The service asks for the code of an authenticator in words of its own, by the field. */
const wantsCode = (error: unknown): boolean =>
  error instanceof CallFailure && (error.code === "TOTP_REQUIRED" || faultOf(error, "totp_code") !== null);

/** Too many wrong tries, perhaps of strangers: not the window of a second. */
const isLocked = (error: unknown): boolean =>
  error instanceof CallFailure && error.code === "RATE_LIMIT_EXCEEDED" && (error.retryAfterS ?? 0) > 1;

function PastTheLock() {
  const hasMail = useSession().data?.has_mail === true;
  if (!hasMail) return null;
  return (
    <p>
      You need not wait: <Link href="/forgotten">have a link mailed</Link>, which works all the same.
    </p>
  );
}

function useSignIn() {
  const enter = useEnter();
  return useMutation({
    mutationFn: (input: Shapes["SignInInput"]) => dashboard.signIn(input),
    onSuccess: enter,
  });
}

function SignInForm({ way }: { readonly way: Way }) {
  const signIn = useSignIn();
  const [hasCode, setHasCode] = useState(false);
  const needsCode = hasCode || wantsCode(signIn.error);
  const faults = ["email", "password", "totp_code", "api_key"].map((field) => faultOf(signIn.error, field));
  const [email, password, code, key] = faults;
  return (
    <Form
      error={signIn.error}
      onSend={(typed) => {
        if (needsCode) setHasCode(true);
        const totp = needsCode && typed("totp_code") !== "" ? { totp_code: typed("totp_code") } : {};
        if (way === "key") signIn.mutate({ api_key: typed("api_key").trim(), ...totp });
        else signIn.mutate({ email: typed("email").trim(), password: typed("password"), ...totp });
      }}
    >
      {way === "key" ? (
        <Field label="API key" name="api_key" type="password" autoComplete="off" required error={key} />
      ) : (
        <>
          <Field label="E-mail" name="email" type="email" autoComplete="username" required error={email} />
          <Field
            label="Password"
            name="password"
            type="password"
            autoComplete="current-password"
            required
            error={password}
          />
        </>
      )}
      {needsCode && <CodeField error={hasCode ? code : null} />}
      <FormFailure
        error={needsCode && !hasCode ? null : wordedAs(signIn.error, signIn.variables)}
        shown={faults}
      />
      {way === "password" && isLocked(signIn.error) && <PastTheLock />}
      <Button type="submit" tone="primary" isBusy={signIn.isPending}>
        Sign in
      </Button>
    </Form>
  );
}

const CodeField = ({ error }: { readonly error: string | null | undefined }) => (
  <Field
    label="Code of your authenticator"
    name="totp_code"
    autoComplete="one-time-code"
    autoFocus
    hint="Six digits, new every 30 seconds; or one of your recovery codes"
    error={error}
  />
);
