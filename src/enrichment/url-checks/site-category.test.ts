import { expect, test } from "vitest";
import type { NameFlag } from "../classifying-lists.ts";
import { createSiteCategories, type SiteCategory } from "./site-category.ts";

const categories = (...flags: readonly NameFlag[]) =>
  createSiteCategories({ flagsOf: () => new Set(flags), knows: (flag) => flag !== "link_in_bio" });
const setIn = (category: SiteCategory): readonly string[] =>
  Object.entries(category)
    .filter(([, holds]) => holds)
    .map(([name]) => name);

test.each([
  ["www.croxyproxy.com", ["is_anonymizer", "is_risky_category"]],
  ["nordvpn.com", ["is_vpn_provider"]],
  ["a.b.1337x.to", ["is_torrent", "is_risky_category"]],
  ["mega.nz", ["is_file_sharing"]],
  ["gofile.io", ["is_file_sharing", "is_risky_category"]],
  ["www.nulled.to", ["is_risky_category"]],
  ["ipstresser.com", ["is_risky_category"]],
  ["tornado.cash", ["is_risky_category"]],
  ["notmega.nz", []],
  ["mega.nz.shop.example", []],
  ["www.shop.example", []],
  ["localhost", []],
  ["203.0.113.7", []],
])("%s is %j by the tables", (host, expected) => {
  expect(setIn(categories().of(host))).toEqual(expected);
});

test.each([
  ["free_hosting", "is_free_hosting"],
  ["dynamic_dns", "is_free_dynamic_dns"],
  ["url_shortener", "is_url_shortener"],
  ["link_in_bio", "is_link_in_bio"],
] as const)("the flag %s of a list is %s", (flag, field) => {
  expect(setIn(categories(flag).of("www.shop.example"))).toEqual([field]);
});

test("lists that say something else of a name say nothing of its kind", () => {
  expect(setIn(categories("top_list", "free_mail", "parking_ns").of("www.shop.example"))).toEqual([]);
});

test("what no list can answer is named", () => {
  expect(categories().unknown()).toEqual(["is_link_in_bio"]);
});
