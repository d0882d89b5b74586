import { Search } from "lucide-react";
import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";

const LIMIT = 25;

/** What is searched for, and the position in the list. */
export function useListQuery() {
  const [query, setQuery] = useState({ q: "", limit: LIMIT, offset: 0 });
  return {
    query,
    search: (q: string) => setQuery({ q, limit: LIMIT, offset: 0 }),
    goTo: (offset: number) => setQuery({ ...query, offset }),
  };
}

type SearchFormProps = { readonly label: string; readonly onSearch: (q: string) => void };

export const SearchForm = ({ label, onSearch }: SearchFormProps) => (
  <Form className="admin-search" label={`Search: ${label}`} onSend={(typed) => onSearch(typed("q").trim())}>
    <Field label={label} name="q" type="search" autoComplete="off" />
    <Button type="submit">
      <Search aria-hidden="true" />
      Search
    </Button>
  </Form>
);
