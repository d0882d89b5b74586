import { Page, Section } from "../page.tsx";
import { useAccount } from "../session.tsx";
import { Password } from "./password.tsx";
import { Sessions } from "./sessions.tsx";
import { Totp } from "./totp.tsx";
import "./settings.css";

/** What concerns signing in. */
export function SettingsPage() {
  const account = useAccount();
  return (
    <Page title="Settings" intro={`Signed in as ${account.email}.`}>
      <Section title="Password">
        <Password hasOne={account.has_password} />
      </Section>
      <Section title="Authenticator">
        <Totp
          isOn={account.has_totp}
          hasPassword={account.has_password}
          codesLeft={account.recovery_codes_left}
        />
      </Section>
      <Section title="Where this account is signed in">
        <Sessions />
      </Section>
    </Page>
  );
}
