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
