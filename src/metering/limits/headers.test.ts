import { describe, expect, test } from "vitest";
import { readIp } from "../../targets/ip.ts";
import { clientBucket } from "./client.ts";
import { halfOf, rateHeaders } from "./headers.ts";

const state = { limit: 30, remaining: 0, resetAfterS: 0.412, concurrencyLimit: 30, concurrencyRemaining: 7 };

test("rateHeaders() spells the six headers of every authenticated answer", () => {
  expect(rateHeaders(state, 1)).toEqual({
    "X-Concurrency-Limit": "30",
    "X-Concurrency-Remaining": "7",
    "X-RateLimit-Limit": "30",
    "X-RateLimit-Remaining": "0",
    "X-RateLimit-Window": "1",
    "X-RateLimit-Reset-After": "0.412",
  });
});

test.each([
  { scope: "requests", resetAfterS: 0.412, retryAfter: "1", why: "whole seconds, at least one" },
  { scope: "requests", resetAfterS: 54.001, retryAfter: "55", why: "rounded up, never too early" },
  { scope: "concurrency", resetAfterS: 0, retryAfter: "1", why: "it is unknown when a slot frees up" },
] as const)("rateHeaders() of a refusal for $scope adds scope and Retry-After $retryAfter: $why", (row) => {
  expect(rateHeaders({ ...state, resetAfterS: row.resetAfterS }, 60, row.scope)).toMatchObject({
    "X-RateLimit-Scope": row.scope,
    "Retry-After": row.retryAfter,
  });
});

test.each([
  { limit: 2, half: 1 },
  { limit: 30, half: 15 },
  { limit: 60, half: 30 },
  { limit: 100, half: 50 },
  { limit: 5, half: 2 },
])("halfOf() $limit is $half", ({ limit, half }) => {
  expect(halfOf(limit)).toBe(half);
});

describe("clientBucket()", () => {
  test.each([
    { text: "192.0.2.7", bucket: "192.0.2.7", why: "IPv4 counts by address" },
    { text: "::ffff:192.0.2.7", bucket: "192.0.2.7", why: "mapped IPv6 is its IPv4 address" },
    { text: "2001:db8:1:2:3:4:5:6", bucket: "2001:db8:1:2::/64", why: "one subscriber has the /64" },
    { text: "2001:db8:1:2::1", bucket: "2001:db8:1:2::/64", why: "another address of the same /64" },
    { text: "2001:db8:1:3::1", bucket: "2001:db8:1:3::/64", why: "the next /64 is another client" },
    { text: "::1", bucket: "::/64", why: "the loopback address" },
  ])("of $text is $bucket: $why", ({ text, bucket }) => {
    const ip = readIp(text);
    expect(ip === null ? null : clientBucket(ip)).toBe(bucket);
  });

  test("of mapped words that were not turned into IPv4 is the IPv4 address", () => {
    const words = [0, 0, 0xffff, 0xc0000207] as const;
    expect(clientBucket({ version: "v6", text: "::ffff:c000:207", words })).toBe("192.0.2.7");
  });
});
