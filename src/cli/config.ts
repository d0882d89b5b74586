import { defineCommand } from "./command.ts";

/** `repute config`. */
export const config = defineCommand({
  run: async (_invocation, context) => {
    const { printableConfig } = await import("../config.ts");
    context.print(printableConfig(await context.config()).trimEnd());
    return 0;
  },
});
