import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { History } from "lucide-react";
import { Link, useSearchParams } from "wouter";
import { dashboard } from "../../api/dashboard.ts";
import { PRODUCTS } from "../../api/products.gen.ts";
import type { Shapes } from "../../api/types.gen.ts";
import { VERDICTS } from "../../report/bands.tsx";
import { LONGEST_TARGET, plain } from "../../report/outside-text.ts";
import { Button } from "../../ui/button.tsx";
import { Field, Select } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { countOf, formatCount } from "../../ui/format.ts";
import { Loaded } from "../../ui/loaded.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { Empty } from "../../ui/states.tsx";
import { type Column, NONE, Table } from "../../ui/table.tsx";
import { Pager } from "../admin/pager.tsx";
import { Page } from "../page.tsx";
import { useSession } from "../session.tsx";
import { endpointName } from "../words.ts";
import { VerdictTag } from "./verdict-tag.tsx";
import "./results.css";

type Result = Shapes["ResultsView"]["results"][number];

const LIMIT = 25;

const COLUMNS: readonly Column<Result>[] = [
  {
    head: "Target",
    isRowHead: true,
    cell: ({ id, target }) => (
      <Link href={`/results/${encodeURIComponent(id)}`} className="mono result-target">
        {plain(target, LONGEST_TARGET)}
      </Link>
    ),
  },
  { head: "Kind", isWords: true, cell: ({ product }) => endpointName(product) },
  { head: "Verdict", cell: ({ verdict }) => <VerdictTag verdict={verdict} /> },
  { head: "Score", isNumber: true, cell: ({ score }) => (score === null ? NONE : formatCount(score)) },
  { head: "Looked up", isNumber: true, cell: ({ at }) => <RelativeTime time={at} /> },
];

/** The account's own lookups, as they were answered. */
export function ResultsPage() {
  const days = useSession().data?.kept_result_days ?? 0;
  return (
    <Page
      title="Results"
      intro={
        days > 0
          ? `Lookups made on these pages, kept for ${countOf(days, "day")}. Opening one costs nothing.`
          : undefined
      }
    >
      {days > 0 ? <Kept /> : <NothingKept />}
    </Page>
  );
}

const NothingKept = () => (
  <Empty title="Results are not kept here" icon={<History size={22} aria-hidden="true" />}>
    <p>
      The operator of this installation has switched them off with <code>usage.keep_results_days</code> or{" "}
      <code>usage.store_targets</code>. A report can be downloaded as JSON when it is shown.
    </p>
  </Empty>
);

/** What the list is narrowed to stands in the address: the way back from a report leads to the same list. */
function useFilter() {
  const [search, setSearch] = useSearchParams();
  const of = (name: string): string => search.get(name) ?? "";
  const filter = { q: of("q"), verdict: of("verdict"), product: of("product") };
  const offset = Math.max(0, Math.trunc(Number(of("offset"))) || 0);
  const change = (part: Partial<typeof filter> & { readonly offset?: number }): void => {
    const next = { ...filter, offset: 0, ...part };
    setSearch(
      Object.entries(next)
        .filter(([, value]) => value !== "" && value !== 0)
        .map(([name, value]) => [name, String(value)]),
    );
  };
  return { query: { ...filter, limit: LIMIT, offset }, change };
}

function Kept() {
  const { query, change } = useFilter();
  const results = useQuery({
    queryKey: ["results", query],
    queryFn: ({ signal }) => dashboard.results(query, signal),
    placeholderData: keepPreviousData,
  });
  const isNarrowed = query.q !== "" || query.verdict !== "" || query.product !== "";
  return (
    <>
      <Filter query={query} onChange={change} />
      <Loaded query={results} what="the results" rows={10}>
        {({ results: rows, total }) => (
          <>
            <div className="results-head">
              <p role="status">{countOf(total, "result")}</p>
              <Pager {...query} total={total} onOffset={(offset) => change({ offset })} />
            </div>
            {rows.length === 0 ? (
              <NoResults isNarrowed={isNarrowed} />
            ) : (
              <Table caption="Results" columns={COLUMNS} rows={rows} keyOf={({ id }) => id} />
            )}
          </>
        )}
      </Loaded>
    </>
  );
}

type FilterProps = {
  readonly query: { readonly q: string; readonly verdict: string; readonly product: string };
  readonly onChange: (part: { q?: string; verdict?: string; product?: string }) => void;
};

const Filter = ({ query, onChange }: FilterProps) => (
  <Form
    key={query.q}
    className="results-filter"
    label="Narrow the results"
    onSend={(typed) => onChange({ q: typed("q").trim() })}
  >
    <Field label="Target contains" name="q" type="search" autoComplete="off" defaultValue={query.q} />
    <Select
      label="Verdict"
      value={query.verdict}
      onChange={({ target }) => onChange({ verdict: target.value })}
    >
      <option value="">Any</option>
      {Object.entries(VERDICTS).map(([verdict, { word }]) => (
        <option key={verdict} value={verdict}>
          {word}
        </option>
      ))}
    </Select>
    <Select label="Kind" value={query.product} onChange={({ target }) => onChange({ product: target.value })}>
      <option value="">Any</option>
      {PRODUCTS.map(({ path, name }) => (
        <option key={path} value={path.replace("/api/", "")}>
          {name}
        </option>
      ))}
    </Select>
    <Button type="submit">Search</Button>
  </Form>
);

const NoResults = ({ isNarrowed }: { readonly isNarrowed: boolean }) =>
  isNarrowed ? (
    <Empty title="No result matches">
      <p>Search for a part of the target, or choose another verdict or kind.</p>
    </Empty>
  ) : (
    <Empty title="No results yet" icon={<History size={22} aria-hidden="true" />}>
      <p>
        What you look up stays here. <Link href="/lookup">Look something up</Link> to see the first.
      </p>
    </Empty>
  );
