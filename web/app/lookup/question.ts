import { type QueryClient, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useLocation, useParams, useSearch } from "wouter";
import { lookUp, type ProductWord, productOf } from "../../api/products.ts";
import { markSteps } from "../overview/steps-store.ts";
import { useAccount } from "../session.tsx";
import { createPresses } from "./presses.ts";

/** What is asked: a product, its target and, of DNS, the record types. */
export type LookupQuestion = { readonly word: ProductWord; readonly text: string; readonly types: string };

const KEPT_MS = 1_800_000;

/** The body of the call. */
export function bodyOf({ word, text, types }: LookupQuestion): object {
  const field = productOf(word)?.field ?? "query";
  return word === "dns" ? { [field]: text, record_type: types } : { [field]: text };
}

/** What a body asked, so that it can be asked again. `target`: what it is asked about where the body does not say so. */
export function questionOf(
  word: ProductWord,
  body: Readonly<Record<string, unknown>>,
  target: string,
): LookupQuestion {
  const [text, types] = [body[productOf(word)?.field ?? "query"], body["record_type"]];
  return {
    word,
    text: typeof text === "string" ? text : target,
    types: word === "dns" && typeof types === "string" ? types : "ALL",
  };
}

const lookupQuery = (question: LookupQuestion) =>
  queryOptions({
    queryKey: ["lookup", question.word, question.text, question.types],
    queryFn: ({ signal }) => lookUp(question.word, { body: bodyOf(question), signal }),
    // What was paid for stays as long as the page does; nothing is asked again by itself.
    gcTime: KEPT_MS,
    retry: false,
  });

/** Path of the page that asks this. */
export const lookupPath = ({ word, text, types }: LookupQuestion): string => {
  const query = new URLSearchParams(word === "dns" && types !== "ALL" ? { q: text, types } : { q: text });
  return `/lookup/${word}?${query}`;
};

/** Address of the page that asks this; it asks only when the button there is pressed. */
export const lookupHref = (word: ProductWord, text: string): string =>
  `/app${lookupPath({ word, text, types: "ALL" })}`;

const presses = createPresses();

/** Where it is shown what a lookup cost, and the key that paid. */
const SPENT = [["overview"], ["keys"], ["results"]];

/** The service reads what an account did once a second at most, and a little more. */
const ACTIVITY_KEPT_MS = 1200;

/** The question in the address, its answer so far, and how to ask. A link from elsewhere fills in, but never spends. */
export function useLookup() {
  const { word = "" } = useParams();
  // The router's own reading decodes twice. It is asked for the change alone.
  useSearch();
  const search = new URLSearchParams(window.location.search);
  const [, navigate] = useLocation();
  const { id: accountId, is_reader: isReader } = useAccount();
  const queries = useQueryClient();
  const question: LookupQuestion = {
    word: productOf(word)?.word ?? "ip",
    text: search.get("q") ?? "",
    types: search.get("types") ?? "ALL",
  };
  const hasWord = productOf(word) !== null;
  // Where the address has no word, asking leads to another page, and what this one watches is cancelled as it goes.
  const watched = hasWord ? question : { ...question, text: "" };
  const answer = useQuery({ ...lookupQuery(watched), enabled: false });
  // False: nothing is asked, because this session only reads, or because it is being asked already.
  const ask = (asked: LookupQuestion): boolean => {
    const path = lookupPath(asked);
    if (isReader || presses.isRepeated(path) || queries.isFetching({ queryKey: ["lookup"] }) > 0)
      return false;
    navigate(path);
    void run(queries, asked).then((isAnswered) => {
      const forget = () => {
        for (const queryKey of SPENT) void queries.invalidateQueries({ queryKey });
      };
      forget();
      // What the service read of the account just before the call is still told for a second.
      setTimeout(forget, ACTIVITY_KEPT_MS);
      if (isAnswered) markSteps(accountId, "looked-up");
      else presses.forget();
    });
    return true;
  };
  const cancel = (): void => {
    if (!presses.isFresh()) void queries.cancelQueries({ queryKey: ["lookup"] });
  };
  return { question, answer, ask, cancel, canAsk: !isReader, hasWord };
}

async function run(queries: QueryClient, question: LookupQuestion): Promise<boolean> {
  const query = lookupQuery(question);
  // The page shows the failure out of the query itself.
  return queries.fetchQuery({ ...query, staleTime: 0 }).then(
    () => true,
    () => false,
  );
}
