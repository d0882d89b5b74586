import { z } from "zod";
import { nullable, type Wire } from "../../../base/wire.ts";

const policy = z.enum(["none", "quarantine", "reject"]).nullable();

/** The `spf` object of design 6.1. Null where DNS gave no answer. */
export const SpfShape = z
  .object({
    present: z.boolean().nullable(),
    record: nullable,
    valid: z
      .boolean()
      .nullable()
      .describe(
        "One record; no error in it or in those it includes; at most ten lookups, and two that find nothing",
      ),
    all: z.enum(["fail", "softfail", "neutral", "pass"]).nullable(),
    lookups: z.int().nullable(),
    errors: z.array(z.string()),
  })
  .meta({ id: "Spf" });
export type Spf = Wire<typeof SpfShape>;
export type SpfAll = NonNullable<Spf["all"]>;

/** The `dmarc` object of design 6.1. Null where DNS gave no answer. */
export const DmarcShape = z
  .object({
    present: z.boolean().nullable(),
    record: nullable,
    policy,
    subdomain_policy: policy,
    pct: z.int().nullable(),
    rua: z.array(z.string()),
    from: nullable.describe("Name that held it"),
    valid: z.boolean().nullable(),
  })
  .meta({ id: "Dmarc" });
export type Dmarc = Wire<typeof DmarcShape>;
export type DmarcPolicy = NonNullable<Dmarc["policy"]>;
