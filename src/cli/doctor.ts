import type { Finding } from "../app/diagnose.ts";
import type { Style } from "../products/product.ts";
import { wrapped } from "../products/terminal.ts";
import { type CliContext, defineCommand, JSON_OPTION } from "./command.ts";
import { withExchange } from "./exchange.ts";
import { failureLine } from "./failure-line.ts";
import { withLookups } from "./lookups.ts";

/** `repute doctor`. Exit status 1 where something is wrong. */
export const command = defineCommand({
  help: { examples: ["repute doctor", "repute doctor --json"], page: "troubleshooting.md" },
  options: [JSON_OPTION],
  run: async ({ has }, context) => {
    const { diagnose } = await import("../app/diagnose.ts");
    const { createLog } = await import("../base/log.ts");
    const config = await context.config();
    // What is wrong stands in the findings.
    const log = createLog({ level: "silent", destination: { write: () => undefined } });
    const parts = { config, clock: context.clock, log };
    const findings = await withExchange(
      context,
      (exchange) =>
        withLookups(
          context,
          async ({ engines, lists }) => {
            await lists.takeOver();
            return diagnose({ ...parts, engines });
          },
          exchange,
        ),
      { isOptional: true },
    ).catch((error: unknown) => diagnose({ ...parts, engines: null, failure: failureLine(error) }));
    if (has("json")) context.printJson(findings);
    else printFindings(findings, context);
    return findings.some(({ state }) => state === "trouble") ? 1 : 0;
  },
});

const WIDTH = 16;

function printFindings(findings: readonly Finding[], { print, style }: CliContext): void {
  for (const finding of findings) print(lineOf(finding, style));
  const troubles = findings.filter(({ state }) => state === "trouble").length;
  print("");
  print(
    troubles === 0
      ? style.good("No trouble found")
      : style.bad(`${troubles} of ${findings.length} checks found trouble`),
  );
}

const WORDS = { ok: "ok", trouble: "trouble", not_checked: "-" } as const;

function lineOf({ check, state, detail, advice }: Finding, style: Style): string {
  const ink = state === "ok" ? style.good : state === "trouble" ? style.bad : style.dim;
  const head = `${check.padEnd(WIDTH)}${WORDS[state].padEnd(9)}`;
  const text = wrapped(head, detail, style.width, WIDTH + 9);
  const painted = text.replace(WORDS[state], ink(WORDS[state]));
  return advice === null
    ? painted
    : `${painted}\n${wrapped(" ".repeat(WIDTH + 9), advice, style.width, WIDTH + 9)}`;
}
