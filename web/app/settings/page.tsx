import { Page, Section } from "../page.tsx";
import { Leave } from "../people/leave.tsx";
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
  const { person } = account;
  if (person === null) return <ReaderSettings email={account.email} />;
  return (
    <Page title="Settings" intro={`Signed in as ${person.email}.`}>
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
      <Section title="Where you are signed in">
        <Sessions />
      </Section>
      <Section title="Mails to you">
        <Alerts isAccountOwner={person.role === "owner"} isOwner={account.is_owner} />
      </Section>
      {person.role === "owner" ? (
        <>
          <Section title="Your data">
            <ExportData />
          </Section>
          <Section title="Delete account">
            <DeleteAccount account={account} />
          </Section>
        </>
      ) : (
        <Section title="Leave this account">
          <Leave account={account.email} />
        </Section>
      )}
    </Page>
  );
}
