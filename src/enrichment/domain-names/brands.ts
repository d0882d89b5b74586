import { fileURLToPath } from "node:url";
import { getDomain } from "tldts";
import { z } from "zod";
import { readPackaged } from "../../yaml/packaged-yaml.ts";

/** A name that others imitate. */
export type Brand = {
  /** Main domain, A-labels: what `lookalike_of` shows. */
  readonly domain: string;
  /** Registered label of the main domain. */
  readonly label: string;
  /** Words for it in titles and host names, lower case. */
  readonly words: readonly string[];
  /** Registered domains whose pages are the brand's own. */
  readonly domains: readonly string[];
  /** Registered domains of the brand below which its customers publish. */
  readonly shared: readonly string[];
  /** Labels of other owners that are no typo of the brand's, though one letter away. */
  readonly nearWords: readonly string[];
  /** Zones of name servers that serve the brand's own domains alone. */
  readonly nameServers: readonly string[];
  /** AS numbers whose addresses all belong to the brand's own machines. */
  readonly asNumbers: readonly number[];
  /** Organisations in the brand's own registrations. */
  readonly registrants: readonly string[];
  /** The operator's own: imitations of a short name are looked for too. */
  readonly isOwn: boolean;
};

const names = z.array(z.string()).default([]);
const brandSchema = z.strictObject({
  domain: z.string(),
  words: z.array(z.string().min(3)).default([]),
  also: names,
  shared: names,
  near_words: names,
  name_servers: z.array(z.string()).optional(),
  as_numbers: z.array(z.int().min(1)).default([]),
  registrants: names,
});
type BrandEntry = z.input<typeof brandSchema>;

const brandsSchema = z.strictObject({
  checked: z.iso.date(),
  corporate_registrars: z.array(z.string()),
  delivery_suffixes: z.array(z.string()),
  brands: z.array(brandSchema),
});

const readBrands = () =>
  readPackaged(fileURLToPath(new URL("../catalogue/brands.yaml", import.meta.url)), brandsSchema);

/**
 * The brands of `catalogue/brands.yaml` and the operator's `watch.brands` (domain names, A-labels), the operator's
 * first. Throws when the file does not fit its schema.
 */
export function loadBrands(watched: readonly string[]): readonly Brand[] {
  const own = watched.map((domain) => brandOf({ domain: domain.toLowerCase() }, true));
  return [...own, ...readBrands().brands.map((brand) => brandOf(brand, false))];
}

/** What tells a brand's own names from imitations, whatever the brand. */
export type BrandOwnership = {
  /** Registrars that check who their customers are. */
  readonly corporateRegistrars: readonly string[];
  /** Suffixes below which names are assigned by contract. */
  readonly deliverySuffixes: readonly string[];
};

let ownership: BrandOwnership | null = null;

/** The tables of `catalogue/brands.yaml` that hold for every brand; read once. */
export function loadBrandOwnership(): BrandOwnership {
  if (ownership !== null) return ownership;
  const { corporate_registrars: corporateRegistrars, delivery_suffixes: deliverySuffixes } = readBrands();
  ownership = { corporateRegistrars, deliverySuffixes };
  return ownership;
}

function brandOf(entry: BrandEntry, isOwn: boolean): Brand {
  const { domain, words = [], also = [] } = entry;
  const label = labelOf(domain);
  const domains = [domain, ...also];
  return {
    domain,
    label,
    words: [...new Set([label, ...words])],
    domains,
    shared: entry.shared ?? [],
    nearWords: entry.near_words ?? [],
    nameServers: entry.name_servers ?? domains,
    asNumbers: entry.as_numbers ?? [],
    registrants: entry.registrants ?? [],
    isOwn,
  };
}

const labelOf = (domain: string): string => (getDomain(domain) ?? domain).split(".")[0] ?? domain;
