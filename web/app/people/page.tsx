import { useQuery } from "@tanstack/react-query";
import { UserPlus } from "lucide-react";
import { useState } from "react";
import { dashboard } from "../../api/dashboard.ts";
import { Button } from "../../ui/button.tsx";
import { countOf } from "../../ui/format.ts";
import { Loaded } from "../../ui/loaded.tsx";
import { Page, Section } from "../page.tsx";
import { useAccount } from "../session.tsx";
import { InvitationTable } from "./invitation-table.tsx";
import { Invite } from "./invite.tsx";
import { type ListedPerson, PeopleTable, type PersonAction } from "./people-table.tsx";
import { RemovePerson } from "./remove-person.tsx";
import { ROLE_NAMES, ROLE_WORDS, ROLES } from "./roles.ts";
import { SetRole } from "./set-role.tsx";
import "./people.css";

/** Who signs in to this account. */
export function PeoplePage() {
  const { person: you, email } = useAccount();
  if (you === null) return <ByKey />;
  return <People isOwner={you.role === "owner"} account={email} />;
}

const ByKey = () => (
  <Page title="People">
    <p className="muted">The people of this account are shown to them alone: sign in with your password.</p>
  </Page>
);

type PeopleProps = { readonly isOwner: boolean; readonly account: string };

function People({ isOwner, account }: PeopleProps) {
  const people = useQuery({ queryKey: ["people"], queryFn: ({ signal }) => dashboard.people(signal) });
  const [isInviting, setIsInviting] = useState(false);
  const [change, setChange] = useState<{ person: ListedPerson; action: PersonAction } | null>(null);
  const close = () => setChange(null);
  return (
    <Page
      title="People"
      intro={`Everyone here signs in to ${account} with a password of their own.`}
      actions={
        isOwner && (
          <Button tone="primary" onClick={() => setIsInviting(true)}>
            <UserPlus aria-hidden="true" />
            Invite a person
          </Button>
        )
      }
    >
      <Loaded query={people} what="the people">
        {({ people: all, invitations, max }) => (
          <>
            <p className="muted">
              {countOf(all.length, "person", "people")} of at most {max}.
            </p>
            <PeopleTable
              people={all}
              onAct={isOwner ? (person, action) => setChange({ person, action }) : null}
            />
            {invitations.length > 0 && (
              <Section title="Invited">
                <InvitationTable invitations={invitations} />
              </Section>
            )}
          </>
        )}
      </Loaded>
      <Section title="Roles">
        <dl className="roles">
          {ROLES.map((role) => (
            <div key={role}>
              <dt>{ROLE_NAMES[role]}</dt>
              <dd>{ROLE_WORDS[role]}</dd>
            </div>
          ))}
        </dl>
      </Section>
      {isInviting && <Invite onClose={() => setIsInviting(false)} />}
      {change?.action === "role" && <SetRole person={change.person} onClose={close} />}
      {change?.action === "remove" && <RemovePerson person={change.person} onClose={close} />}
    </Page>
  );
}
