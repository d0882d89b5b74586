import type { EngineDefinition } from "./definitions.ts";
import type { EnginesOptions } from "./options.ts";

/** What `enable`, `disable` and `keys` name and no engine is called or takes: nearly always a slip. One sentence each. */
export function unknownEngines(
  { enable, disable, keys }: Pick<EnginesOptions, "enable" | "disable" | "keys">,
  definitions: readonly EngineDefinition[],
): readonly string[] {
  const known = new Set(definitions.map(({ engine }) => engine.key));
  const taken = new Set(definitions.flatMap(({ auth }) => auth?.key ?? []));
  const names = [...taken].sort().join(", ");
  return [
    ...Object.entries({ enable, disable }).flatMap(([name, asked]) =>
      asked
        .filter((key) => !known.has(key))
        .map(
          (key) => `engines.${name}: no engine has the key "${key}"; \`repute engines list\` names them all`,
        ),
    ),
    ...Object.keys(keys)
      .filter((name) => !taken.has(name))
      .map(
        (name) => `engines.keys: no engine takes a key of the name "${name}"; there are ${names || "none"}`,
      ),
  ];
}
