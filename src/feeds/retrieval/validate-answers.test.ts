import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { feed } from "../../../test/feed-world.ts";
import type { FeedDefinition } from "../feed.ts";
import { judge, judgeContent } from "./validate-content.ts";

const judged = (text: string, more: Partial<FeedDefinition>) =>
  judgeContent(feed("https://lists.test/", more), Buffer.from(text));

describe("judgeContent() at a JSON list that is empty", () => {
  test.each([
    ['{"data":[]}', "$.data[*]"],
    ['{"data":{}}', "$.data.*"],
    ['{"data":[{"ips":[]},{"ips":[]}]}', "$.data[*].ips[*]"],
    ['{"data":[]}', "$.data[*].ips[*]"],
  ])("takes %s at %s where it may be empty, and calls it empty elsewhere", (text, path) => {
    const definition = { format: "json", options: { path } };
    expect(judged(text, { ...definition, allowEmpty: true })).toMatchObject({ state: "passed" });
    expect(judged(text, definition)).toEqual({ state: "rejected", reason: "The list is empty" });
  });

  test.each(["code", "status", "status_code", "statusCode"])(
    "takes a list beside a %s that is no word",
    (name) => {
      for (const value of ['{"toString":1}', '{"valueOf":null}', "[404]", "[]"]) {
        const text = `{"${name}":${value},"data":["1.2.3.4"]}`;
        expect(judged(text, { format: "json", options: { path: "$.data[*]" } })).toMatchObject({
          state: "passed",
        });
      }
    },
  );

  test.each([
    ['{"error":"quota"}', "$.data[*]"],
    ['{"data":null}', "$.data[*]"],
    ['{"data":[{"error":"quota"}]}', "$.data[*].ips[*]"],
  ])("refuses %s at %s, which may be empty", (text, path) => {
    const found = judged(text, { format: "json", options: { path }, allowEmpty: true });
    expect(found).toMatchObject({ state: "rejected" });
  });
});

describe("judgeContent() at a JSON document that tells of an error", () => {
  const lists: readonly Partial<FeedDefinition>[] = [
    { format: "json" },
    { format: "json", options: { path: "$.data[*]" } },
    { format: "json", options: { path: "$.*" } },
    { format: "misp_warninglist" },
  ];

  test.each([
    ['{"error":"quota exceeded","data":[],"list":[]}'],
    ['{"error":"quota exceeded","client":"198.51.100.7"}'],
    ['{"errors":[{"code":429}],"data":[],"list":[]}'],
    ['{"error":{"code":429,"message":"198.51.100.7"},"data":{}}'],
    ['{"error":true,"ip":"198.51.100.7","data":null}'],
    ['{"success":false,"data":[],"list":[]}'],
    ['{"code":401,"message":"198.51.100.7","data":[],"list":[]}'],
    ['{"status":"503","ip":"198.51.100.7","data":null}'],
    ['{"statusCode":429,"message":"slow down, 198.51.100.7","list":[]}'],
    ['{"status_code":500,"data":{}}'],
    ['{"ok":false,"ip":"198.51.100.7"}'],
    ['{"status":"error","message":"quota","ip":"198.51.100.7","data":[],"list":[]}'],
  ])("never takes %s for a list, empty or not", (text) => {
    for (const list of lists) {
      expect(judged(text, { ...list, allowEmpty: true })).toMatchObject({ state: "rejected" });
    }
  });

  test.each([
    ['{"error":"quota","data":[],"meta":{"page":1}}', lists[1]],
    [
      '{"errors":[{"message":"quota"}],"data":{"items":[]}}',
      { format: "json", options: { path: "$.data.items[*]" } },
    ],
    ['{"status":"fail","data":[],"links":{"self":"/1"}}', lists[1]],
    ['{"error":"quota","list":[],"matching_attributes":["ip-src"]}', lists[3]],
  ] as const)("takes no empty list of %s, whatever stands beside it", (text, list) => {
    expect(judged(text, { ...list, allowEmpty: true })).toMatchObject({ state: "rejected" });
  });

  test.each([
    ['{"error":null,"data":["198.51.100.7"],"list":["198.51.100.7"]}'],
    ['{"error":"","errors":[],"data":["198.51.100.7"],"list":["198.51.100.7"]}'],
    ['{"errors":0,"success":true,"data":["198.51.100.7"],"list":["198.51.100.7"]}'],
    ['{"code":206,"status":200,"data":["198.51.100.7"],"list":["198.51.100.7"]}'],
    ['{"code":404,"data":["198.51.100.7"],"list":["198.51.100.7"]}'],
    ['{"errors":["a part is late"],"data":["198.51.100.7"],"list":["198.51.100.7"]}'],
  ])("takes the list of %s", (text) => {
    for (const list of [lists[1], lists[3]]) {
      expect(judged(text, list ?? {})).toMatchObject({ state: "passed", counts: { entries: 1 } });
    }
  });

  test.each([
    ['{"code":200,"data":[]}'],
    ['{"status":"4040","data":[]}'],
    ['{"error":null,"data":[]}'],
    ['{"errors":0,"data":[]}'],
    ['{"success":true,"data":[]}'],
  ])("takes %s as empty where it may be", (text) => {
    expect(judged(text, { ...lists[1], allowEmpty: true })).toMatchObject({ state: "passed" });
  });
});

describe("judgeContent() at what a server says in place of a list of URLs", () => {
  test.each([
    "Too many requests",
    "403 Forbidden",
    "error",
    "Service Unavailable: back soon",
    "window.location='https://login.example/';",
  ])("refuses %s", (text) => {
    expect(judged(text, { format: "plain", target: "url" })).toMatchObject({ state: "rejected" });
  });
});

describe("judge()", () => {
  test("says that the disk failed without the names of its folders, and that the list is not to blame", async () => {
    const dir = mkdtempSync(join(tmpdir(), "judge-"));
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
    const path = join(dir, "list");
    writeFileSync(path, "20.0.0.7\n");
    const candidate = {
      key: "mine",
      path,
      isHtmlType: false,
      previous: { entries: 0, isSameDefinition: false },
    };
    const keptDir = join(path, "no-folder");
    expect(await judge(feed("https://lists.test/"), candidate, { keptDir, now: new Date() })).toEqual({
      key: "mine",
      state: "rejected",
      reason: "Cannot keep the list: a file stands where a folder is needed",
      isOurs: true,
    });
  });
});
