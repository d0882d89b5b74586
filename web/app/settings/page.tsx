import { Page, Section } from "../page.tsx";
import { useAccount } from "../session.tsx";
import { Alerts } from "./alerts.tsx";
import { DeleteAccount, ExportData } from "./data.tsx";
import { Password } from "./password.tsx";
import { ReaderSettings } from "./reader-settings.tsx";
import { Sessions } from "./sessions.tsx";
import { Totp } from "./totp.tsx";
import "./settings.css";

/** What concerns signing in, and the account as a whole. */
export function SettingsPage() {
  const account = useAccount();
  if (account.is_reader) return <ReaderSettings email={account.email} />;
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
      <Section title="Mails to you">
        <Alerts isOwner={account.is_owner} />
      </Section>
      <Section title="Your data">
        <ExportData />
      </Section>
      <Section title="Delete account">
        <DeleteAccount account={account} />
      </Section>
    </Page>
  );
}
