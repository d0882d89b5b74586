import { defineCommand } from "./command.ts";
import { keepRunning } from "./lifetime.ts";

/** `repute serve`: the HTTP service, until it is told to stop. */
export const serve = defineCommand({
  help: {
    examples: ["repute serve", "PORT=9090 REPUTE_DATA_DIR=/var/lib/repute repute serve"],
    page: "install.md",
  },
  run: async (_invocation, { config: loadConfig, clock, print }) => {
    const config = await loadConfig();
    const { createLog } = await import("../base/log.ts");
    const { startService } = await import("../app/start-service.ts");
    const log = createLog({ level: config.logLevel });
    return keepRunning(() => startService(config, { log, print }), { log, clock, events: process });
  },
});
