import { z } from "zod";
import { nullable, type Wire } from "../../../base/wire.ts";

const policy = z.enum(["none", "quarantine", "reject"]).nullable();

/** The `spf` object of design 6.1. Null where DNS gave no answer. */
export const SpfShape = z
  .object({
    present: z.boolean().nullable().describe("Whether there is an SPF record"),
    record: nullable.describe("The record"),
    valid: z
      .boolean()
      .nullable()
      .describe(
        "One record; no error in it or in those it includes; at most ten lookups, and two that find nothing",
      ),
    all: z
      .enum(["fail", "softfail", "neutral", "pass"])
      .nullable()
      .describe("What the record says of senders that it does not name"),
    lookups: z.int().nullable().describe("DNS lookups that the record needs; more than ten are an error"),
    errors: z.array(z.string()).describe("What is wrong with the record"),
  })
  .meta({ id: "Spf", description: "The SPF policy of the domain" });
export type Spf = Wire<typeof SpfShape>;
export type SpfAll = NonNullable<Spf["all"]>;

/** The `dmarc` object of design 6.1. Null where DNS gave no answer. */
export const DmarcShape = z
  .object({
    present: z.boolean().nullable().describe("Whether there is a DMARC record"),
    record: nullable.describe("The record"),
    policy: policy.describe("What receivers are asked to do with mail that fails"),
    subdomain_policy: policy.describe("The same for subdomains"),
    pct: z.int().nullable().describe("Share of the mail that the policy is for, percent"),
    rua: z.array(z.string()).describe("Where reports go to"),
    from: nullable.describe("Name that held it"),
    valid: z.boolean().nullable().describe("One record, and no error in it"),
  })
  .meta({ id: "Dmarc", description: "The DMARC policy of the domain" });
export type Dmarc = Wire<typeof DmarcShape>;
export type DmarcPolicy = NonNullable<Dmarc["policy"]>;
