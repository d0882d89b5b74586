// Loaded into servers where there is no /proc: tells its parent how much processor time was used.
process.on("message", (message) => {
  if (message !== "cpu") return;
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuS: (user + system) / 1e6 });
});
// The end of messages is not awaited.
process.channel?.unref();
