import { defineCommand } from "./command.ts";

const NO_START = "`repute serve` will not start";

/** `repute config`. What stands in it and will not work as it stands is said on standard error. */
export const command = defineCommand({
  help: { examples: ["repute config"], page: "configuration.md" },
  run: async (_invocation, context) => {
    const { printableConfig } = await import("../config/config.ts");
    const { readSwitchesCopy } = await import("../app/engine-switches.ts");
    const { faultsIn, namelessIn } = await import("./config-faults.ts");
    const inForce = await context.config();
    const switches = readSwitchesCopy(inForce.dataDir);
    context.print(printableConfig(inForce, switches).trimEnd());
    for (const sentence of namelessIn(inForce, switches)) context.warn(`warning: ${sentence}`);
    for (const { message } of faultsIn(inForce)) context.warn(`warning: ${message}; ${NO_START}`);
    return 0;
  },
});
