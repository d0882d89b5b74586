import { z } from "zod";
import { nullable, type Wire } from "../../wire.ts";
import { RELATION_KINDS } from "./relation.ts";

/** The facts object of design 6.4. */
export const DomainFactsShape = z
  .object({
    tld: z.string(),
    is_risky_tld: z.boolean(),
    is_idn: z.boolean(),
    punycode: nullable.describe("A-labels of a name with others than ASCII letters"),
    is_homoglyph: z.boolean().describe("Looks like a brand or a popular name"),
    homoglyph_of: nullable,
    is_lookalike: z.boolean(),
    lookalike_of: nullable,
    lookalike_kind: z.enum(["typo", "combo", "tld_swap", "bitsquat"]).nullable(),
    is_brand_related: z.boolean().describe("The name is a brand's own or related to it, and no lookalike"),
    brand_related_to: nullable.describe("The brand's main domain"),
    brand_related_by: z
      .enum(RELATION_KINDS)
      .nullable()
      .describe(
        "listed: in the shipped table of the brand's domains; registrant: registered by the brand with a corporate " +
          "registrar; name_servers, network: all of them are the brand's own; label: the brand's label under another " +
          "public suffix",
      ),
    age_days: z.int().nullable(),
    is_recent: z.boolean().describe("Younger than 30 days"),
    is_very_recent: z.boolean().describe("Younger than 7 days"),
    is_parked: z.boolean(),
    parked_by: nullable,
    is_dynamic_dns: z.boolean(),
    is_free_hosting: z.boolean(),
    is_url_shortener: z.boolean(),
    is_sinkholed: z.boolean(),
    is_disposable_email: z.boolean(),
    top_list_rank: z.int().nullable(),
    in_top_list: z.boolean(),
    label_length: z.int(),
    digits_count: z.int(),
    hyphens_count: z.int(),
    entropy_bits: z.number(),
  })
  .meta({ id: "DomainFacts" });
export type DomainFacts = Wire<typeof DomainFactsShape>;
