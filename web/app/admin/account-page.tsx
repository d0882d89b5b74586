import { useQuery } from "@tanstack/react-query";
import { ArrowLeft } from "lucide-react";
import { Link, useParams } from "wouter";
import { dashboard } from "../../api/dashboard.ts";
import type { Shapes } from "../../api/types.gen.ts";
import { countOf, formatCount, refillText } from "../../ui/format.ts";
import { Loaded } from "../../ui/loaded.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import type { Key } from "../keys/key.ts";
import { CALLS, KeyState, keyColumns } from "../keys/key-tables.tsx";
import { Figure, Figures, Page, Section } from "../page.tsx";
import { AccountState } from "./account-state.tsx";
import { AuditTable } from "./audit-table.tsx";
import { Changes } from "./changes.tsx";
import "./admin.css";

type View = Shapes["AccountView"];

/** One account, for owners. */
export function AccountPage() {
  const { id = "" } = useParams();
  const account = useQuery({
    queryKey: ["admin", "account", id],
    queryFn: ({ signal }) => dashboard.account(id, signal),
  });
  return (
    <Page title={account.data?.account.email ?? "Account"}>
      <p className="admin-back">
        <Link href="/admin">
          <ArrowLeft size={15} aria-hidden="true" />
          All accounts
        </Link>
      </p>
      <Loaded query={account} what="the account" rows={8}>
        {(view) => <Account view={view} />}
      </Loaded>
    </Page>
  );
}

function Account({ view: { account, keys, last_30_days: month, audit } }: { readonly view: View }) {
  return (
    <>
      <AccountState account={account} />
      <Figures>
        <Figure label="Plan" value={account.plan}>
          {account.billing_status === null
            ? "Not paid through the provider"
            : `Payment: ${account.billing_status}`}
        </Figure>
        <Figure label="Credits left" value={formatCount(account.credits_remaining)}>
          {refillText(account.credits_reset_at)}
        </Figure>
        <Figure label="Calls in 30 days" value={formatCount(month.calls)}>
          {countOf(month.credits, "credit")} spent
        </Figure>
        <Figure label="Refused or failed" value={formatCount(month.refused + month.failed)}>
          {formatCount(month.refused)} refused, {formatCount(month.failed)} failed
        </Figure>
      </Figures>
      <Section title="Change">
        <Changes account={account} />
        <p className="muted small">
          On the command line, <code>repute account export</code> writes its data to a file and{" "}
          <code>repute account delete</code> deletes it.
        </p>
      </Section>
      <Section title="Keys">
        {keys.length === 0 ? (
          <p className="muted">This account has no keys.</p>
        ) : (
          <Table
            caption="Keys"
            columns={keysOf(keys)}
            rows={keys}
            keyOf={({ id }) => id}
            rowState={({ state }) => (state === "active" ? undefined : "off")}
          />
        )}
      </Section>
      <Section title="Audit log">
        {audit.length === 0 ? (
          <p className="muted">Nothing was changed so far.</p>
        ) : (
          <AuditTable audit={audit} />
        )}
      </Section>
    </>
  );
}

const keysOf = (keys: readonly Key[]): readonly Column<Key>[] => [
  ...keyColumns(keys),
  { head: "State", cell: (key) => <KeyState apiKey={key} /> },
  CALLS,
];
