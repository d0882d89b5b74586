import type { Listings, ListState } from "../../blocklist-index/types.ts";
import { isOver, type Lifetime, lifetimeOf } from "../../feeds/list-age.ts";

/** A list that classifies: what membership in it says. */
export type ClassifyingList<Flag extends string> = {
  readonly key: string;
  readonly flags: readonly Flag[];
  /** False: the operator's own, asked of bogons too. */
  readonly builtin: boolean;
  readonly refreshMinutes: number;
};

/** One list as it stands in the index. */
export type ListRole<List> = Lifetime & {
  readonly list: List;
  readonly families: ListState["families"];
};

/** The lists of one kind inside an index, and which of them may answer. Ages as in design 3.4. */
export type ListRoles<Flag extends string, List extends ClassifyingList<Flag>> = {
  /** By the index's list number; null for lists of another kind. */
  readonly of: (listings: Listings) => readonly (ListRole<List> | null)[];
  readonly answers: (role: ListRole<List> | null | undefined, nowMs: number) => role is ListRole<List>;
  /** Keys of lists that cannot answer: no content, or too old. */
  readonly missing: (listings: Listings, nowMs: number) => readonly string[];
  /**
   * Flags of which every list can answer: only then is no hit a no (design 1.5). With a family, lists that are known
   * to hold none of its addresses do not count.
   */
  readonly knownFlags: (listings: Listings, nowMs: number, family?: Family) => ReadonlySet<Flag>;
};

type Family = ListState["families"][number];

/** Roles are made anew only when the index, or the state of a list in it, is another. */
export function createListRoles<Flag extends string, List extends ClassifyingList<Flag>>(
  lists: readonly List[],
): ListRoles<Flag, List> {
  const byKey = new Map(lists.map((list) => [list.key, list]));
  let seen: Listings | null = null;
  let roles: readonly (ListRole<List> | null)[] = [];
  const of = (listings: Listings) => {
    if (listings !== seen) {
      seen = listings;
      roles = listings.lists.map((state) => roleOf(state, byKey.get(state.key)));
    }
    return roles;
  };
  const answers = (role: ListRole<List> | null | undefined, nowMs: number): role is ListRole<List> =>
    role != null && !isOver(role, nowMs);
  const silent = (listings: Listings, nowMs: number): readonly List[] => {
    const alive = new Set(of(listings).flatMap((role) => (answers(role, nowMs) ? [role.list.key] : [])));
    return lists.filter(({ key }) => !alive.has(key));
  };
  return {
    of,
    answers,
    missing: (listings, nowMs) => silent(listings, nowMs).map(({ key }) => key),
    knownFlags: (listings, nowMs, family) => {
      const unfit = new Set(
        of(listings).flatMap((role) =>
          role !== null && family !== undefined && !role.families.includes(family) ? [role.list] : [],
        ),
      );
      const isFit = (list: List): boolean => !unfit.has(list);
      const known = new Set(lists.filter(isFit).flatMap(({ flags }) => flags));
      const gone = silent(listings, nowMs).filter(isFit);
      for (const flag of gone.flatMap(({ flags }) => flags)) known.delete(flag);
      return known;
    },
  };
}

function roleOf<List extends ClassifyingList<string>>(
  state: ListState,
  list: List | undefined,
): ListRole<List> | null {
  if (!state.loaded || list === undefined) return null;
  return { list, families: state.families, ...lifetimeOf(state, list.refreshMinutes) };
}
