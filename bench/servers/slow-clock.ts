import { isMainThread } from "node:worker_threads";

/*
 * Loaded before a service that runs under callgrind: from SIGUSR2 on its clocks go as slowly as its calls. Else what is
 * done once a second would be counted for a fiftieth of the calls that it serves.
 */
const SLOWDOWN = 50;

if (isMainThread) {
  process.once("SIGUSR2", () => {
    slow(Date);
    slow(performance);
  });
}

function slow(clock: { now: () => number }): void {
  const now = clock.now.bind(clock);
  const from = now();
  const whole = Number.isInteger(from);
  clock.now = () => {
    const slowed = from + (now() - from) / SLOWDOWN;
    return whole ? Math.floor(slowed) : slowed;
  };
}
