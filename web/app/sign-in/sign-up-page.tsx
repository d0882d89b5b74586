import { useMutation } from "@tanstack/react-query";
import { Link } from "wouter";
import { dashboard } from "../../api/dashboard.ts";
import type { Shapes } from "../../api/types.gen.ts";
import { useSession } from "../session.tsx";
import { Frame } from "./frame.tsx";
import { LinkForm } from "./link-form.tsx";
import { signUpFault } from "./sign-up-faults.ts";

/** Have a link mailed that opens an account, where the installation lets people. */
export function SignUpPage() {
  const isOpen = useSession().data?.signup === "open";
  const signUp = useMutation({
    mutationFn: async (input: Shapes["SignUpInput"]) => {
      const fault = signUpFault(input);
      if (fault !== null) throw fault;
      return dashboard.signUp(input);
    },
  });
  const foot = (
    <p>
      Have an account? <Link href="/sign-in">Sign in</Link>
    </p>
  );
  if (!isOpen) {
    return (
      <Frame title="Sign-up is closed" foot={foot}>
        <p>Ask your administrator for an account.</p>
      </Frame>
    );
  }
  if (signUp.isSuccess) {
    return (
      <Frame title="Open your mail" foot={foot}>
        <OpenYourMail email={signUp.variables.email} onBack={signUp.reset} />
      </Frame>
    );
  }
  return (
    <Frame title="Sign up" intro="Free: 100 lookups a month, no card." foot={foot}>
      <LinkForm
        request={signUp}
        hint="A link that opens the account is sent there. You choose the password then"
      />
    </Frame>
  );
}

type OpenYourMailProps = { readonly email: string; readonly onBack: () => void };

const OpenYourMail = ({ email, onBack }: OpenYourMailProps) => (
  <div role="status" className="open-mail">
    <p>
      We have written to <strong>{email}</strong>. The link in that mail opens your account; it works once,
      for a day.
    </p>
    <p className="muted">
      Nothing there after a few minutes? Look into the spam folder, or{" "}
      <button type="button" className="link" onClick={onBack}>
        have it sent again
      </button>
      .
    </p>
  </div>
);
