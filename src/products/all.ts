import { checkIp } from "./check-ip/product.ts";
import { dnsLookup } from "./dns-lookup/product.ts";
import { domainReputation } from "./domain-reputation/product.ts";
import { emailReputation } from "./email-reputation/product.ts";
import type { SealedProduct } from "./product.ts";
import { urlReputation } from "./url-reputation/product.ts";
import { whoisLookup } from "./whois-lookup/product.ts";

/** Every product, in the order of the price list. */
export const PRODUCTS: readonly SealedProduct[] = [
  checkIp,
  domainReputation,
  urlReputation,
  emailReputation,
  dnsLookup,
  whoisLookup,
];

export const PRODUCT_NAMES = PRODUCTS.map(({ name }) => name);

/** Throws where there is none: a name comes from `PRODUCTS`, or from what was stored of one. */
export function productNamed(name: string): SealedProduct {
  const product = PRODUCTS.find((one) => one.name === name);
  if (product === undefined) throw new Error(`There is no product ${name}`);
  return product;
}
