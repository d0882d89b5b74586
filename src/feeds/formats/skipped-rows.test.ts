import { describe, expect, test } from "vitest";
import { feed as feedDefinition } from "../../../test/feed-world.ts";
import { feedTextOf } from "../feed-text.ts";
import { loadFeed } from "../load.ts";
import { allFormats } from "./all.ts";
import type { FormatOptions, RawEntry } from "./format.ts";

const rows = (name: string, text: string, options: FormatOptions = {}): readonly RawEntry[] =>
  allFormats
    .filter((format) => format.name === name)
    .flatMap(({ parse }) => [...parse(feedTextOf(Buffer.from(text)), options)]);

describe("no row goes uncounted", () => {
  test.each<{ format: string; text: string; options?: FormatOptions; skipped: string; why: string }>([
    {
      format: "ipsum",
      text: "192.0.2.7 2",
      options: { min_count: 3 },
      skipped: "filtered",
      why: "too few lists",
    },
    {
      format: "csv",
      text: "ip,type\n192.0.2.7,a",
      options: { column: "ip", where: { type: "b" } },
      skipped: "filtered",
      why: "another value in a column",
    },
    {
      format: "csv",
      text: "192.0.2.7",
      options: { where: { "3": "b" } },
      skipped: "no_value",
      why: "a row without the column",
    },
    {
      format: "csv",
      text: "192.0.2.7,3",
      options: { where_min: { "1": 5 } },
      skipped: "filtered",
      why: "a smaller number",
    },
    {
      format: "csv",
      text: "192.0.2.7,x",
      options: { where_min: { "1": 5 } },
      skipped: "no_value",
      why: "no number at all",
    },
    {
      format: "csv",
      text: '192.0.2.7,"1,200"',
      options: { where_min: { "1": 1 } },
      skipped: "no_value",
      why: "digits in groups, which may be decimals",
    },
    {
      format: "csv",
      text: "192.0.2.7,5 of 9",
      options: { where_min: { "1": 1 } },
      skipped: "no_value",
      why: "a number with words",
    },
    { format: "csv", text: ",,", options: { one_line: true }, skipped: "no_value", why: "blank fields" },
    {
      format: "ndjson",
      text: '{"ip":"192.0.2.7","type":"a"}',
      options: { field: "ip", where: { type: "b" } },
      skipped: "filtered",
      why: "another value in a member",
    },
    {
      format: "ndjson",
      text: '{"ip":"192.0.2.7"}',
      options: { field: "ip", where: { type: "b" } },
      skipped: "no_value",
      why: "an object without the member",
    },
    {
      format: "ndjson",
      text: '{"ip":""}',
      options: { field: "ip" },
      skipped: "no_value",
      why: "a blank text",
    },
    {
      format: "ndjson",
      text: '{"ip":"192.0.2.7"}',
      options: { field: "ip", skip_if_field: "ip" },
      skipped: "no_value",
      why: "an entry that is called a header",
    },
    { format: "json", text: "[[]]", skipped: "no_value", why: "an empty list" },
    {
      format: "json",
      text: '["192.0.2.7"]',
      options: { allow_path: "$[*]" },
      skipped: "filtered",
      why: "a value to be left out",
    },
    { format: "misp_warninglist", text: '{"list":[""]}', skipped: "no_value", why: "a blank text" },
    { format: "adblock", text: "a.example##.ad", skipped: "no_value", why: "a rule about parts of pages" },
    { format: "hosts", text: "127.0.0.1 localhost", skipped: "filtered", why: "a local name" },
    {
      format: "snort_rules",
      text: "alert ip any any -> any any",
      skipped: "no_value",
      why: "a rule of no address",
    },
    { format: "tor_exit_addresses", text: "ExitNode 0011", skipped: "no_value", why: "a relay's name" },
  ])("$format: $why", ({ format, text, options, skipped }) => {
    expect(rows(format, text, options)).toEqual([{ skipped }]);
  });

  test.each([
    ['{"a":[{"ips":["192.0.2.7"]},{"IPs":["192.0.2.8"]}]}', "another name of the member"],
    ['{"a":[{"ips":["192.0.2.7"]},{"ips":null}]}', "a member without a value"],
    ['{"a":[{"ips":["192.0.2.7"]},{"ips":"192.0.2.8"}]}', "a text where a list is wanted"],
    ['{"a":[{"ips":["192.0.2.7"]},"192.0.2.8"]}', "a text where an object is wanted"],
    ['{"a":[{"ips":["192.0.2.7"]},null]}', "null where an object is wanted"],
  ])("json: %s, with %s, has a row without a value", (text) => {
    const found = [{ value: "192.0.2.7" }, { skipped: "no_value" }];
    expect(rows("json", text, { path: "$.a[*].ips[*]" })).toEqual(found);
  });

  test.each([
    ['{"a":[{"ips":["192.0.2.7"]},{"ips":[]},{"ips":{}}]}', "$.a[*].ips[*]"],
    ['{"a":["192.0.2.7"],"version":3,"b":null}', "$.*[*]"],
  ])("json: %s has one row at %s", (text, path) => {
    expect(rows("json", text, { path })).toEqual([{ value: "192.0.2.7" }]);
  });

  test("adblock: an exception", () => {
    const text = "@@||a.example^\n||b.a.example^\n";
    expect(rows("adblock", text)).toEqual([{ excepted: "a.example" }, { skipped: "filtered" }]);
    const feed = {
      format: "adblock",
      target: "domain",
      options: {},
      builtin: false,
      maxEntries: null,
    } as const;
    expect(loadFeed(feedDefinition("", feed), feedTextOf(Buffer.from(text)), null)).toMatchObject({
      entries: 0,
      rows: 2,
      understood: 2,
      dropped: 0,
    });
  });

  test.each([
    ["adblock", "[Adblock Plus 2.0]\n! Title: a\n"],
    ["ndjson", '{"type":"metadata"}\n'],
    ["dshield_block", "Start\tEnd\n"],
  ])("%s has none in %j", (format, text) => {
    expect(rows(format, text, { skip_if_field: "type", field: "ip" })).toEqual([]);
  });
});
