import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Ground } from "./ground.ts";
import { fakeTimeLibrary } from "./needs.ts";

/** A machine's clock that is set: monotonic time goes on as it is. */
export type FakeClock = {
  /** It is off by so many seconds from now on. */
  readonly set: (seconds: number) => void;
  /** What a program is started with to go by it. */
  readonly env: Readonly<Record<string, string>>;
};

/** One that is right at first; `name` is a file of its own in the ground's folder. */
export function createFakeClock(ground: Pick<Ground, "dir">, name = "clock"): FakeClock {
  const file = join(ground.dir, name);
  const set = (seconds: number): void => {
    writeFileSync(`${file}.new`, `${seconds < 0 ? "-" : "+"}${Math.abs(seconds)}s\n`);
    renameSync(`${file}.new`, file);
  };
  set(0);
  return {
    set,
    env: {
      LD_PRELOAD: fakeTimeLibrary() ?? "",
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: "1",
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
      // The older name of the same.
      DONT_FAKE_MONOTONIC: "1",
    },
  };
}
