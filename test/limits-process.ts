import { expect } from "vitest";
import { type Clock, systemRandom } from "../src/base/clock.ts";
import { createLog } from "../src/base/log.ts";
import { createFreeLimits } from "../src/metering/limits/free.ts";
import { createMemoryLimits } from "../src/metering/limits/in-process.ts";
import { createSharedLimits } from "../src/metering/limits/shared.ts";
import type { Valkey } from "../src/metering/limits/valkey.ts";
import { createStoppedClock } from "./servers/dns-client.ts";
import type { TestValkey } from "./valkey.ts";

/** The limits of a process on a connection to the server, and what it logs. */
export async function share(valkey: Valkey, clock: Clock) {
  const own = { limits: createMemoryLimits({ clock }), freeLimits: createFreeLimits({ clock }) };
  const lines: string[] = [];
  const log = createLog({ level: "info", destination: { write: (line) => void lines.push(line) } });
  const shared = createSharedLimits({ valkey, own, clock, random: systemRandom, log });
  await shared.whenKnown;
  const warnings = () => lines.filter((line) => line.includes('"level":"warn"')).length;
  return { ...shared, warnings, logged: () => lines.join("") };
}

/** One process of several: a connection of its own, and a clock that moves with the server's. */
export async function startProcess(place: TestValkey) {
  const clock = createStoppedClock();
  const shared = await share(await place.connect(), clock);
  expect(shared.areShared()).toBe(true);
  // In steps: leases are renewed under way, on the same connection as what is asked next.
  const advance = async (ms: number): Promise<void> => {
    for (let left = ms; left > 0; left -= 500) {
      clock.advance(Math.min(left, 500));
      await place.setTime(clock.monotonicMs());
      await new Promise(setImmediate);
    }
  };
  return { ...shared, store: shared.limits, advance };
}
