import { z } from "zod";
import { nullable, type Wire } from "../../base/wire.ts";
import { FREE_ENGINES } from "../free-engines.ts";
import { REPORT_END } from "../shapes.ts";

/** The report of the public page, which fetches nothing. */
export const FreeUrlReport = z
  .object({
    url: z.string().describe("Normalised: without user information, fragment and the usual port"),
    input: z.string().describe("As it was sent"),
    target_level: z.literal("url"),
    is_fetched: z.literal(false).describe("Nothing was fetched: the page and its redirects are not known"),
    host: z.string(),
    is_host_ip: z.boolean(),
    registered_domain: nullable.describe("The name one below its public suffix"),
    domain_unicode: nullable.describe("The host's other spelling; null of an address"),
    blacklisted: z.boolean(),
    detections: z.int().describe("Engines that name the URL or its host"),
    engines_count: z.int().describe("Engines that answered"),
    message: z.string(),
    ...FREE_ENGINES,
    domain_age_days: z
      .int()
      .nullable()
      .describe("Days since the domain was registered; null when that is not known"),
    risk_score: z.int().nullable().describe("Null when too few engines answered with fresh data"),
    ...REPORT_END,
  })
  .meta({ id: "FreeUrlReport" });
export type FreeUrlReport = Wire<typeof FreeUrlReport>;
