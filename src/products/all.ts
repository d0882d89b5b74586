import { checkIp } from "./check-ip/product.ts";
import type { SealedProduct } from "./product.ts";

/** Every product, in the order of the price list. */
export const PRODUCTS: readonly SealedProduct[] = [checkIp];
