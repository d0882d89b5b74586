import { PRODUCTS } from "../api/products.gen.ts";

const ENDPOINTS: ReadonlyMap<string, string> = new Map([
  ...PRODUCTS.map(({ product, name }) => [product, name] as const),
  ["account/subscription", "Plan and balance"],
]);

/** "/api/bulk/check-ip" as "IP reputation, bulk"; what is unknown as it is. */
export function endpointName(endpoint: string): string {
  const path = endpoint.replace(/^\/?(api\/)?/, "");
  const isBulk = path.startsWith("bulk/");
  const name = ENDPOINTS.get(isBulk ? path.slice("bulk/".length) : path);
  if (name === undefined) return endpoint;
  return isBulk ? `${name}, bulk` : name;
}

const STATUSES: Readonly<Record<number, string>> = {
  200: "Answered",
  401: "No valid key",
  402: "Credits missing",
  404: "No such path",
  413: "Too large",
  415: "Not JSON",
  422: "Not valid",
  429: "Too many requests",
  500: "Failed",
  503: "Not ready",
};

/** 429 as "429 Too many requests". */
export const statusName = (status: number): string => `${status} ${STATUSES[status] ?? ""}`.trim();

/** How a status went: charged, refused (the caller's side) or failed (ours). */
export function outcomeOf(status: number): "answered" | "refused" | "failed" {
  if (status < 400) return "answered";
  return status < 500 ? "refused" : "failed";
}
