import { setFlagsFromString } from "node:v8";
import { defineCommand } from "./command.ts";
import { keepRunning } from "./lifetime.ts";

/** `repute serve`: the HTTP service, until it is told to stop. */
export const serve = defineCommand({
  run: async (_invocation, { config: loadConfig, clock, print }) => {
    // A full garbage collection when what outlives calls has doubled. Under steady load the engine's own choice is after
    // a tenth more, which is every few seconds.
    setFlagsFromString("--heap-growing-percent=100");
    const config = await loadConfig();
    const { createLog } = await import("../log.ts");
    const { startService } = await import("../service.ts");
    const log = createLog({ level: config.logLevel });
    return keepRunning(() => startService(config, { log, print }), { log, clock, events: process });
  },
});
