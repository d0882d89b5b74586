import type { EngineDefinition } from "../engines/definitions.ts";
import { type FlagList, flagOfCategory } from "../enrichment/ip/networks.ts";

/**
 * Engines whose category is a flag of an address as well: a list of open proxies sets `is_proxy`. Also those that are off: an
 * owner may switch them on, and what is off is in no index.
 */
export const flagListsOf = (definitions: readonly EngineDefinition[]): FlagList[] =>
  definitions.flatMap(({ engine }) => {
    const flag = flagOfCategory(engine.category);
    if (flag === null || engine.kind !== "feed" || engine.target !== "ip") return [];
    const { key, builtin, refreshMinutes, provider } = engine;
    return [{ key, flag, builtin, refreshMinutes, provider }];
  });
