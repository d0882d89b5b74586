import type { ApiKey } from "../accounts/accounts.ts";
import type { KeyOptions } from "../accounts/key-options.ts";
import { type Clock, isoSeconds, isoSecondsOrNull } from "../base/clock.ts";
import type { Invocation, OptionSpec } from "./command.ts";

/** The options that limit a key. */
export const LIMIT_OPTIONS: readonly OptionSpec[] = [
  { flags: "--expires <time>", summary: "A day, a time with its zone, a duration such as 90d, or never" },
  { flags: "--networks <list>", summary: "Networks that calls may come from, with commas, or any" },
  { flags: "--products <list>", summary: "Products that it may call, with commas, or all" },
];

/** The limits that were typed; those that were not are not there. A duration counts from the clock's time. Throws InvalidValue. */
export async function readLimits(
  { option }: Pick<Invocation, "option">,
  { clock }: { readonly clock: Clock },
): Promise<Partial<KeyOptions>> {
  const { parseExpiry, parseNetworks, parseProducts } = await import("../accounts/key-options.ts");
  const { PRODUCT_NAMES } = await import("../products/all.ts");
  const expires = option("expires");
  const networks = option("networks");
  const products = option("products");
  return {
    ...(expires === null
      ? {}
      : { expiresAt: expires === "never" ? null : parseExpiry(expires, clock.now()) }),
    ...(networks === null ? {} : { networks: networks === "any" ? null : parseNetworks(listed(networks)) }),
    ...(products === null
      ? {}
      : { products: products === "all" ? null : parseProducts(listed(products), PRODUCT_NAMES) }),
  };
}

/** The parts of a text with commas. */
export const listed = (text: string): readonly string[] =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");

/** The members of design 13.2, and after them what limits the key. */
export const keyJson = (key: ApiKey) => ({
  id: key.id,
  name: key.name,
  prefix: key.prefix,
  created_at: isoSeconds(key.createdAt),
  last_used_at: isoSecondsOrNull(key.lastUsedAt),
  revoked_at: isoSecondsOrNull(key.revokedAt),
  state: key.state,
  ...limitsJson(key),
  replaced_by: key.replacedBy,
});

/** What limits a key; each null is no limit. */
export const limitsJson = ({ options }: ApiKey) => ({
  expires_at: isoSecondsOrNull(options.expiresAt),
  networks: options.networks,
  products: options.products,
});

/** The limits of a key for a person: a label and a value for each that it has. */
export function limitRows({ options }: ApiKey): readonly (readonly [string, string])[] {
  const { expiresAt, networks, products } = options;
  return [
    ...(expiresAt === null ? [] : [["Expires", isoSeconds(expiresAt)] as const]),
    ...(networks === null ? [] : [["Networks", networks.join(", ")] as const]),
    ...(products === null ? [] : [["Products", products.join(", ")] as const]),
  ];
}
