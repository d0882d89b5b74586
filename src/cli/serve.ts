import { defineCommand } from "./command.ts";
import { keepRunning } from "./lifetime.ts";
import { createWelcome } from "./welcome.ts";

/** `repute serve`: the HTTP service, until it is told to stop. */
export const command = defineCommand({
  help: {
    examples: ["repute serve", "PORT=9090 REPUTE_DATA_DIR=/var/lib/repute repute serve"],
    page: "install.md",
  },
  run: async (_invocation, context) => {
    const { config: load, clock, print, terminal } = context;
    const config = await load();
    const { createLog } = await import("../base/log.ts");
    const { collectRarely } = await import("../app/collect-rarely.ts");
    const { keepTickShape } = await import("../app/keep-tick-shape.ts");
    const { startService } = await import("../app/start-service.ts");
    keepTickShape();
    collectRarely();
    // What the first start has to say stands in one block behind its log, where a person waits for it.
    const welcome = terminal === null ? null : createWelcome(context);
    const { logLevel: level } = config;
    const log = createLog(welcome === null ? { level } : { level, destination: { write: welcome.writeLog } });
    const tell = welcome === null ? { log, print } : { log, print, welcome: welcome.announce };
    try {
      return await keepRunning(() => startService(config, tell), { log, clock, events: process });
    } finally {
      welcome?.show();
    }
  },
});
