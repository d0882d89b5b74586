import { fileURLToPath } from "node:url";
import { getDomain } from "tldts";
import { z } from "zod";
import { readPackagedYaml } from "../../packaged-yaml.ts";

/** A name that others imitate. */
export type Brand = {
  /** Main domain, A-labels: what `lookalike_of` shows. */
  readonly domain: string;
  /** Registered label of the main domain. */
  readonly label: string;
  /** Words for it in titles and host names, lower case. */
  readonly words: readonly string[];
  /** Every registered domain of the brand's own. */
  readonly domains: readonly string[];
  /** The operator's own: imitations of a short name are looked for too. */
  readonly isOwn: boolean;
};

const brandsSchema = z.strictObject({
  checked: z.iso.date(),
  brands: z.array(
    z.strictObject({
      domain: z.string(),
      words: z.array(z.string().min(3)).default([]),
      also: z.array(z.string()).default([]),
    }),
  ),
});

/**
 * The brands of `catalogue/brands.yaml` and the operator's `watch.brands` (domain names, A-labels), the operator's
 * first. Throws when the file does not fit its schema.
 */
export function loadBrands(watched: readonly string[]): readonly Brand[] {
  const path = fileURLToPath(new URL("../catalogue/brands.yaml", import.meta.url));
  const { brands } = brandsSchema.parse(readPackagedYaml(path));
  const own = watched.map((domain) => brandOf({ domain: domain.toLowerCase(), words: [], also: [] }, true));
  return [...own, ...brands.map((brand) => brandOf(brand, false))];
}

type NamedBrand = {
  readonly domain: string;
  readonly words: readonly string[];
  readonly also: readonly string[];
};

function brandOf({ domain, words, also }: NamedBrand, isOwn: boolean): Brand {
  const label = labelOf(domain);
  return { domain, label, words: [...new Set([label, ...words])], domains: [domain, ...also], isOwn };
}

const labelOf = (domain: string): string => (getDomain(domain) ?? domain).split(".")[0] ?? domain;
