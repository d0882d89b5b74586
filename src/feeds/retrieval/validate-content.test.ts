import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { addresses, feed } from "../../../test/feed-world.ts";
import { createListingsBuilder } from "../../blocklist-index/compile-index.ts";
import { openListings } from "../../blocklist-index/open-index.ts";
import { readIp } from "../../targets/ip.ts";
import { LISTED_KINDS } from "../../targets/listed-kinds.ts";
import { compileFeeds } from "../compile.ts";
import type { FeedDefinition } from "../feed.ts";
import { writeContent, writeState } from "../feed-store.ts";
import { feedTextOf } from "../feed-text.ts";
import { allFormats } from "../formats/all.ts";
import type { FeedFormat, FormatOptions } from "../formats/format.ts";
import { NEVER_TRIED } from "../state.ts";
import { judgeContent } from "./validate-content.ts";

const judged = (
  text: string,
  more: Partial<FeedDefinition> = {},
  previous = { entries: 0, isSameDefinition: false },
) => judgeContent(feed("https://lists.test/", more), Buffer.from(text), { previous });

const objects = (count: number, member: string): string =>
  Array.from({ length: count }, (_, i) => `{"${member}":"20.0.0.${i % 256}"}`).join("\n");

describe("judgeContent()", () => {
  test.each<{ text: string; more: Partial<FeedDefinition>; why: string }>([
    { text: '{"ip":"20.0.0.7"}', more: { format: "ndjson", options: { field: "address" } }, why: "field" },
    { text: "20.0.0.7\n", more: { format: "hosts" }, why: "format" },
    { text: "name,ip\na,20.0.0.7\n", more: { format: "csv", options: { column: "name" } }, why: "column" },
    {
      text: '{"a":[{"ip":"20.0.0.7"}],"b":[1]}',
      more: { format: "json", options: { path: "$.b[*]" } },
      why: "path",
    },
    { text: "20.0.0.7\n", more: { format: "plain", target: "domain" }, why: "target" },
    { text: "bad.example\n", more: { format: "plain" }, why: "names in a list of addresses" },
    { text: "64500\n", more: { format: "plain" }, why: "via" },
    { text: "20.0.0.7;a\n", more: { format: "csv" }, why: "delimiter" },
    {
      text: '{"ip":"20.0.0.7"}',
      more: { format: "ndjson", options: { field: "ip", where: { type: "c2" } } },
      why: "where a member that no row has",
    },
    { text: "0.0.0.0/0\n", more: {}, why: "nothing that a list can mean" },
  ])("refuses content of which no row is understood, also where it may be empty: $why", ({ text, more }) => {
    for (const allowEmpty of [false, true]) {
      expect(judged(text, { ...more, allowEmpty })).toEqual({
        state: "rejected",
        reason: expect.stringMatching(/^No row of the list was understood/),
      });
    }
  });

  test.each([
    [["2026-01-02", "2026-03-04", "2025-12-31"], "2026-03-04T00:00:00Z"],
    [["2026-01-02", "soon"], "2026-01-02T00:00:00Z"],
    [["soon"], null],
    [[], null],
  ])("of the dates %j that lines say of a list the newest counts", (dates, publishedAt) => {
    const lines = dates.map((at) => `{"type":"metadata","at":"${at}"}`);
    const options = { field: "ip", skip_if_field: "type", published: "at" };
    const text = [...lines, '{"ip":"20.0.0.7"}'].join("\n");
    const found = judged(text, { format: "ndjson", options });
    expect(found).toMatchObject({
      state: "passed",
      counts: { publishedAt, entries: 1, rows: 1, dropped: 0 },
    });
  });

  test.each<{ text: string; more: Partial<FeedDefinition>; why: string }>([
    { text: "", more: {}, why: "nothing" },
    { text: "# none today\n\n", more: {}, why: "a comment" },
    { text: "ip,type\n", more: { format: "csv", options: { column: "ip" } }, why: "a header" },
    { text: "[]", more: { format: "json" }, why: "no member" },
    {
      text: "20.0.0.7 2\n",
      more: { format: "ipsum", options: { min_count: 3 } },
      why: "rows that are left out",
    },
    {
      text: "ip,type\n20.0.0.7,scan\n",
      more: { format: "csv", options: { column: "ip", where: { type: "c2" } } },
      why: "rows of another kind",
    },
  ])("takes $why for a list without entries only where it may be empty", ({ text, more }) => {
    expect(judged(text, { ...more, allowEmpty: true })).toMatchObject({
      state: "passed",
      counts: { entries: 0 },
    });
    expect(judged(text, more)).toEqual({ state: "rejected", reason: "The list is empty" });
  });

  test.each([
    { text: addresses(90), isSameDefinition: true, state: "rejected", why: "a publisher lost most of it" },
    { text: addresses(90), isSameDefinition: false, state: "passed", why: "another definition wants less" },
    {
      text: `${addresses(90)}\n${"what\n".repeat(110)}`,
      isSameDefinition: false,
      state: "rejected",
      why: "another definition understands less",
    },
    { text: addresses(100), isSameDefinition: true, state: "passed", why: "half is left" },
  ])("of a list of 200: $why", ({ text, isSameDefinition, state }) => {
    expect(judged(text, {}, { entries: 200, isSameDefinition }).state).toBe(state);
  });

  test("takes a list of the operator's that is understood in part, and a built-in one that is understood nearly whole", () => {
    const text = `${objects(3, "ip")}\n${objects(7, "name")}`;
    const more = { format: "ndjson", options: { field: "ip" } };
    expect(judged(text, more)).toMatchObject({ state: "passed", counts: { entries: 3, dropped: 7 } });
    expect(judged(text, { ...more, builtin: true })).toMatchObject({
      state: "rejected",
      reason: "7 of 10 rows were not understood",
    });
  });

  test("refuses a web page wherever it comes from", () => {
    expect(judged("<html>20.0.0.7</html>", { allowEmpty: true })).toMatchObject({ state: "rejected" });
  });
});

/** Values of which each option takes those that its schema allows. */
const OPTION_VALUES: readonly unknown[] = [
  0,
  1,
  "ip",
  "name",
  "1",
  ["ip", "name"],
  [0, 1],
  { ip: "a" },
  { name: "a" },
  { "1": 5 },
  "$[*]",
  "$.list[*]",
  "$.*",
  "asn",
  "dns",
  ";",
  "#",
  true,
  false,
];

const optionsOf = ({ options }: FeedFormat): fc.Arbitrary<FormatOptions> =>
  fc.record(
    Object.fromEntries(
      Object.entries(options).map(([name, schema]) => [name, fc.constantFrom(...valuesOf(schema))]),
    ),
    { requiredKeys: [] },
  );

const valuesOf = (schema: z.core.$ZodType): readonly unknown[] =>
  OPTION_VALUES.filter((value) => z.safeParse(schema, value).success);

const ROWS = [
  "20.0.0.7",
  "20.0.0.0/24 # seen",
  "20.0.0.7:80",
  "20.0.0.7\t3",
  "20.0.0.7,a,7",
  "ip,name,count",
  "64500",
  "bad.example",
  "0.0.0.0 bad.example",
  "||bad.example^",
  "http://bad.example/x",
  "someone@bad.example",
  '{"ip":"20.0.0.7","name":"a"}',
  '{"name":""}',
  '{"list":["20.0.0.7"]}',
  '["20.0.0.7"]',
  "[]",
  "# a comment",
  "",
  "ExitAddress 20.0.0.7 2026-11-20 09:00:00",
  "alert ip any any -> [20.0.0.7] any",
  "20.0.0.0\t20.0.0.255\t24\t9",
  "what is this",
];

const bytesOfList = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  fc.string({ unit: "grapheme", maxLength: 100 }).map((text) => Buffer.from(text)),
  fc.array(fc.constantFrom(...ROWS), { maxLength: 8 }).map((rows) => Buffer.from(rows.join("\n"))),
);

const definitionOf = (format: FeedFormat): fc.Arbitrary<FeedDefinition> =>
  fc
    .record({
      options: optionsOf(format),
      target: fc.constantFrom(...LISTED_KINDS),
      builtin: fc.boolean(),
      allowEmpty: fc.boolean(),
    })
    .map((more) => feed("https://lists.test/", { ...more, format: format.name }));

/** Options by which a list says itself that some of its rows are not meant. */
const LEAVING_OUT = ["where", "where_min", "min_count", "max_count", "allow_path", "skip_if_field"];

/** Whether a text holds nothing for anybody: blank, comments, an empty document, or a header and no more. */
function isWithoutRows(text: string, { format }: FeedDefinition): boolean {
  const lines = text.split(/\r\n|\r|\n/).map((line) => line.trim());
  const rows = lines.filter((line) => line !== "" && !/^(#|;|\/\/|!|\[adblock|start\b)/i.test(line));
  const isDocument = format === "json" || format === "misp_warninglist";
  if (isDocument)
    return /^\s*(\[\s*\]|\{\s*\}|null|\{"list":\[\]\})\s*$/.test(
      text
        .replace(/^\uFEFF/, "")
        .trimStart()
        .split("\n")[0] ?? "",
    );
  return rows.length <= (format === "csv" || format === "abusech_csv" ? 1 : 0);
}

describe.each(allFormats.map((format) => [format.name, format] as const))(
  "of the format %s",
  (name, format) => {
    let dir = "";
    beforeAll(() => {
      dir = mkdtempSync(join(tmpdir(), "judge-"));
      writeFileSync(join(dir, "manifest.yaml"), "[]");
    });
    afterAll(() => rmSync(dir, { recursive: true, force: true }));

    test("no content of which no row is understood passes, whatever its bytes and its definition", () => {
      fc.assert(
        fc.property(bytesOfList, definitionOf(format), (bytes, definition) => {
          const outcome = judgeContent(definition, bytes);
          if (outcome.state === "rejected") return;
          const { entries, rows, understood } = outcome.counts;
          if (entries > 0) return;
          expect({ rows, understood, allowEmpty: definition.allowEmpty }).toMatchObject({ allowEmpty: true });
          expect(rows === 0 || understood > 0).toBe(true);
          const mayLeaveOut =
            name === "adblock" ||
            name === "hosts" ||
            LEAVING_OUT.some((option) => option in definition.options);
          if (!mayLeaveOut) expect(isWithoutRows(feedTextOf(bytes).text(), definition)).toBe(true);
        }),
        { numRuns: 500 },
      );
    });

    test("content that another definition accepted answers by today's only if it passes, and else not at all", async () => {
      await fc.assert(
        fc.asyncProperty(
          bytesOfList,
          definitionOf(format),
          fc.nat(1000),
          async (bytes, definition, entries) => {
            const contentHash = await writeContent(dir, "mine", bytes);
            const at = "2026-11-21T09:00:00Z";
            const times = { retrievedAt: at, changedAt: at, lastAttempt: at };
            await writeState(dir, "mine", {
              ...NEVER_TRIED,
              ...times,
              definitionHash: "another",
              contentHash,
              entries,
            });
            const outFile = join(dir, "out.snapshot");
            const builder = createListingsBuilder();
            await compileFeeds({ feeds: [definition], builder, seedDir: dir, keptDir: dir, outFile });
            const listings = openListings(outFile);
            const state = listings?.lists[0];
            const previous = { entries, isSameDefinition: false };
            const outcome = judgeContent(definition, bytes, { previous });
            const isPassed = outcome.state === "passed";
            expect(state).toMatchObject({ loaded: isPassed, entries: isPassed ? outcome.counts.entries : 0 });
            expect(state?.fault ?? null).toBe(isPassed ? null : outcome.reason);
            expect(state?.lastError).toBe(state?.fault);
            const address = readIp("20.0.0.7");
            if (!isPassed && address?.version === "v4") expect(listings?.findIpv4(address.value)).toEqual([]);
            expect(isPassed || listings?.findName("bad.example").length === 0).toBe(true);
          },
        ),
        { numRuns: 12 },
      );
    });
  },
);
