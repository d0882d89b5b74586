// Loaded into the service: tells its parent how long its event loop was busy at the longest, without a turn, since it was
// last asked. What counts is the thread's processor time between two turns: on a busy machine the clock would count the
// turns of other processes as well.
let last = process.threadCpuUsage();
let longestMs = 0;

const tick = (): void => {
  const now = process.threadCpuUsage();
  longestMs = Math.max(longestMs, (now.user + now.system - last.user - last.system) / 1000);
  last = now;
};

// Due every millisecond, so that a gap is what kept it from its turn.
setInterval(tick, 1).unref();

process.on("message", (message) => {
  if (message !== "pause") return;
  tick();
  process.send?.({ pauseMs: longestMs });
  longestMs = 0;
});
// Messages do not keep the process alive.
process.channel?.unref();
