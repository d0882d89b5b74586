import { z } from "zod";
import { nullable, type Wire } from "../../base/wire.ts";
import { RELATION_KINDS } from "./relation.ts";

/** The facts object of design 6.4. */
export const DomainFactsShape = z
  .object({
    tld: z.string().describe("Top-level domain"),
    is_risky_tld: z.boolean().describe("Top-level domain that is abused often"),
    is_idn: z.boolean().describe("The name has letters beyond ASCII"),
    punycode: nullable.describe("A-labels of a name with others than ASCII letters"),
    is_homoglyph: z.boolean().describe("Looks like a brand or a popular name"),
    homoglyph_of: nullable.describe("The name that it spells with look-alike letters"),
    is_lookalike: z.boolean().describe("Looks like the name of a well-known brand"),
    lookalike_of: nullable.describe("The name that it looks like"),
    lookalike_kind: z
      .enum(["typo", "combo", "tld_swap", "bitsquat"])
      .nullable()
      .describe(
        "typo: a mistyped letter; combo: the name with a word beside it; tld_swap: under another top-level domain; bitsquat: one bit differs",
      ),
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
    age_days: z
      .int()
      .nullable()
      .describe("Days since the domain was registered; null when that is not known"),
    is_recent: z.boolean().describe("Younger than 30 days"),
    is_very_recent: z.boolean().describe("Younger than 7 days"),
    is_parked: z.boolean().describe("Parked: a page of advertisements or for sale"),
    parked_by: nullable.describe("Who parks it"),
    is_dynamic_dns: z.boolean().describe("A name of a dynamic DNS service"),
    is_free_hosting: z.boolean().describe("On free hosting"),
    is_url_shortener: z.boolean().describe("A URL shortener"),
    is_sinkholed: z.boolean().describe("Taken over by people who fight malware"),
    is_disposable_email: z.boolean().describe("Its mailboxes are throwaway ones"),
    top_list_rank: z
      .int()
      .nullable()
      .describe("Rank in the list of popular names; null when it is not known"),
    in_top_list: z.boolean().describe("Whether it is in the list of popular names"),
    label_length: z.int().describe("Characters of the registered label"),
    digits_count: z.int().describe("Digits in the registered label"),
    hyphens_count: z.int().describe("Hyphens in the registered label"),
    entropy_bits: z.number().describe("Entropy of the registered label, bits"),
  })
  .meta({ id: "DomainFacts", description: "What the name itself and lists of names say of the domain" });
export type DomainFacts = Wire<typeof DomainFactsShape>;
