import { type Answer, call } from "./client.ts";
import { csrfHeaders } from "./dashboard.ts";
import type { Shapes } from "./types.gen.ts";

/** Report of each product, by the word that stands for it in addresses. */
type Reports = {
  readonly ip: Shapes["CheckIpReport"];
  readonly domain: Shapes["DomainReputationReport"];
  readonly url: Shapes["UrlReputationReport"];
  readonly email: Shapes["EmailReputationReport"];
  readonly dns: Shapes["DnsLookupReport"];
  readonly whois: Shapes["WhoisLookupReport"];
};

export type ProductWord = keyof Reports;

/** A report together with the product that made it. */
export type AnyReport = {
  readonly [W in ProductWord]: { readonly word: W; readonly report: Reports[W] };
}[ProductWord];

export type Product = {
  readonly word: ProductWord;
  readonly name: string;
  readonly path: string;
  /** Member of the body that takes what is asked about. */
  readonly field: string;
  readonly label: string;
  readonly example: string;
  readonly credits: number;
  readonly bulk: { readonly path: string; readonly field: string } | null;
};

/** The six products as the forms know them. */
export const PRODUCTS: readonly Product[] = [
  {
    word: "ip",
    name: "IP reputation",
    path: "/api/check-ip",
    field: "ip",
    label: "IP address",
    example: "185.220.101.1",
    credits: 1,
    bulk: { path: "/api/bulk/check-ip", field: "ips" },
  },
  {
    word: "domain",
    name: "Domain reputation",
    path: "/api/domain-reputation",
    field: "domain",
    label: "Domain name",
    example: "example.com",
    credits: 1,
    bulk: { path: "/api/bulk/domain-reputation", field: "domains" },
  },
  {
    word: "url",
    name: "URL reputation",
    path: "/api/url-reputation",
    field: "url",
    label: "URL",
    example: "https://example.com/login",
    credits: 2,
    bulk: { path: "/api/bulk/url-reputation", field: "urls" },
  },
  {
    word: "email",
    name: "E-mail reputation",
    path: "/api/email-reputation",
    field: "email",
    label: "E-mail address",
    example: "someone@example.com",
    credits: 1,
    bulk: { path: "/api/bulk/email-reputation", field: "emails" },
  },
  {
    word: "dns",
    name: "DNS records",
    path: "/api/dns-lookup",
    field: "domain",
    label: "Domain name",
    example: "example.com",
    credits: 1,
    bulk: { path: "/api/bulk/dns-lookup", field: "domains" },
  },
  {
    word: "whois",
    name: "Registration",
    path: "/api/whois-lookup",
    field: "query",
    label: "Domain, IP address, network or AS number",
    example: "AS15169",
    credits: 1,
    bulk: null,
  },
];

const WORDS: ReadonlyMap<string, Product> = new Map(PRODUCTS.map((product) => [product.word, product]));

/** The product of a word out of an address, or null. */
export const productOf = (word: string): Product | null => WORDS.get(word) ?? null;

/** The word of a product by its name, or null. */
export const wordOfProduct = (name: string): ProductWord | null =>
  PRODUCTS.find(({ path }) => path === `/api/${name}`)?.word ?? null;

/** What a call cost and what it left, as the headers say; null where they say nothing. */
type Charge = { readonly charged: number | null; readonly remaining: number | null };

/** `resultId`: the kept answer; null where none is kept. */
export type Lookup = AnyReport & { readonly charge: Charge; readonly resultId: string | null };

type Ask = { readonly body: object; readonly signal?: AbortSignal | undefined };

/** Asks one product; the session pays. Throws CallFailure. */
export async function lookUp(word: ProductWord, ask: Ask): Promise<Lookup> {
  const path = productOf(word)?.path ?? "";
  switch (word) {
    case "ip":
      return { word, ...(await paid<Reports["ip"]>(path, ask)) };
    case "domain":
      return { word, ...(await paid<Reports["domain"]>(path, ask)) };
    case "url":
      return { word, ...(await paid<Reports["url"]>(path, ask)) };
    case "email":
      return { word, ...(await paid<Reports["email"]>(path, ask)) };
    case "dns":
      return { word, ...(await paid<Reports["dns"]>(path, ask)) };
    case "whois":
      return { word, ...(await paid<Reports["whois"]>(path, ask)) };
    default:
      return word satisfies never;
  }
}

type Paid<T> = { readonly report: T; readonly charge: Charge; readonly resultId: string | null };

async function paid<T>(path: string, { body, signal }: Ask): Promise<Paid<T>> {
  const answer = await call<T>(sessionPathOf(path), { method: "POST", body, headers: csrfHeaders(), signal });
  return { report: answer.data, charge: chargeOf(answer), resultId: answer.headers.get("X-Result-Id") };
}

/** Where the pages ask what programs ask at a path with a key. */
const sessionPathOf = (path: string): string => path.replace("/api/", "/api/dashboard/lookup/");

function chargeOf({ headers }: Answer<unknown>): Charge {
  const numberOf = (name: string): number | null => {
    const text = headers.get(name);
    return text === null || text === "" ? null : Number(text);
  };
  return { charged: numberOf("X-Credits-Charged"), remaining: numberOf("X-Credits-Remaining") };
}

/** The same lookup for a terminal; the key stands in for itself only by its name in the environment. */
export function curlOf(product: Product, body: object, origin: string): string {
  const json = JSON.stringify(body).replaceAll("'", String.raw`'\''`);
  return [
    `curl -s ${origin}${product.path}`,
    `-H "X-API-Key: $REPUTE_KEY"`,
    `-H 'Content-Type: application/json'`,
    `-d '${json}'`,
  ].join(" \\\n  ");
}
