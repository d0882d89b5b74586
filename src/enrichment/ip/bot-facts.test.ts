import { describe, expect, test } from "vitest";
import { botFactsOf } from "./bot-facts.ts";
import { crawlerClaimOf } from "./crawlers.ts";

const NO_RANGE = { isVendorBotRange: false, isSearchEngineRange: false };
const GOOGLE_RANGE = { isVendorBotRange: true, isSearchEngineRange: true };
const named = (name: string, confirmed: boolean | null) => ({ name, status: "ok" as const, confirmed });

describe("botFactsOf()", () => {
  test.each([
    ["a confirmed Googlebot", named("crawl-1.googlebot.com", true), NO_RANGE, [true, true, false]],
    ["a confirmed Bingbot", named("msnbot-1.search.msn.com", true), NO_RANGE, [false, true, false]],
    [
      "a claim that does not resolve back",
      named("crawl-1.googlebot.com", false),
      NO_RANGE,
      [false, false, true],
    ],
    [
      "the same inside Google's ranges",
      named("crawl-1.googlebot.com", false),
      GOOGLE_RANGE,
      [true, true, false],
    ],
    [
      "a claim that could not be checked",
      named("crawl-1.googlebot.com", null),
      NO_RANGE,
      [false, false, false],
    ],
    ["an ordinary unconfirmed name", named("host.example", false), NO_RANGE, [false, false, false]],
    [
      "an address in the ranges without a name",
      { name: null, status: "nxdomain" as const, confirmed: false },
      GOOGLE_RANGE,
      [true, true, false],
    ],
    [
      "an address in the ranges whose reverse zone is silent",
      { name: null, status: "timeout" as const, confirmed: null },
      GOOGLE_RANGE,
      [true, true, false],
    ],
  ])("judges %s", (_why, reverse, ranges, expected) => {
    const { is_vendor_bot, is_search_engine_bot, is_fake_bot } = botFactsOf(reverse, ranges).information;
    expect([is_vendor_bot, is_search_engine_bot, is_fake_bot]).toEqual(expected);
  });

  test.each([
    [
      "all crawler flags when DNS was not asked at all",
      { name: null, status: null, confirmed: null },
      NO_RANGE,
      ["reverse_dns", "reverse_dns_confirmed", "is_fake_bot", "is_vendor_bot", "is_search_engine_bot"],
    ],
    ["nothing when all is answered", named("host.example", true), NO_RANGE, []],
    [
      "nothing when there is no name",
      { name: null, status: "nxdomain" as const, confirmed: false },
      NO_RANGE,
      [],
    ],
    [
      "all crawler flags after a time-out",
      { name: null, status: "timeout" as const, confirmed: null },
      NO_RANGE,
      ["reverse_dns", "reverse_dns_confirmed", "is_fake_bot", "is_vendor_bot", "is_search_engine_bot"],
    ],
    [
      "the confirmation alone of an ordinary name",
      named("host.example", null),
      NO_RANGE,
      ["reverse_dns_confirmed"],
    ],
    [
      "no crawler flag inside the ranges",
      { name: null, status: "error" as const, confirmed: null },
      GOOGLE_RANGE,
      ["reverse_dns", "reverse_dns_confirmed"],
    ],
    [
      "the name alone when no server was asked",
      { name: null, status: null, confirmed: false },
      NO_RANGE,
      ["reverse_dns", "reverse_dns_confirmed"],
    ],
  ])("does not know %s", (_why, reverse, ranges, fields) => {
    expect(botFactsOf(reverse, ranges).unknown).toEqual(fields.map((field) => `information.${field}`));
  });
});

describe("crawlerClaimOf()", () => {
  test.each([
    ["crawl-66-249-66-1.googlebot.com", "Google"],
    ["rate-limited-proxy-1.google.com", "Google"],
    ["1-2-3-4.gae.googleusercontent.com", "Google"],
    ["1.2.3.4.bc.googleusercontent.com", undefined],
    ["spider-1.yandex.com", "Yandex"],
    ["17-1-1-1.applebot.apple.com", "Apple"],
    ["mail.apple.com", undefined],
    ["notgooglebot.com", undefined],
    ["googlebot.com.example", undefined],
    ["dns.google", undefined],
  ])("reads %s as a claim of %s", (name, operator) => {
    expect(crawlerClaimOf(name)?.operator).toBe(operator);
  });
});
