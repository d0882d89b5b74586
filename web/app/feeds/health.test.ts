import { expect, test } from "vitest";
import { type Feed, healthOf, isBehind, stateOf, stillOf } from "./health.ts";

const DAY_S = 86_400;
const now = Date.parse("2026-11-21T12:00:00Z");

const feed = (more: Partial<Feed>): Feed =>
  ({
    ...{ key: "a", name: "A", kind: "feed", target: "ip", status: "ok", entries: 9, dropped: 0 },
    ...{ data_age_s: 2 * DAY_S, refresh_minutes: 1440, last_error: null, seed: false, tries: [] },
    ...more,
  }) as Feed;

const REFUSED = "The connection was refused";

test.each<[Partial<Feed>, word: string, health: string, still: string]>([
  [{}, "Healthy", "good", ""],
  [{ last_error: REFUSED }, "Last download failed", "warn", "still answers from the data of 19 Nov 2026"],
  [
    { last_error: REFUSED, seed: true },
    "Last download failed",
    "warn",
    "still answers from the shipped data of 19 Nov 2026",
  ],
  [{ status: "stale" }, "Old data", "warn", ""],
  [
    { status: "stale", last_error: REFUSED },
    "Old data",
    "warn",
    "still answers from the data of 19 Nov 2026",
  ],
  [{ status: "error", last_error: REFUSED, data_age_s: null }, "Failed", "bad", ""],
  [{ status: "never", last_error: REFUSED, data_age_s: null }, "Never loaded", "bad", ""],
  [{ status: "never", data_age_s: null }, "Not loaded yet", "warn", ""],
  [{ status: "error", data_age_s: null }, "Not loaded yet", "bad", ""],
  [{ status: "error", kind: "dnsbl", refresh_minutes: null, data_age_s: null }, "Failed", "bad", ""],
  [{ status: "never", kind: "dnsbl", refresh_minutes: null, data_age_s: null }, "Not asked yet", "warn", ""],
  [{ status: "disabled", last_error: REFUSED }, "Off", "off", ""],
])("%j is %s", (more, word, health, still) => {
  const one = feed(more);
  expect({ word: stateOf(one), health: healthOf(one), still: stillOf(one, now) }).toEqual({
    word,
    health,
    still,
  });
});

test("nothing that is not as it should be is called healthy", () => {
  for (const status of ["ok", "stale", "never", "disabled", "error", "timeout", "refused", "gone"])
    for (const error of [null, REFUSED]) {
      const one = feed({ status, last_error: error });
      expect(stateOf(one) === "Healthy", `${status} ${error}`).toBe(healthOf(one) === "good");
      expect(isBehind(one)).toBe(status === "ok" && error !== null);
    }
});
