import type { EngineTrial } from "../app/try-engine.ts";
import { InvalidValue } from "../base/failure.ts";
import { wrapped } from "../products/terminal.ts";
import { type CliContext, defineCommand, JSON_OPTION } from "./command.ts";
import { installedEngines } from "./engines-list.ts";
import { withLookups } from "./lookups.ts";
import { grouped, labelled } from "./table.ts";

/** `repute engines try`: one download or self-test of each engine; changes nothing. */
export const command = defineCommand({
  help: { examples: ["repute engines try blocklist_de_ssh"], page: "operations.md#switching-engines-on" },
  arguments: [{ name: "KEY", summary: "Key of an engine, on or off", isRepeated: true }],
  options: [JSON_OPTION],
  run: async ({ has, repeated }, context) => {
    const keys = [...new Set(repeated("KEY"))];
    if (keys.length === 0) throw new InvalidValue("keys_missing", "Name one engine at least");
    const known = new Set((await installedEngines(context)).map(({ engine }) => engine.key));
    const unknown = keys.find((key) => !known.has(key));
    if (unknown !== undefined) throw new InvalidValue("unknown_key", `There is no engine "${unknown}"`);
    const trials = await withLookups(context, ({ tryEngine }) => Promise.all(keys.map(tryEngine)));
    if (has("json")) context.printJson(trials.map(trialJson));
    else for (const trial of trials) print(trial, context);
    const failures = trials.filter(({ outcome }) => outcome === "failed");
    const [first] = failures;
    if (first === undefined) return 0;
    const why = `${first.engine.key}: ${first.detail ?? "no reason given"}`;
    context.warn(`error: ${failures.length} of ${trials.length} engines gave no answer (${why})`);
    return 1;
  },
});

/** One trial as JSON. */
const trialJson = (trial: EngineTrial) => ({
  key: trial.engine.key,
  outcome: trial.outcome,
  entries: trial.entries,
  dropped: trial.dropped,
  samples: trial.samples,
  detail: trial.detail,
  licence: trial.engine.licence,
  elapsed_ms: trial.elapsedMs,
  engines: { target: trial.engine.target, ...trial.engines },
});

function print(trial: EngineTrial, { print: write, style }: CliContext): void {
  const { engine, entries, dropped, samples, detail, elapsedMs, engines } = trial;
  const { licence } = engine;
  const terms =
    licence === null
      ? "your own list"
      : `${licence.spdx ?? "no SPDX identifier"}, commercial use: ${licence.commercial}, redistribution: ${licence.redistribution}`;
  write(style.bold(engine.name));
  write(
    labelled([
      ["Outcome", `${trial.outcome}, after ${(elapsedMs / 1000).toFixed(1)} s`],
      ...(entries === null
        ? []
        : [["Entries", `${grouped(entries)}, ${grouped(dropped ?? 0)} rows left out`] as const]),
      ...(samples.length === 0
        ? []
        : [["For example", samples.map((text) => text.slice(0, 60)).join("\n             ")] as const]),
      ["Licence", terms],
      ["Engines", `${engines.now} of target ${engine.target} are on; ${engines.then} with it`],
    ]),
  );
  if (detail !== null) write(wrapped("", detail, style.width, 2));
  write("");
}
