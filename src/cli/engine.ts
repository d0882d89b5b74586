import { createHook } from "node:async_hooks";
import { setFlagsFromString } from "node:v8";

/** What a service that runs for months asks of the JavaScript engine, before anything else. */
export function prepareEngine(): void {
  // A full garbage collection when what outlives calls has doubled. Under steady load the engine's own choice is after
  // a tenth more, which is every few seconds.
  setFlagsFromString("--heap-growing-percent=100");
  // No middle compiler: its code for what is hot is slower than the last one's, which then sets in later.
  setFlagsFromString("--no-maglev");
  keepTickShape();
}

/** One is never let go. */
const ticks: object[] = [];

/**
 * Keeps one of the objects that `process.nextTick` makes. Where none is left when garbage is collected, the engine
 * forgets their shape, and from then on Node builds each of them the slow way: a call makes five.
 */
function keepTickShape(): void {
  const hook = createHook({
    trackPromises: false,
    init: (_id, type, _trigger, resource) => {
      if (type === "TickObject") ticks.push(resource);
    },
  });
  hook.enable();
  process.nextTick(() => undefined);
  hook.disable();
}
