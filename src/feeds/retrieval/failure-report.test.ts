import { expect, test } from "vitest";
import { feed } from "../../../test/feed-world.ts";
import { createLog } from "../../base/log.ts";
import { UNRESOLVED } from "./causes.ts";
import { createFailureReport } from "./failure-report.ts";

function openReport() {
  const lines: string[] = [];
  const clock = { ms: 0 };
  const log = createLog({
    level: "info",
    destination: { write: (line) => void lines.push(JSON.parse(line).msg) },
  });
  const report = createFailureReport({ clock: { monotonicMs: () => clock.ms }, log });
  const list = (key: string) => feed(`https://${key}.example/list`, { key, builtin: true });
  return { report, clock, lines, list };
}

test("equal causes are one line, once, with what comes next", () => {
  const { report, lines, list } = openReport();
  for (const key of ["a", "b", "c"]) report.failed(list(key), UNRESOLVED);
  report.flush(false);
  expect(lines).toEqual([]);
  report.flush(true);
  for (const key of ["a", "b", "c"]) report.failed(list(key), UNRESOLVED);
  report.flush(true);
  expect(lines).toEqual([
    "No list could be downloaded: host names cannot be resolved (3 lists); trying again every 5 minutes",
  ]);
});

test("what fails behind the first line is gathered though nothing is under way: lists become due one by one", () => {
  const { report, clock, lines, list } = openReport();
  for (let second = 0; second < 60; second++) {
    clock.ms = second * 1000;
    report.failed(list(`list-${second}`), UNRESOLVED);
    report.flush(true);
  }
  expect(lines.map((line) => /\((\d+) lists?\)/.exec(line)?.[1])).toEqual(["1", "21", "21"]);
});

test("causes that differ stand side by side, and what failed before a success is told of as some lists", () => {
  const { report, lines, list } = openReport();
  report.succeeded(list("well"), false);
  report.failed(list("a"), UNRESOLVED);
  report.failed(list("b"), "The server answered 503");
  report.failed(list("c"), "The server answered 503");
  report.flush(true);
  expect(lines).toEqual([
    "3 lists could not be downloaded: the server answered 503 (2 lists), host names cannot be resolved (1 list); trying again later",
  ]);
});

test("a failure waits twenty seconds for others, and a list that works again may be told of anew", () => {
  const { report, clock, lines, list } = openReport();
  report.failed(list("a"), "ECONNREFUSED");
  clock.ms = 19_999;
  report.flush(false);
  expect(lines).toEqual([]);
  clock.ms = 20_000;
  report.flush(false);
  report.succeeded(list("a"), true);
  report.failed(list("a"), "ECONNREFUSED");
  report.flush(true);
  expect(lines).toEqual([
    "No list could be downloaded: ECONNREFUSED (1 list); trying again later",
    "A list is updated again",
    "1 list could not be downloaded: ECONNREFUSED (1 list); trying again later",
  ]);
});

test("an own list is told of by itself, at once, and again when something else is wrong with it", () => {
  const { report, lines, list } = openReport();
  const own = { ...list("own"), builtin: false };
  for (const reason of ["It does not exist", "It does not exist", "The file is empty", "It does not exist"])
    report.failed(own, reason);
  report.flush(true);
  expect(lines).toEqual(["Cannot update a list", "Cannot update a list", "Cannot update a list"]);
  report.succeeded(own, true);
  report.succeeded(own, false);
  expect(lines.slice(3)).toEqual(["A list is updated again"]);
});

test("an own list that failed before this process is told of when it still fails, and when it is back", () => {
  const first = openReport();
  first.report.failed({ ...first.list("own"), builtin: false }, "It does not exist");
  const { report, lines, list } = openReport();
  report.succeeded({ ...list("own"), builtin: false }, true);
  report.succeeded(list("shipped"), true);
  expect([first.lines, lines]).toEqual([["Cannot update a list"], ["A list is updated again"]]);
});

test("own lists change nothing of what is said of built-in ones", () => {
  const { report, lines, list } = openReport();
  report.failed({ ...list("own"), builtin: false }, "It does not exist");
  report.succeeded({ ...list("other"), builtin: false }, false);
  report.failed(list("a"), UNRESOLVED);
  report.flush(true);
  expect(lines[1]).toMatch(/^No list could be downloaded/);
});
