import type { EngineDefinition } from "../engines/definitions.ts";
import type { ExportOptions } from "./options.ts";

/** What `engines` of exports name and no engine is called: `without` would leave nothing out. One sentence each. */
export function unknownEnginesOfExports(
  exports: readonly Pick<ExportOptions, "engines">[],
  definitions: readonly EngineDefinition[],
): readonly string[] {
  const known = new Set(definitions.map(({ engine }) => engine.key));
  return exports.flatMap(({ engines }, i) =>
    Object.entries(engines).flatMap(([name, keys]) =>
      keys
        .filter((key) => !known.has(key))
        .map((key) => `exports[${i}].engines.${name}: no engine has the key "${key}"; ${WHERE}`),
    ),
  );
}

const WHERE = "`repute engines list` names them all";
