import { type QueryClient, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useLocation, useParams, useSearch } from "wouter";
import { lookUp, type ProductWord, productOf } from "../../api/products.ts";
import { useKey } from "../key-store.ts";
import { markSteps } from "../overview/steps-store.ts";
import { useAccount } from "../session.tsx";

/** What is asked: a product, its target and, of DNS, the record types. */
export type Question = { readonly word: ProductWord; readonly text: string; readonly types: string };

const KEPT_MS = 1_800_000;

/** The body of the call. */
export function bodyOf({ word, text, types }: Question): object {
  const field = productOf(word)?.field ?? "query";
  return word === "dns" ? { [field]: text, record_type: types } : { [field]: text };
}

const lookupQuery = (question: Question, key: string) =>
  queryOptions({
    queryKey: ["lookup", question.word, question.text, question.types],
    queryFn: ({ signal }) => lookUp(question.word, { body: bodyOf(question), key, signal }),
    // What was paid for stays as long as the page does; nothing is asked again by itself.
    gcTime: KEPT_MS,
    retry: false,
  });

const pathOf = ({ word, text, types }: Question): string => {
  const query = new URLSearchParams(word === "dns" && types !== "ALL" ? { q: text, types } : { q: text });
  return `/lookup/${word}?${query}`;
};

/** Address of the page that asks this; it asks only when somebody presses the button there. */
export const lookupHref = (word: ProductWord, text: string): string =>
  `/app${pathOf({ word, text, types: "ALL" })}`;

/** The question in the address, its answer so far, and how to ask. A link from elsewhere fills in, but never spends. */
export function useLookup() {
  const { word = "" } = useParams();
  // The router's own reading decodes twice. It is asked for the change alone.
  useSearch();
  const search = new URLSearchParams(window.location.search);
  const [, navigate] = useLocation();
  const key = useKey();
  const { id: accountId } = useAccount();
  const queries = useQueryClient();
  const question: Question = {
    word: productOf(word)?.word ?? "ip",
    text: search.get("q") ?? "",
    types: search.get("types") ?? "ALL",
  };
  const answer = useQuery({ ...lookupQuery(question, key ?? ""), enabled: false });
  const ask = (asked: Question): void => {
    if (key === null) return;
    navigate(pathOf(asked));
    void run(queries, asked, key).then((isAnswered) => {
      if (isAnswered) markSteps(accountId, "looked-up");
    });
  };
  const cancel = (): void => void queries.cancelQueries({ queryKey: ["lookup"] });
  return { question, answer, ask, cancel, key, hasWord: productOf(word) !== null };
}

async function run(queries: QueryClient, question: Question, key: string): Promise<boolean> {
  const query = lookupQuery(question, key);
  // The page shows the failure out of the query itself.
  return queries.fetchQuery({ ...query, staleTime: 0 }).then(
    () => true,
    () => false,
  );
}
