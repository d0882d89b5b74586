import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import { PlainReport } from "./plain-report.tsx";

const REPORT = {
  ip: "192.0.2.1",
  message: "Announced by AS64500.",
  network: { as_name: "EXAMPLE", prefixes: 12, is_hosting: true, place: { city: "" } },
  origins: ["AS64500", "AS64501"],
  notes: [{ text: "a" }],
  abuse: null,
  freshness: { data_age_s: 240, stale: false, cached: false, computed_at: "2026-11-21T12:00:00Z" },
  unknown_fields: [] as readonly string[],
  elapsed_ms: 7,
};

/** What a person reads, without markup. */
const textOf = (report: typeof REPORT): string =>
  renderToString(<PlainReport report={report} />)
    .replace(/<!-- -->/g, "")
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ")
    .trim();

test("a report without a form of its own shows its sentence and every member by its name", () => {
  expect(textOf(REPORT)).toBe(
    "Announced by AS64500. data 4 min old Ip 192.0.2.1 Origins AS64500 AS64501 Notes Text a Abuse none " +
      "Network As name EXAMPLE Prefixes 12 Is hosting yes Place City none",
  );
});

test("tells what is not known from what is not there, also within a part", () => {
  const text = textOf({ ...REPORT, unknown_fields: ["abuse", "network.place.city"] });
  expect(text).toContain("Abuse unknown");
  expect(text).toContain("City unknown");
  expect(textOf({ ...REPORT, unknown_fields: ["network"] })).toContain("As name unknown");
});

test("shows texts of others as text", () => {
  const report = { ...REPORT, ip: "<script>\u202e" };
  const html = renderToString(<PlainReport report={report} />);
  expect(html).toContain("&lt;script&gt;");
  expect(html).not.toMatch(/<script|\u202e| style="/);
});
