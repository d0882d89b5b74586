import { expect, test } from "vitest";
import { securityText } from "./security-text.ts";

const now = new Date("2026-11-21T12:34:56Z");

test("securityText() has a contact, an end and where it stands", () => {
  expect(
    securityText({ contact: "mailto:security@example.org", publicUrl: "https://repute.example/", now }),
  ).toBe(
    `Contact: mailto:security@example.org
Expires: 2027-05-20T00:00:00.000Z
Preferred-Languages: en
Canonical: https://repute.example/.well-known/security.txt
`,
  );
});

test("securityText() names no place that is not https, which RFC 9116 asks for", () => {
  for (const publicUrl of [null, "http://repute.example"])
    expect(securityText({ contact: "https://example.org/report", publicUrl, now })).not.toContain(
      "Canonical",
    );
});

test("securityText() keeps a contact in one line", () => {
  const contact = "mailto:a@example.org\nExpires: never";
  expect(securityText({ contact, publicUrl: null, now }).split("\n")).toHaveLength(4);
});
