import { expect, test } from "vitest";
import { createMovableClock } from "../../test/movable-clock.ts";
import { watchClock } from "./watch-clock.ts";

const START = new Date("2026-01-01T00:00:00Z");

test("a clock that differs is told once, and once more when it agrees again", async () => {
  const said: string[] = [];
  const tell = (line: unknown) => void said.push(String(line));
  const own = createMovableClock(START);
  const times = [0, 9000, 11_000, 12_000, -86_400_000, 0, 0, -11_000];
  const stop = new AbortController();
  let turn = 0;
  const database = {
    ...createMovableClock(START),
    sleep: async () => {
      turn += 1;
      own.set(new Date(START.getTime() + (times[turn] ?? 0)));
      if (turn === times.length) stop.abort();
    },
  };
  const log = { info: tell, warn: tell };
  await watchClock({ own, database, log }, stop.signal);
  expect(said).toEqual([
    expect.stringContaining("the clock of this machine is 11 s ahead of PostgreSQL's; ages of lists"),
    "The clock of this machine agrees with PostgreSQL's again",
    expect.stringContaining("the clock of this machine is 11 s behind PostgreSQL's"),
  ]);
});
