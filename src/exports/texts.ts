import { readFileSync } from "node:fs";
import { nullIfAbsent } from "../base/caught.ts";
import { replaceFile } from "../blocklist-index/replace-file.ts";
import {
  readSnapshot,
  type SnapshotKind,
  u8Section,
  u32Section,
  writeSnapshot,
} from "../blocklist-index/snapshot.ts";
import type { ListingsBuilder } from "../blocklist-index/types.ts";
import type { FeedDefinition } from "../feeds/feed.ts";
import { createTextColumn, textReader } from "./text-column.ts";

/** Name and version of the file of texts: the index has their hashes only. */
const TEXTS_SNAPSHOT: SnapshotKind = { kind: "texts", version: 2 };

/** What lists name, sorted, each once; `allowed` is what allowlists name, `excepted` what lists take out again below what they name. */
export type Texts = {
  readonly domain: readonly string[];
  readonly url: readonly string[];
  readonly email: readonly string[];
  readonly allowed: readonly string[];
  readonly excepted: readonly string[];
};

type TextKind = keyof Texts;

const KINDS = ["domain", "url", "email", "allowed", "excepted"] as const satisfies readonly TextKind[];

/** A builder that also remembers the texts which it is given, and writes them beside the index. */
export function collectTexts(
  builder: ListingsBuilder,
  feeds: readonly FeedDefinition[],
  path: string,
): ListingsBuilder {
  const taken: Record<TextKind, string[]> = { domain: [], url: [], email: [], allowed: [], excepted: [] };
  const kindOf = (list: number, isUrl: boolean): TextKind | null => {
    const feed = feeds[list];
    if (feed === undefined || feed.role === "network") return null;
    if (feed.role === "allow") return feed.target === "domain" ? "allowed" : null;
    // The hosts of a list of URLs are no entries of their own: a page is listed, not its site.
    if (feed.target === "url") return isUrl ? "url" : null;
    return feed.target === "domain" || feed.target === "email" ? feed.target : null;
  };
  const take = (list: number, text: string, isUrl: boolean): void => {
    const kind = kindOf(list, isUrl);
    if (kind !== null) taken[kind].push(text);
  };
  return {
    ...builder,
    addName: (list, name, detail) => {
      builder.addName(list, name, detail);
      take(list, name, false);
    },
    addException: (list, name) => {
      builder.addException(list, name);
      if (feeds[list]?.role === "engine") taken.excepted.push(name);
    },
    addUrl: (list, url, detail) => {
      builder.addUrl(list, url, detail);
      take(list, url, true);
    },
    checkpoint: () => {
      const takeBack = builder.checkpoint();
      const lengths = KINDS.map((kind) => [kind, taken[kind].length] as const);
      return () => {
        takeBack();
        for (const [kind, length] of lengths) taken[kind].length = length;
      };
    },
    write: async (indexPath, lists, fingerprint) => {
      await writeTexts(path, taken, fingerprint);
      return builder.write(indexPath, lists, fingerprint);
    },
  };
}

async function writeTexts(
  path: string,
  taken: Readonly<Record<TextKind, readonly string[]>>,
  fingerprint: string,
): Promise<void> {
  const sections: Record<string, Uint8Array | Uint32Array> = {};
  for (const kind of KINDS) {
    const texts = [...new Set(taken[kind])].sort();
    const column = createTextColumn();
    for (const text of texts) column.push(text);
    const { bytes, ends } = column.picked();
    sections[`${kind}.bytes`] = bytes;
    sections[`${kind}.ends`] = ends;
  }
  await writeSnapshot(path, { ...TEXTS_SNAPSHOT, fingerprint, meta: null, sections });
  await replaceFile(markOf(path), [Buffer.from(fingerprint)]);
}

/** Of which index the texts are, to be read at once: the file itself may be as long as all lists. */
const markOf = (path: string): string => `${path}.index`;

/** Whether the texts of the index with this fingerprint are there. */
export function hasTexts(path: string, fingerprint: string): boolean {
  try {
    return readFileSync(markOf(path), "utf8") === fingerprint;
  } catch (error) {
    return nullIfAbsent(error) ?? false;
  }
}

/** The texts of the index with this fingerprint; null when there is no file of just that. */
export function readTexts(path: string, fingerprint: string): Texts | null {
  const snapshot = readSnapshot(path, TEXTS_SNAPSHOT);
  if (snapshot === null || snapshot.fingerprint !== fingerprint) return null;
  const of = (kind: TextKind): readonly string[] => {
    const bytes = u8Section(snapshot.sections, `${kind}.bytes`);
    const ends = u32Section(snapshot.sections, `${kind}.ends`);
    const read = textReader({ bytes, ends });
    return Array.from(ends, (_, i) => read(i));
  };
  return {
    domain: of("domain"),
    url: of("url"),
    email: of("email"),
    allowed: of("allowed"),
    excepted: of("excepted"),
  };
}
