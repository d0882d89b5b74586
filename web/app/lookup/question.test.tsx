import { expect, test } from "vitest";
import { lookupPath, questionOf } from "./question.ts";

test.each([
  ["ip", { ip: "192.0.2.1" }, "192.0.2.1", "/lookup/ip?q=192.0.2.1"],
  [
    "dns",
    { domain: "example.com", record_type: "MX" },
    "example.com MX",
    "/lookup/dns?q=example.com&types=MX",
  ],
  ["dns", { domain: "example.com", record_type: "ALL" }, "example.com A,MX", "/lookup/dns?q=example.com"],
  // Of a line of a bulk run.
  ["dns", { domain: "example.com" }, "example.com", "/lookup/dns?q=example.com"],
  ["whois", { query: "192.0.2.0/24" }, "192.0.2.0/24", "/lookup/whois?q=192.0.2.0%2F24"],
  // An older spelling of the member.
  ["whois", { domain: "example.com" }, "example.com", "/lookup/whois?q=example.com"],
] as const)("a kept answer to %s is asked for again as it was: %j", (word, body, target, path) => {
  expect(lookupPath(questionOf(word, body, target))).toBe(path);
});
