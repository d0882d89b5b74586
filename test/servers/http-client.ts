import { onTestFinished } from "vitest";
import { type Clock, systemClock } from "../../src/base/clock.ts";
import { createHttp } from "../../src/net/http/http.ts";
import type { Http, HttpRequest } from "../../src/net/http/http-types.ts";
import { a, CANARY_HOST, createDialing, zone } from "./dialing.ts";

const LAB = zone({
  "www.example.com": [a("127.0.0.1")],
  "mirror.example": [a("127.0.0.2")],
  "inside.example": [a(CANARY_HOST)],
});

/** A client over the tests' resolver, closed after the test. */
export async function createClient({
  clock = systemClock,
  caFile = null,
}: {
  readonly clock?: Clock;
  readonly caFile?: string | null;
} = {}): Promise<Http> {
  const { dialer } = await createDialing({ script: LAB, clock });
  const http = createHttp({ dialer, clock, caFile, userAgent: "Repute/1" });
  onTestFinished(http.close);
  return http;
}

/** A request with room and time enough. */
export const request = (url: string, more: Partial<HttpRequest> = {}): HttpRequest => ({
  url,
  maxBytes: 100_000,
  timeoutMs: 30_000,
  isOperatorsWord: false,
  ...more,
});

/** Status and body, or reason and code, and detail where there is no code. */
export async function outcome(http: Http, wish: HttpRequest): Promise<string> {
  const answer = await http.get(wish);
  if (answer.state === "unavailable") return `${answer.reason}: ${answer.code ?? answer.detail}`;
  return `${answer.value.status} ${answer.value.body}`;
}
