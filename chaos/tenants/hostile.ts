import { systemClock } from "../../src/base/clock.ts";
import { giveWay } from "./give-way.ts";
import { hostilitiesOf } from "./hostilities.ts";
import type { HostileOrder } from "./words.ts";

/* The hostile callers, a process of their own: begins what it is ordered to, and ends it when it is told anything else. */

giveWay();

let running: { readonly stop: AbortController; readonly done: Promise<void> } | null = null;

const isOrder = (message: unknown): message is HostileOrder =>
  typeof message === "object" && message !== null && "hostility" in message;

process.on("message", async (message) => {
  if (isOrder(message)) {
    tally = new Map();
    const stop = new AbortController();
    const note = (status: string) => void tally.set(status, (tally.get(status) ?? 0) + 1);
    const callers = hostilitiesOf(message, { signal: stop.signal, note });
    running = { stop, done: Promise.all(callers).then(() => undefined) };
    return;
  }
  running?.stop.abort();
  await running?.done;
  // What was hung up has gone out.
  await systemClock.sleep(100);
  process.send?.(Object.fromEntries(tally));
});
process.on("disconnect", () => process.exit());

let tally = new Map<string, number>();
