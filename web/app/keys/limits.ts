import { faultOf } from "../../api/failure.ts";
import type { Shapes } from "../../api/types.gen.ts";
import type { Key } from "./key.ts";

/** When a key is to end, as a form holds it. */
export type Expiry = {
  /** A duration such as "90d", "never", "day" for the day below, "keep" for what the key has. */
  readonly end: string;
  /** YYYY-MM-DD; "" where none is chosen. */
  readonly day: string;
};

/** What limits a key, as a form holds it. */
export type LimitChoices = {
  readonly expiry: Expiry;
  /** Networks as they were typed, on lines or with commas. */
  readonly networks: string;
  /** Null: all. */
  readonly products: readonly string[] | null;
};

/** Ends to choose from. */
export const ENDS = [
  { value: "never", label: "Never" },
  { value: "30d", label: "In 30 days" },
  { value: "90d", label: "In 90 days" },
  { value: "365d", label: "In a year" },
  { value: "day", label: "On a day" },
] as const;

/** The limits of a key that is there, or none; what has expired is to be given another end. */
export const limitsOf = (key: Key | null): LimitChoices => ({
  expiry: { end: endOf(key), day: "" },
  networks: key?.networks?.join("\n") ?? "",
  products: key?.products ?? null,
});

function endOf(key: Key | null): string {
  if (key === null || key.expires_at === null) return "never";
  return key.state === "expired" ? "90d" : "keep";
}

/** The end as the service takes it: null is never, and one that stays is left out. */
export function expiryInput({ end, day }: Expiry): Pick<Shapes["KeyRollInput"], "expires_at"> {
  if (end === "keep") return {};
  if (end === "never") return { expires_at: null };
  return { expires_at: end === "day" ? day : end };
}

/** A name and limits as the service takes them. */
export const keyInput = (name: string, { expiry, networks, products }: LimitChoices): Shapes["KeyInput"] => ({
  name: name.trim(),
  ...expiryInput(expiry),
  networks: networks.trim() === "" ? null : listed(networks),
  products: products === null ? null : [...products],
});

/** What stands on lines or between commas. */
export const listed = (text: string): string[] =>
  text
    .replaceAll(",", "\n")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

const FIELDS = ["name", "expires_at", "networks", "products", "overlap_s"] as const;

/** What is wrong with each field of a key, in words; null: nothing. */
export type KeyFaults = Readonly<Record<(typeof FIELDS)[number], string | null>>;

const NO_FAULTS: KeyFaults = {
  name: null,
  expires_at: null,
  networks: null,
  products: null,
  overlap_s: null,
};

/** What need not be sent to be known as wrong; null: nothing. */
export function faultsBefore({
  name,
  expiry,
  products,
}: Pick<LimitChoices, "expiry"> & Partial<Pick<LimitChoices, "products">> & { readonly name?: string }) {
  const faults: KeyFaults = {
    ...NO_FAULTS,
    name: name?.trim() === "" ? "Say what will use the key" : null,
    expires_at: expiry.end === "day" && expiry.day === "" ? "Choose a day" : null,
    products: products?.length === 0 ? "Tick at least one, or all products" : null,
  };
  return Object.values(faults).some((fault) => fault !== null) ? faults : null;
}

/** What the service found wrong. */
export const faultsAfter = (error: unknown): KeyFaults => ({
  ...NO_FAULTS,
  ...Object.fromEntries(FIELDS.map((field) => [field, faultOf(error, field)])),
});
