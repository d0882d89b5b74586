import { expect, test } from "vitest";
import { systemClock } from "../../base/clock.ts";
import { createLog } from "../../base/log.ts";
import { createProgressLog, progressOf } from "./progress.ts";

const feed = (key: string, kind: "web" | "file" = "web") => Object({ key, source: { kind } });
const states = (retrieved: readonly string[]) => ({
  of: (key: string) => (retrieved.includes(key) ? Object({ contentHash: "h" }) : null),
});

test("a shipped copy is no download, counts while there is none, and no file of the operator counts at all", () => {
  const feeds = [feed("a"), feed("b"), feed("c"), feed("own", "file")];
  const shipped = new Set(["a", "b", "own"]);
  expect(progressOf(feeds, states([]), shipped)).toEqual({ loaded: 0, shipped: 2, total: 3 });
  expect(progressOf(feeds, states(["b"]), shipped)).toEqual({ loaded: 1, shipped: 1, total: 3 });
});

test("the log says what answers beside what was downloaded", () => {
  const lines: string[] = [];
  const log = createLog({ level: "info", destination: { write: (line: string) => void lines.push(line) } });
  let now = { loaded: 0, shipped: 3, total: 7 };
  const tell = createProgressLog({ clock: systemClock, log }, () => now);
  tell(true);
  now = { loaded: 2, shipped: 2, total: 7 };
  tell(true);
  now = { loaded: 7, shipped: 0, total: 7 };
  tell(true);
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
    "2 of 7 lists loaded, 2 others answer from their shipped copy",
    "7 of 7 lists loaded",
  ]);
});
