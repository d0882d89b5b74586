import { describe, expect, test } from "vitest";
import { CallFailure } from "../../api/failure.ts";
import type { Key } from "./key.ts";
import { expiryInput, faultsAfter, faultsBefore, keyInput, limitsOf } from "./limits.ts";

const KEY: Key = {
  id: "1",
  name: "shop",
  prefix: "rpt_abcdefgh",
  state: "active",
  created_at: "2026-01-01T00:00:00Z",
  last_used_at: null,
  revoked_at: null,
  kind: "api",
  expires_at: null,
  networks: null,
  products: null,
  replaced_by: null,
  calls_30_days: 0,
};

describe("limits of a key in a form", () => {
  test("a form that was not touched changes nothing", () => {
    const limited = {
      ...KEY,
      expires_at: "2027-01-01T00:00:00Z",
      networks: ["192.0.2.0/24", "2001:db8::/32"],
      products: ["check-ip"],
    };
    // What is left out stays: the end keeps its second.
    expect(keyInput(limited.name, limitsOf(limited))).toEqual({
      name: "shop",
      networks: limited.networks,
      products: limited.products,
    });
    expect(keyInput("shop", limitsOf(KEY))).toEqual({
      name: "shop",
      expires_at: null,
      networks: null,
      products: null,
    });
  });

  test("networks stand on lines or between commas", () => {
    const networks = " 192.0.2.1,\n\n 198.51.100.0/24 , 2001:db8::/32\n";
    expect(keyInput(" shop ", { ...limitsOf(null), networks })).toMatchObject({
      name: "shop",
      networks: ["192.0.2.1", "198.51.100.0/24", "2001:db8::/32"],
    });
    expect(keyInput("shop", { ...limitsOf(null), networks: " \n" }).networks).toBeNull();
    // Nothing but commas is not "from anywhere": the service says what is missing.
    expect(keyInput("shop", { ...limitsOf(null), networks: ", ," }).networks).toEqual([]);
  });

  test("an end is never, a duration, a day, or stays", () => {
    expect(expiryInput({ end: "never", day: "" })).toEqual({ expires_at: null });
    expect(expiryInput({ end: "90d", day: "2027-01-31" })).toEqual({ expires_at: "90d" });
    expect(expiryInput({ end: "day", day: "2027-01-31" })).toEqual({ expires_at: "2027-01-31" });
    expect(expiryInput({ end: "keep", day: "" })).toEqual({});
  });

  test("a key that has expired does not keep its end", () => {
    const expired: Key = { ...KEY, state: "expired", expires_at: "2026-02-01T00:00:00Z" };
    expect(expiryInput(limitsOf(expired).expiry)).toEqual({ expires_at: "90d" });
  });
});

describe("what is wrong with a key", () => {
  test("is known before it is sent, where the form alone tells", () => {
    expect(faultsBefore({ name: "shop", ...limitsOf(KEY) })).toBeNull();
    expect(faultsBefore({ name: " ", expiry: { end: "day", day: "" }, products: [] })).toMatchObject({
      name: "Say what will use the key",
      expires_at: "Choose a day",
      networks: null,
      products: "Tick at least one, or all products",
    });
  });

  test("stands at the field that the service names", () => {
    const parts = {
      status: 422,
      code: "VALIDATION",
      message: "",
      requestId: null,
      retryAfterS: null,
      cost: null,
    };
    const error = new CallFailure({ ...parts, faults: [{ field: "networks", message: "Not a network" }] });
    expect(faultsAfter(error)).toEqual({
      name: null,
      expires_at: null,
      networks: "Not a network",
      products: null,
      overlap_s: null,
    });
  });
});
