import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { dashboard } from "../../api/dashboard.ts";
import { countOf, formatCount } from "../../ui/format.ts";
import { Loaded } from "../../ui/loaded.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { Empty } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Page } from "../page.tsx";
import type { ListedAccount } from "./account-row.ts";
import { AccountState } from "./account-state.tsx";
import { AdminNav } from "./admin-nav.tsx";
import { Pager } from "./pager.tsx";
import { SearchForm, useListQuery } from "./search.tsx";

const COLUMNS: readonly Column<ListedAccount>[] = [
  {
    head: "E-mail",
    isRowHead: true,
    cell: ({ id, email }) => <Link href={`/admin/accounts/${encodeURIComponent(id)}`}>{email}</Link>,
  },
  { head: "State", cell: (account) => <AccountState account={account} /> },
  { head: "Plan", cell: ({ plan }) => plan },
  {
    head: "Credits left",
    isNumber: true,
    cell: ({ credits_remaining: credits }) => formatCount(credits),
  },
  {
    head: "Refills",
    isNumber: true,
    cell: ({ credits_reset_at: at }) => <RelativeTime time={at} none="On hold" />,
  },
  { head: "Created", isNumber: true, cell: ({ created_at: at }) => <RelativeTime time={at} /> },
];

/** Every account of the installation. */
export function AccountsPage() {
  const { query, search, goTo } = useListQuery();
  const accounts = useQuery({
    queryKey: ["admin", "accounts", query],
    queryFn: ({ signal }) => dashboard.accounts(query, signal),
    placeholderData: keepPreviousData,
  });
  return (
    <Page title="Accounts">
      <AdminNav current="accounts" />
      <SearchForm label="E-mail or id" onSearch={search} />
      <Loaded query={accounts} what="the accounts" rows={10}>
        {({ accounts: rows, total }) => (
          <>
            <div className="admin-list-head">
              <p role="status">{countOf(total, "account")}</p>
              <Pager {...query} total={total} onOffset={goTo} />
            </div>
            {rows.length === 0 ? (
              <Empty title="No account is like that">
                <p>Search for a part of the e-mail address, or for nothing to see all.</p>
              </Empty>
            ) : (
              <Table
                caption="Accounts"
                columns={COLUMNS}
                rows={rows}
                keyOf={({ id }) => id}
                rowState={({ disabled_at: at }) => (at === null ? undefined : "off")}
              />
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}
