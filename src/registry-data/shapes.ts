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
  .meta({ id: "WhoisProvenance" });
export type Provenance = Wire<typeof ProvenanceShape>;

/** Why nothing was obtained; `code` is a snake_case word. */
export const LookupErrorShape = z.object({ code: z.string(), message: z.string() });
export type LookupError = Wire<typeof LookupErrorShape>;

/** A person or a role of a network or an AS number. */
export const ContactShape = z
  .object({
    handle: nullable,
    roles: z.array(z.string()).describe("RFC 9083's roles"),
    name: nullable,
    organization: nullable,
    emails: z.array(z.string()),
    phones: z.array(z.string()),
    address: nullable.describe("One line"),
    country: nullable,
  })
  .meta({ id: "WhoisContact" });
export type Contact = Wire<typeof ContactShape>;
