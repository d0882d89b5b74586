import type { LimitState } from "./types.ts";

/** Half an allowance, for URL reputation and the bulk endpoints: rounded down. Source: interface 8.3, design 13.1. */
export const halfOf = (limit: number): number => Math.floor(limit / 2);

/** Whole seconds, at least 1, after which a refused call may be tried again. Source: design 13.1. */
export const retryAfterSeconds = (scope: "requests" | "concurrency", resetAfterS: number): number =>
  scope === "concurrency" ? 1 : Math.max(1, Math.ceil(resetAfterS));

/** Milliseconds until a start frees up as seconds with three decimals, rounded up: never too early. */
export const resetSeconds = (waitMs: number): number => Math.max(1, Math.ceil(waitMs - 1e-6)) / 1000;

/**
 * The headers of interface 8.3 by name, in its spelling. `scope` only on a 429. The free tools have no in-flight
 * limit (`concurrencyLimit` infinite), so no `X-Concurrency-*` either (design 12).
 */
export function rateHeaders(
  state: LimitState,
  windowS: number,
  scope?: "requests" | "concurrency",
): Record<string, string> {
  const headers: Record<string, string> = {};
  if (Number.isFinite(state.concurrencyLimit)) {
    headers["X-Concurrency-Limit"] = String(state.concurrencyLimit);
    headers["X-Concurrency-Remaining"] = String(state.concurrencyRemaining);
  }
  headers["X-RateLimit-Limit"] = String(state.limit);
  headers["X-RateLimit-Remaining"] = String(state.remaining);
  headers["X-RateLimit-Window"] = String(windowS);
  headers["X-RateLimit-Reset-After"] = String(state.resetAfterS);
  if (scope !== undefined) {
    headers["X-RateLimit-Scope"] = scope;
    headers["Retry-After"] = String(retryAfterSeconds(scope, state.resetAfterS));
  }
  return headers;
}
