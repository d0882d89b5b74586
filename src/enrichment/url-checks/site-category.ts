import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { Wire } from "../../base/wire.ts";
import { readPackaged } from "../../yaml/packaged-yaml.ts";
import type { NameFlag } from "../classifying-lists.ts";
import type { DomainFactsMaker } from "../domain-names/domain-facts.ts";

/** Design 7.2, `site_category`, without `is_parked`, which domain facts say. */
export const SiteCategoryShape = z.object({
  is_free_hosting: z.boolean().describe("On free hosting"),
  is_anonymizer: z.boolean().describe("An anonymising proxy"),
  is_url_shortener: z.boolean().describe("A URL shortener"),
  is_free_dynamic_dns: z.boolean().describe("A name of a free dynamic DNS service"),
  is_vpn_provider: z.boolean().describe("Site of a VPN provider"),
  is_torrent: z.boolean().describe("Site for torrents"),
  is_file_sharing: z.boolean().describe("Site where files are shared"),
  is_link_in_bio: z.boolean().describe("Page that collects links of a profile"),
  is_risky_category: z.boolean().describe("Whether one of the categories above is risky"),
});
export type SiteCategory = Wire<typeof SiteCategoryShape>;

/** What kind of site a host is, by the lists and by the hand-written tables. */
export type SiteCategories = {
  /** `host`: a name as A-labels, or an address, of which no table speaks. */
  readonly of: (host: string) => SiteCategory;
  /** Fields that no list can answer now, of names that nothing else speaks of; tables always can. */
  readonly unknown: () => readonly (keyof SiteCategory)[];
};

const namesSchema = z.array(z.string().regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/)).min(1);

const siteTablesSchema = z.strictObject({
  checked: z.iso.date(),
  anonymizer: namesSchema,
  vpn_provider: namesSchema,
  torrent: namesSchema,
  file_sharing: namesSchema,
  anonymous_upload: namesSchema,
  piracy: namesSchema,
  booter: namesSchema,
  mixer: namesSchema,
});

type Kind = Exclude<keyof z.infer<typeof siteTablesSchema>, "checked">;

/** Kinds whose sites bring harm unusually often; a VPN's or a file host's own site does not. */
const RISKY: readonly Kind[] = ["anonymizer", "torrent", "anonymous_upload", "piracy", "booter", "mixer"];

const FIELD_FLAGS: readonly (readonly [keyof SiteCategory, NameFlag])[] = [
  ["is_free_hosting", "free_hosting"],
  ["is_url_shortener", "url_shortener"],
  ["is_free_dynamic_dns", "dynamic_dns"],
  ["is_link_in_bio", "link_in_bio"],
];

/** Reads `catalogue/site-tables.yaml`. Throws when the file does not fit its schema. */
function readSiteTables(): ReadonlyMap<string, ReadonlySet<string>> {
  const path = fileURLToPath(new URL("../catalogue/site-tables.yaml", import.meta.url));
  const { checked: _, ...tables } = readPackaged(path, siteTablesSchema);
  return new Map(Object.entries(tables).map(([kind, listed]) => [kind, new Set(listed)]));
}

/** The shipped tables, read at the first question. `names`: what the lists say of a host or its parents. */
export function createSiteCategories(names: Pick<DomainFactsMaker, "flagsOf" | "knows">): SiteCategories {
  let read: ReturnType<typeof readSiteTables> | null = null;
  return {
    of: (host) => {
      read ??= readSiteTables();
      const sets = read;
      const parents = withParents(host);
      const is = (kind: Kind) => parents.some((name) => sets.get(kind)?.has(name));
      const flags = names.flagsOf(host);
      return {
        is_free_hosting: flags.has("free_hosting"),
        is_anonymizer: is("anonymizer"),
        is_url_shortener: flags.has("url_shortener"),
        is_free_dynamic_dns: flags.has("dynamic_dns"),
        is_vpn_provider: is("vpn_provider"),
        is_torrent: is("torrent"),
        is_file_sharing: is("file_sharing") || is("anonymous_upload"),
        is_link_in_bio: flags.has("link_in_bio"),
        is_risky_category: RISKY.some(is),
      };
    },
    unknown: () => FIELD_FLAGS.flatMap(([field, flag]) => (names.knows(flag) ? [] : [field])),
  };
}

/** `a.b.example.com` → itself, `b.example.com`, `example.com`. */
function withParents(host: string): readonly string[] {
  const labels = host.split(".");
  return labels.slice(0, -1).map((_, i) => labels.slice(i).join("."));
}
