import { call, type ServiceAnswer } from "./client.ts";
import { csrfHeaders } from "./dashboard.ts";
import { PRODUCTS } from "./products.gen.ts";
import type { ToolPage } from "./types.gen.ts";

export type ProductWord = (typeof PRODUCTS)[number]["word"];

type PageOf<W extends ProductWord> = Extract<ToolPage, { readonly tool: W }>;

/** Report of each product, by the word that stands for it in addresses. */
export type Reports = { readonly [W in ProductWord]: NonNullable<PageOf<W>["full"]> };

/** Its free report. */
export type FreeReports = { readonly [W in ProductWord]: NonNullable<PageOf<W>["report"]> };

/** A product as the forms know it. */
export type ProductForm = (typeof PRODUCTS)[number];

const WORDS: ReadonlyMap<string, ProductForm> = new Map(PRODUCTS.map((product) => [product.word, product]));

/** The product of a word out of an address, or null. */
export const productOf = (word: string): ProductForm | null => WORDS.get(word) ?? null;

/** The word of a product by its name, or null. */
export const wordOfProduct = (name: string): ProductWord | null =>
  PRODUCTS.find(({ product }) => product === name)?.word ?? null;

/** What a call cost and what it left, as the headers say; null where they say nothing. */
type Charge = { readonly charged: number | null; readonly remaining: number | null };

/** `resultId`: the kept answer; null where none is kept. */
export type Lookup = {
  readonly word: ProductWord;
  readonly report: Reports[ProductWord];
  readonly charge: Charge;
  readonly resultId: string | null;
};

type Ask = { readonly body: object; readonly signal?: AbortSignal | undefined };

/** Asks one product; the session pays. Throws CallFailure. */
export async function lookUp(word: ProductWord, { body, signal }: Ask): Promise<Lookup> {
  const path = sessionPathOf(productOf(word)?.path ?? "");
  const answer = await call<Lookup["report"]>(path, { method: "POST", body, headers: csrfHeaders(), signal });
  return {
    word,
    report: answer.data,
    charge: chargeOf(answer),
    resultId: answer.headers.get("X-Result-Id"),
  };
}

/** Where the pages ask what programs ask at a path with a key. */
const sessionPathOf = (path: string): string => path.replace("/api/", "/api/dashboard/lookup/");

function chargeOf({ headers }: ServiceAnswer<unknown>): Charge {
  const numberOf = (name: string): number | null => {
    const text = headers.get(name);
    return text === null || text === "" ? null : Number(text);
  };
  return { charged: numberOf("X-Credits-Charged"), remaining: numberOf("X-Credits-Remaining") };
}

/** The same lookup for a terminal; the key stands in for itself only by its name in the environment. */
export function curlOf(product: ProductForm, body: object, origin: string): string {
  const json = JSON.stringify(body).replaceAll("'", String.raw`'\''`);
  return [
    `curl -s ${origin}${product.path}`,
    `-H "X-API-Key: $REPUTE_KEY"`,
    `-H 'Content-Type: application/json'`,
    `-d '${json}'`,
  ].join(" \\\n  ");
}
