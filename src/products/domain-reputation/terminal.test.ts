import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { consultationOf } from "../../../test/verdicts.ts";
import { reportBlacklists } from "../../engines/report.ts";
import { renderDomainReport } from "./terminal.ts";

const plain = (text: string): string => text;
const STYLE = { width: 80, bold: plain, dim: plain, good: plain, warn: plain, bad: plain };

/** What the terminal says of an example's registration, changed by these members, at noon of 2026-11-28. */
function registrationOf(whois: object): string[] {
  const file = new URL("../../http/examples/domain-reputation.json", import.meta.url);
  const { data } = JSON.parse(readFileSync(file, "utf8"));
  const report = {
    ...data,
    whois: { ...data.whois, lookup_status: "ok", registered: true, status: [], ...whois },
    freshness: { ...data.freshness, computed_at: "2026-11-28T12:00:00Z" },
    blacklists: reportBlacklists(consultationOf({}), "x"),
  };
  const lines = renderDomainReport(report, STYLE, "standard").split("\n");
  const start = lines.indexOf("Registration") + 1;
  return lines.slice(start, lines.indexOf("", start)).map((line) => line.trim().replace(/\s+/g, " "));
}

describe("the registration at a terminal", () => {
  test.each([
    ["2026-11-08T12:00:00Z", "Expired 2026-11-08, 20 days ago"],
    ["2026-11-27T12:00:00Z", "Expired 2026-11-27, 1 day ago"],
    ["2026-11-28T11:59:59Z", "Expired 2026-11-28, less than a day ago"],
    ["2026-11-28T12:00:01Z", "Expires 2026-11-28"],
    ["2027-11-28T12:00:00Z", "Expires 2027-11-28"],
    [null, "Expires none"],
  ])("that ends at %s: %s", (expirationDate, line) => {
    expect(registrationOf({ expiration_date: expirationDate })).toContain(line);
  });

  test.each([
    [["clientHold"], "Status clientHold"],
    [["pendingDelete", "redemptionPeriod"], "Status pendingDelete, redemptionPeriod"],
  ])("of status %j", (status, line) => expect(registrationOf({ status })).toContain(line));

  test("of no status that is known says nothing of it", () => {
    expect(registrationOf({}).join()).not.toMatch(/Status/);
  });

  test.each([
    [["reserved"], "Registered no (reserved)"],
    [[], "Registered no"],
  ])("of a name that has none, and status %j", (status, line) => {
    expect(registrationOf({ status, registered: false, lookup_status: "not_found" })).toContain(line);
  });
});
