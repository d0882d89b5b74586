import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { consultationOf } from "../../../test/verdicts.ts";
import { reportBlacklists } from "../../engines/report.ts";
import { mailHostsOf } from "./facts.ts";
import { renderEmailReport } from "./terminal.ts";

const plain = (text: string): string => text;
const STYLE = { width: 120, bold: plain, dim: plain, good: plain, warn: plain, bad: plain };

/** What the terminal says of how mail goes to an example's address, changed by these members. */
function mailOf(change: object): string {
  const file = new URL("../../http/examples/email-reputation.json", import.meta.url);
  const { data } = JSON.parse(readFileSync(file, "utf8"));
  const blacklists = reportBlacklists(consultationOf({}), "x");
  const text = renderEmailReport({ ...data, ...change, blacklists }, STYLE, "standard");
  return text.slice(text.indexOf("\nMail\n")).replace(/ +/g, " ");
}

describe("what a mail server said of the mailbox", () => {
  const smtp = (outcome: string, code: number | null) => ({
    mx_status: "ok",
    smtp: { checked: true, outcome, is_catch_all: null, code },
  });
  test.each([
    ["deliverable", 250, "its server takes mail for it (250)"],
    ["undeliverable", 550, "its server says that it does not exist (550)"],
    ["catch_all", 250, "its server takes mail for any address, so it may not exist (250)"],
    ["greylisted", 451, "its server puts it off, so whether it exists is not known (451)"],
    ["unknown", 554, "its server did not say whether it exists (554)"],
    ["unknown", null, "its server did not say whether it exists\n"],
  ])("as %s with code %s is shown", (outcome, code, words) => {
    expect(mailOf(smtp(outcome, code))).toContain(`Mailbox ${words}`);
  });

  test.each([
    { mx_status: "ok", smtp: { checked: false } },
    { ...smtp("unknown", null), mx_status: "null_mx" },
    { ...smtp("unknown", null), mx_status: "nxdomain" },
  ])("is nothing where none was asked: %j", (change) => expect(mailOf(change)).not.toContain("Mailbox"));
});

test.each([
  ["implicit_a", "mail goes to the domain's own address"],
  ["null_mx", "takes no mail (null MX)"],
  ["nxdomain", "does not exist"],
  ["timeout", "unknown: DNS did not answer in time"],
])("a domain without mail hosts, %s, is described", (mxStatus, words) => {
  expect(mailOf({ mx_status: mxStatus, mx_hosts: [] })).toContain(words);
});

describe("mailHostsOf()", () => {
  const host = (name: string, ips: readonly string[], isKnown = true) => ({
    host: name,
    priority: 10,
    ips: [...ips],
    detections: 0,
    isKnown,
  });
  test.each([
    ["ok", [host("a.example", ["192.0.2.1"]), host("b.example", ["192.0.2.2"])], ["a.example", "b.example"]],
    ["ok", [host("gone.example", []), host("b.example", ["192.0.2.2"])], ["b.example"]],
    ["ok", [host("silent.example", [], false)], ["silent.example"]],
    ["none", [host("192.0.2.7", [])], []],
    ["null_mx", [], []],
    ["nxdomain", [], []],
    ["implicit_a", [], ["firm.example"]],
  ] as const)("of status %s asks those that take mail", (status, hosts, asked) => {
    expect(mailHostsOf("firm.example", { status, hosts })).toEqual(asked);
  });
});
