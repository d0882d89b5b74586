import { readFileSync } from "node:fs";
import { renderToString } from "react-dom/server";
import { describe, expect, test } from "vitest";
import type {
  CheckIpReport,
  DnsLookupReport,
  DomainReport,
  EmailReport,
  UrlReport,
  WhoisDomainReport,
} from "../api/types.gen.ts";
import { emailSentence } from "./email-report.tsx";
import { type ProductReport, Report } from "./report.tsx";

/** An answer of the service, as its OpenAPI document shows it. */
const recorded = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../src/http/examples/${name}.json`, import.meta.url), "utf8")).data;

const ip: CheckIpReport = recorded("check-ip");
const domain: DomainReport = recorded("domain-reputation");
const url: UrlReport = recorded("url-reputation");
const email: EmailReport = recorded("email-reputation");
const dns: DnsLookupReport = recorded("dns-lookup");
const whois: WhoisDomainReport = recorded("whois-lookup");

const ALL: readonly ProductReport[] = [
  { word: "ip", report: ip },
  { word: "domain", report: domain },
  { word: "url", report: url },
  { word: "email", report: email },
  { word: "dns", report: dns },
  { word: "whois", report: whois },
];

const htmlOf = (props: ProductReport): string => renderToString(<Report {...props} />);
/** What a person reads, without markup. */
const textOf = (props: ProductReport): string =>
  htmlOf(props)
    .replace(/<!-- -->/g, "")
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ");

const HOSTILE = "<script>alert(1)</script>\u202e\u2066\u0007";

/** Every text of a report replaced by something hostile, but for words and dates that the interface defines. */
function hostile<T>(report: T): T {
  return JSON.parse(
    JSON.stringify(report, (key, value: unknown) =>
      typeof value === "string" && TEXTS.test(key) ? HOSTILE : value,
    ),
  );
}

const TEXTS =
  /^(name|reason|title|description|registrar|registrant_\w+|organization|isp|org|asname|reverse_dns|value|record|url|final_url|location|host|detail|message|city_name|country_name|region_name|server|target|exchange|address|username|normalized_email)$/;

describe.each(ALL)("the report of $word", (props) => {
  test("has no inline style, which the policy of the pages forbids", () => {
    expect(htmlOf(props)).not.toMatch(/ style="/);
  });

  test("shows texts of others as text, without signs that turn the direction of writing", () => {
    const html = renderToString(<Report {...hostile(props)} />);
    expect(html).not.toMatch(/<script/);
    expect(html).not.toMatch(/[\u202a-\u202e\u2066-\u2069]|\p{Cc}/u);
    expect(html).toContain("&lt;script&gt;");
  });

  test("links nowhere but to reports and to pages of the web", () => {
    const targets = [...htmlOf(props).matchAll(/href="([^"]*)"/g)].map(([, target = ""]) => target);
    expect(targets.filter((target) => !/^(\/tools\/|https?:\/\/)/.test(target))).toEqual([]);
  });
});

describe("the verdict", () => {
  test("is a sign, a word and a number", () => {
    const html = htmlOf({ word: "url", report: url });
    expect(html).toMatch(/aria-label="Verdict".*<svg.*<strong>Low<\/strong>.*10/s);
  });

  test("of unknown says what is missing", () => {
    const report: CheckIpReport = {
      ...ip,
      risk_score: { ...ip.risk_score, verdict: "unknown" },
      blacklists: { ...ip.blacklists, engines_total: 41 },
    };
    expect(textOf({ word: "ip", report })).toContain(
      "1 of 41 engines answered with fresh data. Nothing listed it, but that is not enough to say clean.",
    );
  });

  test("has a bar whose segments are the factors, cut back by adjustments", () => {
    const report: CheckIpReport = {
      ...ip,
      risk_score: {
        ...ip.risk_score,
        result: 9,
        base: 55,
        verdict: "low",
        factors: [
          { key: "attack", points: 31, reason: "Listed for attacks", strength: 0.4, engines: ["my_list"] },
          { key: "tor", points: 24, reason: "Current Tor exit", strength: 0.3, engines: [] },
        ],
        adjustments: [{ key: "allowlisted", points: -46, reason: "On an allowlist" }],
      },
    };
    const html = htmlOf({ word: "ip", report });
    const segments = [...html.matchAll(/score-bar-segment-\d" x="([\d.]+)" width="([\d.]+)"/g)];
    expect(segments.map(([, x, width]) => [Number(x), Number(width)])).toEqual([
      [0, 30.7],
      [31, 24],
    ]);
    expect(html).toMatch(/score-bar-cut" x="9" width="46"/);
    expect(textOf({ word: "ip", report })).toContain("−46 On an allowlist");
  });
});

test("six reasons have six shades, and each has that of its part of the bar", () => {
  const factors = ["a", "b", "c", "d", "e", "f", "g"].map((key) => {
    return { key, points: 10, reason: key, strength: 0.1, engines: [] };
  });
  const report: CheckIpReport = { ...ip, risk_score: { ...ip.risk_score, result: 70, base: 70, factors } };
  const html = htmlOf({ word: "ip", report });
  const shades = (mark: string) =>
    [...html.matchAll(new RegExp(`"${mark} score-bar-segment-(\\d)"`, "g"))].map(([, shade]) => shade);
  expect(shades("score-bar-segment")).toEqual(["0", "1", "2", "3", "4", "5", "0"]);
  expect(shades("legend-mark")).toEqual(shades("score-bar-segment").slice(0, 6));
});

test("an engine that did not answer stands in a group of its own, with the reason", () => {
  const silent = {
    key: "a",
    name: "Silent list",
    status: "timeout",
    since: "2026-11-21T09:00:00Z",
    detail: "No answer",
  } as const;
  const report: CheckIpReport = { ...ip, blacklists: { ...ip.blacklists, engines_unavailable: [silent] } };
  expect(textOf({ word: "ip", report })).toMatch(
    /Listed 0 None\. Did not answer 1 Silent list timeout: No answer for \d+ \w+ Not listed 1 My list/,
  );
});

test("what is not known is said, never left empty", () => {
  const unrouted: CheckIpReport = { ...ip, asn: { ...ip.asn, route: "" } };
  expect(textOf({ word: "ip", report: unrouted })).toMatch(/Route none/);
  const unasked = { ...unrouted, unknown_fields: ["asn.route"] };
  expect(textOf({ word: "ip", report: unasked })).toMatch(/Route unknown/);
  expect(htmlOf({ word: "ip", report: ip })).not.toMatch(/<dd><\/dd>/);
});

test("a route that several systems announce names them all", () => {
  const origins = ["AS15169", "AS64500"];
  const report: CheckIpReport = { ...ip, asn: { ...ip.asn, origins } };
  expect(textOf({ word: "ip", report })).toMatch(
    /Route 8\.8\.8\.0\/24 announced by AS15169 , AS64500 Registry/,
  );
  expect(textOf({ word: "ip", report: ip })).not.toMatch(/announced by/);
});

test("the way of a URL goes through its hops in order", () => {
  const hop = {
    url: "http://a.example/",
    status: 301,
    location: "https://b.example/",
    type: "http",
    ip: "192.0.2.1",
    tls: null,
    elapsed_ms: 3,
    detections: 1,
    listed_by: [{ key: "my_list", level: "url" as const }],
    allowed_by: [],
    shared_infrastructure: null,
  };
  const redirection = {
    ...url.report.redirection,
    hops: [{ ...hop, type: "http" as const }],
    final_url: "https://b.example/",
  };
  const report: UrlReport = { ...url, report: { ...url.report, redirection } };
  expect(textOf({ word: "url", report })).toMatch(
    /301 http:\/\/a\.example\/ 192\.0\.2\.1 · not encrypted · 3 ms 200 https:\/\/b\.example\/.*redirects to a listed URL \(1 engine\)/,
  );
});

const smtpOf = (outcome: "deliverable" | "greylisted" | "unknown") => ({
  smtp: { checked: true, outcome, is_catch_all: null, code: null },
});

test.each([
  [{}, "Mailbox: its domain takes mail; whether the mailbox exists was not asked."],
  [
    { is_privacy_relay: true, mx_provider: "icloud" },
    "Forwarding alias at icloud: a real mailbox behind it.",
  ],
  [smtpOf("deliverable"), "Mailbox: its server takes mail for it."],
  [smtpOf("greylisted"), "Mailbox: its server puts it off, so whether it exists is not known."],
  [smtpOf("unknown"), "Mailbox: its server did not say whether it exists."],
  [{ ...smtpOf("unknown"), mx_status: "null_mx" }, "Mailbox: its domain says that it takes no mail."],
  [{ is_disposable: true, mx_status: "none" }, "Throwaway mailbox: its domain has no mail server."],
  [
    { is_role_address: true, role: "abuse", mx_status: null },
    "Post rather than a person (abuse): whether its domain takes mail is unknown.",
  ],
  [{ format_error: "no_at" }, "Not a valid address: there is no @ in it."],
] as const)("an e-mail address is told in a sentence: %j", (change, sentence) => {
  expect(emailSentence({ ...email, ...change })).toBe(sentence);
});
