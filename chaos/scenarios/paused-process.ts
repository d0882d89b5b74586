import { systemClock } from "../../src/base/clock.ts";
import { checkStatuses } from "../money.ts";
import type { Scenario } from "../scenario.ts";
import { beginStorm } from "../storm.ts";
import { PAIR_CONNECTIONS, startPair } from "./pair.ts";

/** Longer than a transaction may stand open; in the full form also longer than leases of slots last. */
const PAUSE_MS = { short: 6500, full: 12_000 } as const;

/** One of two processes stands still under load. */
export const pausedProcess: Scenario = {
  name: "paused-process",
  what: "SIGSTOP of one process, perhaps in the middle of a charge: the other goes on, and nothing is charged twice",
  needs: ["linux", "postgres", "valkey"],
  run: async (ground, findings, isShort) => {
    const pair = await startPair(ground);
    const [first, second] = pair.services;
    const storm = pair.storm("both");
    await storm.more(200, 100);
    ground.say("Stopping one process where it stands");
    first.pause();
    const beganMs = performance.now();
    // The callers of the other one: those that wait for the first wait on.
    const others = beginStorm({
      name: "other",
      keys: pair.keys,
      connections: PAIR_CONNECTIONS,
      ports: () => [second.port],
    });
    await others.more(200, 100);
    findings.figure("the other answered 100 after, s", Math.round((performance.now() - beganMs) / 100) / 10);
    await systemClock.sleep(
      Math.max(0, (isShort ? PAUSE_MS.short : PAUSE_MS.full) - (performance.now() - beganMs)),
    );
    ground.say("It goes on");
    first.resume();
    await others.stop();
    await storm.more(200, 100);
    await storm.stop();
    const calls = [...storm.calls, ...others.calls];
    // What stood in the middle of its charge finds its transaction ended: 503, not charged.
    checkStatuses(calls, [200, 429, 503], findings);
    await pair.checkMoney(calls, findings, 0);
  },
};
