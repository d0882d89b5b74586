import type { Listings, ListState } from "../blocklist-index/types.ts";
import type { EngineDefinition } from "../engines/definitions.ts";
import { absenceOf, ageOf, OWN_LIST_FAILED } from "../engines/feed.ts";
import type { FeedDefinition } from "../feeds/feed.ts";

/** A list that cannot answer, and why. */
export type ListInError = { readonly key: string; readonly detail: string };

type Installed = {
  readonly feeds: () => readonly FeedDefinition[];
  readonly definitions: () => readonly EngineDefinition[];
};

/**
 * Lists that should answer and are left out of verdicts: they cannot be used, or are too old. A built-in list that was never
 * retrieved is no error: many machines have no way to some publishers. Everybody may read this, so that it does not say what is
 * wrong with the operator's own lists.
 */
export function listsInError(
  { feeds, definitions }: Installed,
  { lists }: Pick<Listings, "lists">,
  now: Date,
): readonly ListInError[] {
  const isOwn = new Map(feeds().map(({ key, builtin }) => [key, !builtin]));
  const engines = new Map(definitions().map((definition) => [definition.engine.key, definition]));
  return lists.flatMap((state): ListInError[] => {
    const { key, loaded, lastError, fault } = state;
    if (loaded) {
      const detail = expiryOf(state, engines.get(key) ?? null, now);
      return detail === null ? [] : [{ key, detail }];
    }
    const own = isOwn.get(key) === true;
    if ((fault ?? (own ? lastError : null)) === null) return [];
    return [{ key, detail: own ? OWN_LIST_FAILED : (fault ?? "") }];
  });
}

/** Why a list that is loaded gives no verdict: its age. */
function expiryOf(state: ListState, definition: EngineDefinition | null, now: Date): string | null {
  if (definition === null) return null;
  const age = ageOf(state, definition.engine, now.getTime());
  return absenceOf(definition, state, age, now.toISOString())?.detail ?? null;
}
