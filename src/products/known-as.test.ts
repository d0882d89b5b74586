import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { consultationOf } from "../../test/verdicts.ts";
import { reportBlacklists } from "../engines/report.ts";
import { renderIpReport } from "./check-ip/terminal.ts";
import { renderDomainReport } from "./domain-reputation/terminal.ts";

const plain = (text: string): string => text;
const STYLE = { width: 80, bold: plain, dim: plain, good: plain, warn: plain, bad: plain };

const RENDER = { "check-ip": renderIpReport, "domain-reputation": renderDomainReport };

/** What the terminal says of an example's answer, changed by `change`, behind "Known as". */
function knownAs(product: keyof typeof RENDER, change: (data: Record<string, object>) => object): string {
  const file = new URL(`../http/examples/${product}.json`, import.meta.url);
  const { data } = JSON.parse(readFileSync(file, "utf8"));
  const blacklists = reportBlacklists(consultationOf({}), "x");
  const text = RENDER[product](Object({ ...change(data), blacklists }), STYLE, "standard");
  return /Known as +(.*(?:\n {15}.*)*)/.exec(text)?.[1]?.replace(/\s+/g, " ") ?? "no such line";
}

describe("an address", () => {
  const none = { special_purpose: null, is_public_dns: false };
  const unnamed = { ...none, related_service_name: "", cloud_provider: "", edge_service: "" };
  const asked = (unknown: readonly string[], provider: string | null = null) =>
    knownAs("check-ip", (data) => ({
      ...data,
      information: { ...data["information"], ...unnamed },
      anonymity: { ...data["anonymity"], provider },
      unknown_fields: unknown,
    }));

  test.each([
    [[], "no known operator"],
    [["information.reverse_dns"], "no known operator"],
    [["information.edge_service"], "unknown"],
    [["information.related_service_name", "information.cloud_provider"], "unknown"],
  ])("that no list names, with %j unknown: %s", (unknown, words) => expect(asked(unknown)).toBe(words));

  test("of a VPN is known by its brand", () => expect(asked([], "NordVPN")).toBe("NordVPN"));
});

describe("a domain", () => {
  const facts = { in_top_list: false, is_parked: false, is_dynamic_dns: false, is_free_hosting: false };
  const more = { is_url_shortener: false, is_disposable_email: false, is_sinkholed: false };
  const looks = { is_homoglyph: false, is_lookalike: false, is_brand_related: false };
  const asked = (changed: object, unknown: readonly string[] = [], whois: object = {}) =>
    knownAs("domain-reputation", (data) => ({
      ...data,
      facts: { ...data["facts"], ...facts, ...more, ...looks, ...changed },
      whois: { ...data["whois"], ...whois },
      unknown_fields: unknown,
    }));

  test.each<[facts: object, unknown: string[], words: string]>([
    [{}, [], "no known role"],
    [{ in_top_list: true, is_parked: true, parked_by: "Sedo" }, [], "on the top list, parked (Sedo)"],
    [{}, ["facts.is_parked", "dns.a"], "no known role; unknown: parked"],
    [{ is_dynamic_dns: true }, ["facts.in_top_list"], "dynamic DNS; unknown: on the top list"],
  ])("with %j, unknown %j: %s", (changed, unknown, words) => expect(asked(changed, unknown)).toBe(words));

  test.each([
    ["is not registered", { registered: false, lookup_status: "not_found" }],
    ["has a registry that gave no answer", { registered: null, lookup_status: "error" }],
  ])("that %s is known all the same", (_why, whois) => {
    expect(asked({ is_dynamic_dns: true }, [], whois)).toBe("dynamic DNS");
  });
});
