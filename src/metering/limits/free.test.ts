import fc from "fast-check";
import { expect, test } from "vitest";
import { createFreeLimits, FREE_WINDOW_S } from "./free.ts";
import { rateHeaders } from "./headers.ts";

function start(options: { readonly perMinute?: number; readonly maxClients?: number } = {}) {
  let nowMs = 777.5;
  const clock = { monotonicMs: () => nowMs };
  const advance = (ms: number) => {
    nowMs += ms;
  };
  return { limits: createFreeLimits({ clock, ...options }), advance, now: () => nowMs };
}

test("createFreeLimits() admits five starts a minute and refuses the sixth until the first is a minute old", () => {
  const { limits, advance } = start();
  for (const remaining of [4, 3, 2, 1, 0]) {
    expect(limits.admit("check-ip 192.0.2.1")).toMatchObject({
      state: "admitted",
      limits: { limit: 5, remaining },
    });
    advance(1000);
  }
  expect(limits.admit("check-ip 192.0.2.1")).toMatchObject({
    state: "refused",
    scope: "requests",
    retryAfterS: 55,
    limits: { remaining: 0, resetAfterS: 55 },
  });
  advance(54_999);
  expect(limits.admit("check-ip 192.0.2.1")).toMatchObject({
    retryAfterS: 1,
    limits: { resetAfterS: 0.001 },
  });
  advance(1);
  expect(limits.admit("check-ip 192.0.2.1")).toMatchObject({
    state: "admitted",
    limits: { remaining: 0, resetAfterS: 1 },
  });
});

test("createFreeLimits() counts each bucket on its own", () => {
  const { limits } = start({ perMinute: 1 });
  expect(limits.admit("check-ip 192.0.2.1").state).toBe("admitted");
  expect(limits.admit("dns-lookup 192.0.2.1").state).toBe("admitted");
  expect(limits.admit("check-ip 192.0.2.2").state).toBe("admitted");
  expect(limits.admit("check-ip 192.0.2.1").state).toBe("refused");
});

test("createFreeLimits() gives only the X-RateLimit headers", () => {
  const { limits } = start();
  expect(Object.keys(rateHeaders(limits.admit("a").limits, FREE_WINDOW_S))).toEqual([
    "X-RateLimit-Limit",
    "X-RateLimit-Remaining",
    "X-RateLimit-Window",
    "X-RateLimit-Reset-After",
  ]);
});

test("createFreeLimits() forgets idle clients", () => {
  const { limits, advance } = start();
  for (let i = 0; i < 5000; i++) limits.admit(`client ${i}`);
  expect(limits.clientCount()).toBe(5000);
  advance(60_000);
  limits.admit("other");
  advance(60_000);
  limits.admit("other");
  expect(limits.clientCount()).toBeLessThanOrEqual(2);
  advance(600_000);
  limits.admit("other");
  expect(limits.clientCount()).toBe(1);
});

test("createFreeLimits() refuses new clients when it is full, and no client starts more often for it", () => {
  const { limits, advance } = start({ perMinute: 2, maxClients: 3 });
  for (const name of ["a", "b", "c"]) expect(limits.admit(name).state).toBe("admitted");
  advance(15_000);
  expect(limits.admit("d")).toMatchObject({
    state: "refused",
    retryAfterS: 45,
    limits: { limit: 2, remaining: 0, resetAfterS: 45 },
  });
  expect(limits.admit("a").state).toBe("admitted");
  expect(limits.admit("a").state).toBe("refused");
  advance(45_000);
  expect(limits.admit("d").state).toBe("admitted");
  expect(limits.admit("a").state).toBe("admitted");
  expect(limits.admit("a").state).toBe("refused");
});

test("createFreeLimits() keeps a hundred thousand clients apart", () => {
  const { limits } = start({ perMinute: 1 });
  const names = Array.from(
    { length: 100_000 },
    (_, i) => `check-ip 10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`,
  );
  expect(names.every((name) => limits.admit(name).state === "admitted")).toBe(true);
  expect(names.every((name) => limits.admit(name).state === "refused")).toBe(true);
});

test("createFreeLimits() agrees with a plain list of starts", () => {
  const calls = fc.array(
    fc.record({
      afterMs: fc.oneof(fc.nat({ max: 40_000 }), fc.constantFrom(0, 59_999, 60_000, 120_000, 300_000)),
      client: fc.integer({ min: 0, max: 4 }),
    }),
    { maxLength: 80 },
  );
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5 }), calls, (perMinute, script) => {
      const { limits, advance, now } = start({ perMinute });
      const starts: { client: number; atMs: number }[] = [];
      for (const { afterMs, client } of script) {
        advance(afterMs);
        const live = starts
          .filter((it) => it.client === client && it.atMs > now() - 60_000)
          .map(({ atMs }) => atMs);
        const got = limits.admit(`client ${client}`);
        expect(got.state).toBe(live.length < perMinute ? "admitted" : "refused");
        if (got.state === "admitted") {
          starts.push({ client, atMs: now() });
          live.push(now());
        }
        expect(got.limits).toMatchObject({
          limit: perMinute,
          remaining: perMinute - live.length,
          resetAfterS: live.length < perMinute ? 0 : ((live[0] ?? 0) + 60_000 - now()) / 1000,
        });
      }
    }),
    { numRuns: 300 },
  );
});
