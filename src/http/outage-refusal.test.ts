import { expect, test } from "vitest";
import { failureRefusal } from "./errors.ts";

test("a 503 without a database names it, and the outage is noted with the request", () => {
  const noted: unknown[] = [];
  const error = new Error("ECONNREFUSED 127.0.0.1:5432, password secret");
  const parts = {
    ...{ calls: Object({}), isDatabaseUnavailable: () => true },
    noteOutage: (...told: readonly unknown[]) => void noted.push(...told),
  };
  const refusal = failureRefusal(parts, error, "request-1");
  expect(refusal).toMatchObject({ code: "SERVICE_UNAVAILABLE", retryAfterS: 5 });
  expect(refusal.message).toBe("The database cannot be reached; try again");
  expect(noted).toEqual([error, "request-1"]);
});
