import { describe, expect, test } from "vitest";
import type { ExportStanding } from "../exports/shelf.ts";
import { assertServed } from "./served-export.ts";

const standing = (more: object): ExportStanding =>
  Object({ closed: "why", facts: null, held: null, fault: null, ...more });
const FACTS = { generation: 7 };

describe("assertServed()", () => {
  test("gives what is served", () => {
    const served = standing({ closed: null, facts: FACTS });
    expect(assertServed(served)).toEqual(served);
  });

  test.each([
    ["the first build is under way", {}, 12],
    ["the first build failed", { fault: { message: "no room" } }, 30],
    ["the first build has too few entries", { held: { entries: 0, needed: 1 } }, 30],
    ["it is too old", { facts: FACTS }, 3600],
  ])("says when to come back where %s", (_, more, retryAfterS) => {
    expect(() => assertServed(standing(more))).toThrow(
      expect.objectContaining({ code: "SERVICE_UNAVAILABLE", message: "why", retryAfterS }),
    );
  });
});
