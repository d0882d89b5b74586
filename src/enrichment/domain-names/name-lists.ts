import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { Listings } from "../../blocklist-index/types.ts";
import { isStale } from "../../feeds/list-age.ts";
import { readPackaged } from "../../yaml/packaged-yaml.ts";
import { type NameFlag, type NameList, NameListSchema } from "../classifying-lists.ts";
import { type ClassifyingList, createListRoles } from "../ip/list-roles.ts";

/** One list that names a name or one of its parents. */
export type NameHit = {
  readonly flag: NameFlag;
  readonly key: string;
  /** The list's own entry: the name itself or a parent. */
  readonly value: string;
  /** Position in a popularity list; null where the list keeps none. */
  readonly rank: number | null;
};

/** What can be said at all at one time. */
type NameCoverage = {
  /** Of which every list answers: a name without a hit has none of them. */
  readonly flags: ReadonlySet<NameFlag>;
  /** Milliseconds since the epoch: how old the oldest list that answers is; null without any. */
  readonly asOfMs: number | null;
  readonly stale: boolean;
};

/** The lists that say what a name is. */
export type NameLists = {
  /** Every list that names the host or a parent of it, down to two labels; nearest first. */
  readonly find: (listings: Listings, host: string, nowMs: number) => readonly NameHit[];
  readonly coverage: (listings: Listings, nowMs: number) => NameCoverage;
};

type NameListRole = ClassifyingList<NameFlag> & { readonly except: ReadonlySet<string> };

/** The lists of `catalogue/names.yaml`. Throws when the file does not fit its schema. */
export function loadNameLists(): readonly NameList[] {
  const path = fileURLToPath(new URL("../catalogue/names.yaml", import.meta.url));
  return readPackaged(path, z.array(NameListSchema));
}

/** Reads hits of the compiled index as what they say of names. Ages as in design 3.4. */
export function createNameLists(lists: readonly NameList[]): NameLists {
  const classifying = lists.map(
    ({ key, flags, refresh_minutes: refreshMinutes, except }): NameListRole => ({
      key,
      flags,
      builtin: true,
      refreshMinutes,
      except: new Set(except),
    }),
  );
  const roles = createListRoles<NameFlag, NameListRole>(classifying);
  return {
    find: (listings, host, nowMs) => {
      const byList = roles.of(listings);
      const hits: NameHit[] = [];
      for (const value of [host, ...parentsOf(host)]) {
        for (const { list, detail } of listings.findName(value)) {
          const role = byList[list];
          if (!roles.answers(role, nowMs) || role.list.except.has(value)) continue;
          const rank = rankOf(detail?.reason);
          for (const flag of role.list.flags) hits.push({ flag, key: role.list.key, value, rank });
        }
      }
      return hits;
    },
    coverage: (listings, nowMs) => {
      const alive = roles.of(listings).filter((role) => roles.answers(role, nowMs));
      return {
        flags: roles.knownFlags(listings, nowMs),
        asOfMs: alive.length === 0 ? null : Math.min(...alive.map((role) => role.asOfMs)),
        stale: alive.some((role) => isStale(role, nowMs)),
      };
    },
  };
}

/** `a.b.example.com` → `b.example.com`, `example.com`. */
function parentsOf(host: string): readonly string[] {
  const parents: string[] = [];
  let dot = host.indexOf(".");
  for (let next = host.indexOf(".", dot + 1); next > 0; next = host.indexOf(".", dot + 1)) {
    parents.push(host.slice(dot + 1));
    dot = next;
  }
  return parents;
}

const rankOf = (note: string | undefined): number | null =>
  note !== undefined && /^\d{1,8}$/.test(note) ? Number(note) : null;
