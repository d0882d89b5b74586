import type { EngineDefinition } from "./definitions.ts";
import { CONFIDENCES } from "./kind.ts";

/** After every engine: lists that only classify. */
const LAST = 100;

/**
 * In which order lists are retrieved that never were, by key: those first that have no seed to answer from,
 * then by confidence, addresses and names before URLs and mailboxes, single lists before collections of others, which
 * are large. Source: sources 4.
 */
export function urgencyOf(definitions: readonly EngineDefinition[]): (key: string) => number {
  const ranks = new Map(definitions.map((definition) => [definition.engine.key, rankOf(definition)]));
  return (key) => ranks.get(key) ?? LAST;
}

function rankOf({ engine, feed }: EngineDefinition): number {
  const { kind, target, confidence, aggregate } = engine;
  const isSeeded = feed !== null && (feed.seed !== null || feed.source.kind === "seed");
  return (
    (kind === "allow" ? 50 : 0) +
    (isSeeded ? 20 : 0) +
    (aggregate ? 10 : 0) +
    CONFIDENCES.indexOf(confidence) * 2 +
    (target === "ip" || target === "domain" ? 0 : 1)
  );
}
