import { isoDay } from "../base/clock.ts";
import { DAY_MS, HOUR_MS } from "../base/durations.ts";
import { InvalidValue } from "../base/failure.ts";
import { type Cidr, cidrContains, parseCidr, readCidr } from "../targets/cidr.ts";
import type { Ip } from "../targets/ip.ts";

/** What a key is limited to; each null is no limit. */
export type KeyOptions = {
  /** From then on the key is refused. */
  readonly expiresAt: Date | null;
  /** Networks that calls may come from, in their one spelling. */
  readonly networks: readonly string[] | null;
  /** Names of the products that it may call, single and bulk. */
  readonly products: readonly string[] | null;
};

/** A key without limits. */
export const NO_LIMITS: KeyOptions = { expiresAt: null, networks: null, products: null };

/** Networks of one key. */
export const MAX_NETWORKS = 50;
/** The longest overlap of a key with the one that replaces it. */
export const MAX_OVERLAP_MS = 7 * DAY_MS;
const MAX_LIFE_MS = 10 * 366 * DAY_MS;

const UNIT_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: HOUR_MS, d: DAY_MS };

/** `90s`, `30m`, `12h` or `7d` in milliseconds; null for anything else. */
function readDuration(text: string): number | null {
  const match = /^(\d{1,7})([smhd])$/.exec(text);
  return match === null ? null : Number(match[1]) * (UNIT_MS[match[2] ?? ""] ?? Number.NaN);
}

/**
 * The end of a key: a time in ISO 8601 with its zone, a day (its beginning in UTC), or a duration from now; whole
 * seconds. Throws InvalidValue `expiry_malformed`, or `expiry_range` unless it is in the future and within ten years.
 */
export function parseExpiry(text: string, now: Date): Date {
  const duration = readDuration(text);
  const ms = duration === null ? instantOf(text) : now.getTime() + duration;
  if (ms === null) {
    const like = `"2027-01-31", "2027-01-31T12:00:00Z" or "90d"`;
    throw new InvalidValue(
      "expiry_malformed",
      `Expected a day, a time with its zone or a duration, such as ${like}`,
    );
  }
  const wholeMs = Math.floor(ms / 1000) * 1000;
  if (wholeMs > now.getTime() && wholeMs <= now.getTime() + MAX_LIFE_MS) return new Date(wholeMs);
  throw new InvalidValue("expiry_range", "The expiry must be in the future, and within ten years");
}

const ISO = /^(\d{4}-\d\d-\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/;

/** Null also for a day that no calendar has, which `Date` would take for another one. */
function instantOf(text: string): number | null {
  const day = ISO.exec(text)?.[1];
  const dayMs = day === undefined ? Number.NaN : Date.parse(day);
  if (Number.isNaN(dayMs) || isoDay(new Date(dayMs)) !== day) return null;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? null : ms;
}

/** How long a replaced key goes on, in milliseconds. Throws InvalidValue unless `0`, or a duration up to seven days. */
export function parseOverlap(text: string): number {
  const ms = text === "0" ? 0 : readDuration(text);
  if (ms === null)
    throw new InvalidValue("overlap_malformed", `Expected a duration such as "0", "12h" or "7d"`);
  return checkOverlap(ms);
}

/** The same for one in milliseconds. */
export function checkOverlap(ms: number): number {
  if (Number.isSafeInteger(ms) && ms >= 0 && ms <= MAX_OVERLAP_MS) return ms;
  throw new InvalidValue("overlap_range", "The overlap is between 0 and 7 days");
}

/**
 * Networks or single addresses in their one spelling, without repetitions; those inside `::ffff:0:0/96` are IPv4. Throws
 * InvalidValue for a text that `parseCidr` refuses, for none and for more than 50.
 */
export function parseNetworks(texts: readonly string[]): readonly string[] {
  refuseCount("networks", texts.length, MAX_NETWORKS);
  return [...new Set(texts.map((text) => parseNetwork(text)))];
}

function parseNetwork(text: string): string {
  try {
    return parseCidr(text).text;
  } catch (error) {
    if (!(error instanceof InvalidValue)) throw error;
    throw new InvalidValue(error.reason, `${error.message}: "${text.slice(0, 80)}"`);
  }
}

/**
 * Names of products, in the order of `known` and without repetitions; `/api/check-ip` is `check-ip`. A product's bulk
 * calls belong to it. Throws InvalidValue for an unknown one, and for none.
 */
export function parseProducts(texts: readonly string[], known: readonly string[]): readonly string[] {
  refuseCount("products", texts.length, 4 * known.length);
  const named = new Set(texts.map((text) => parseProduct(text, known)));
  return known.filter((name) => named.has(name));
}

function parseProduct(text: string, known: readonly string[]): string {
  const name = text.startsWith("/api/") ? text.slice("/api/".length) : text;
  if (known.includes(name)) return name;
  if (name.startsWith("bulk/") && known.includes(name.slice("bulk/".length))) {
    const product = name.slice("bulk/".length);
    throw new InvalidValue("product_unknown", `Bulk calls belong to their product: name "${product}"`);
  }
  const names = known.join(", ");
  throw new InvalidValue("product_unknown", `Unknown product "${text.slice(0, 80)}": known are ${names}`);
}

function refuseCount(what: "networks" | "products", count: number, most: number): void {
  if (count === 0)
    throw new InvalidValue(`${what}_empty`, `Name at least one of the ${what}, or set no limit`);
  if (count > most) throw new InvalidValue(`${what}_many`, `At most ${most} ${what} can be named`);
}

/** What the columns of a key hold of its limits. */
export type OptionColumns = {
  readonly expires_at: number | null;
  readonly networks: string | null;
  readonly products: string | null;
};

/** The columns of some options; those that are not given are left out. */
export const columnsOf = ({
  expiresAt,
  networks,
  products,
}: Partial<KeyOptions>): Partial<OptionColumns> => ({
  ...(expiresAt === undefined ? {} : { expires_at: expiresAt?.getTime() ?? null }),
  ...(networks === undefined ? {} : { networks: networks?.join(" ") ?? null }),
  ...(products === undefined ? {} : { products: products?.join(" ") ?? null }),
});

/** The options of a row. */
export const optionsFrom = ({ expires_at, networks, products }: OptionColumns): KeyOptions => ({
  expiresAt: expires_at === null ? null : new Date(expires_at),
  networks: networks?.split(" ") ?? null,
  products: products?.split(" ") ?? null,
});

/** Where a key may be used from and for what. */
export type KeyRestriction = {
  /** Whether a call may come from an address; null is an address that is not known. */
  readonly allowsAddress: (ip: Ip | null) => boolean;
  readonly allowsProduct: (name: string) => boolean;
  readonly allowsEveryProduct: boolean;
};

/** Whether a key may open a session from an address: a session sees the whole account. */
export const allowsSession = (restriction: KeyRestriction | null, ip: Ip | null): boolean =>
  restriction === null || (restriction.allowsEveryProduct && restriction.allowsAddress(ip));

const MAX_KEPT = 1000;
const kept = new Map<string, KeyRestriction>();

/**
 * The restriction of a row's texts; null: there is none. A network that cannot be read allows nothing. Read once for all
 * rows with the same texts.
 */
export function restrictionFrom(networks: string | null, products: string | null): KeyRestriction | null {
  if (networks === null && products === null) return null;
  const name = `${networks ?? "*"}\n${products ?? "*"}`;
  const known = kept.get(name);
  if (known !== undefined) return known;
  const made = {
    allowsAddress: addressRule(networks),
    allowsProduct: productRule(products),
    allowsEveryProduct: products === null,
  };
  if (kept.size >= MAX_KEPT) kept.clear();
  kept.set(name, made);
  return made;
}

function addressRule(networks: string | null): KeyRestriction["allowsAddress"] {
  if (networks === null) return () => true;
  const cidrs: readonly Cidr[] = networks.split(" ").flatMap((text) => readCidr(text) ?? []);
  return (ip) => ip !== null && cidrs.some((cidr) => cidrContains(cidr, ip));
}

function productRule(products: string | null): KeyRestriction["allowsProduct"] {
  if (products === null) return () => true;
  const names = new Set(products.split(" "));
  return (name) => names.has(name);
}
