import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { dashboard } from "../../api/dashboard.ts";
import { countOf } from "../../ui/format.ts";
import { Loaded } from "../../ui/loaded.tsx";
import { Empty } from "../../ui/states.tsx";
import { Page } from "../page.tsx";
import { AdminNav } from "./admin-nav.tsx";
import { AuditTable } from "./audit-table.tsx";
import { Pager } from "./pager.tsx";
import { SearchForm, useListQuery } from "./search.tsx";

/** Everything that was changed, newest first. */
export function AuditPage() {
  const { query, search, goTo } = useListQuery();
  const audit = useQuery({
    queryKey: ["admin", "audit", query],
    queryFn: ({ signal }) => dashboard.audit(query, signal),
    placeholderData: keepPreviousData,
  });
  return (
    <Page title="Audit log">
      <AdminNav current="audit" />
      <SearchForm label="Account, actor or action" onSearch={search} />
      <Loaded query={audit} what="the audit log" rows={10}>
        {({ audit: rows, total }) => (
          <>
            <div className="admin-list-head">
              <p role="status">{countOf(total, "change")}</p>
              <Pager {...query} total={total} onOffset={goTo} />
            </div>
            {rows.length === 0 ? (
              <Empty title="Nothing was changed so far">
                <p>Each change of plan, credits, keys and owners is kept here with its reason.</p>
              </Empty>
            ) : (
              <AuditTable audit={rows} hasAccount />
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}
