import { Page, Section } from "../page.tsx";
import { Sessions } from "./sessions.tsx";

/** Settings of a session that only reads: what it may see, and no form that would be refused. */
export const ReaderSettings = ({ email }: { readonly email: string }) => (
  <Page title="Settings" intro={`Signed in as ${email}.`}>
    <p className="muted">
      Password, authenticator, your data and the account's end are here once you sign in with your e-mail
      address and password.
    </p>
    <Section title="Where this account is signed in">
      <Sessions isReader />
    </Section>
  </Page>
);
