import { z } from "zod";
import { nullable, type Wire } from "../base/wire.ts";

/** Where an answer came from (design 10). */
export const ProvenanceShape = z
  .object({
    server: nullable.describe("Host that answered"),
    url: nullable.describe("What was asked over RDAP"),
    rdap_status: z.int().nullable().describe("HTTP status of the registry's RDAP server"),
    fallback_reason: nullable.describe("Why WHOIS was asked, one word; null when RDAP answered"),
    registrar_server: nullable.describe("The registrar's server that filled gaps"),
  })
  .meta({ id: "WhoisProvenance", description: "Where the answer came from" });
export type Provenance = Wire<typeof ProvenanceShape>;

/** Why nothing was obtained; `code` is a snake_case word. */
export const LookupErrorShape = z.object({
  code: z.string().describe("One word"),
  message: z.string().describe("A sentence for people"),
});
export type LookupError = Wire<typeof LookupErrorShape>;

/** A person or a role of a network or an AS number. */
export const ContactShape = z
  .object({
    handle: nullable.describe("The registry's own name for it"),
    roles: z.array(z.string()).describe("RFC 9083's roles"),
    name: nullable.describe("Name of the person or role"),
    organization: nullable.describe("Organisation"),
    emails: z.array(z.string()).describe("E-mail addresses"),
    phones: z.array(z.string()).describe("Telephone numbers"),
    address: nullable.describe("One line"),
    country: nullable.describe("Country, as the registry has it"),
  })
  .meta({ id: "WhoisContact" });
export type Contact = Wire<typeof ContactShape>;

/** A DS record: whose key signs the zone, as the parent says. */
export const DS_MEMBERS = {
  key_tag: z.int().describe("Number of the key"),
  algorithm: z.int().describe("Algorithm of the key, IANA number"),
  digest_type: z.int().describe("Algorithm of the digest, IANA number"),
  digest: z.string().describe("Hexadecimal"),
};
