import { z } from "zod";
import { text, type Wire } from "../../base/wire.ts";
import { Blacklists } from "../../engines/shapes.ts";
import { AnonymityFlags, AnonymityShape, AsnShape, InformationShape } from "../../enrichment/facts.ts";
import { EnrichmentShape } from "../../enrichment/vendor.ts";
import { RiskScoreShape } from "../../risk/shapes.ts";
import { FREE_ENGINES } from "../free-engines.ts";
import { REPORT_END } from "../shapes.ts";

export const CheckIpInput = z
  .object({ ip: z.string().describe("IPv4 or IPv6 address, e.g. 8.8.8.8") })
  .meta({ id: "CheckIpRequest" });

export const CheckIpReport = z
  .object({
    ip: z.string().describe("The address in its one spelling (dotted quad, RFC 5952)"),
    input: z.string().describe("As it was sent"),
    version: z.enum(["v4", "v6"]).describe("Version of the address"),
    target_level: z.literal("ip").describe("What was judged"),
    blacklists: Blacklists,
    information: InformationShape,
    asn: AsnShape,
    anonymity: AnonymityShape,
    risk_score: RiskScoreShape,
    vendor_enrichment: EnrichmentShape.optional().describe(
      "Only when an enrichment upstream is configured and answered",
    ),
    ...REPORT_END,
  })
  .meta({ id: "CheckIpReport" });

export const FreeIpReport = z
  .object({
    ip: z.string().describe("The address in its one spelling"),
    input: z.string().describe("As it was sent"),
    target_level: z.literal("ip").describe("What was judged"),
    detections: z.int().describe("Engines that name the target"),
    engines_count: z.int().describe("Engines that answered"),
    detection_rate: z.string().describe("Detections of the engines that answered, in percent"),
    message: z.string().describe("The result in one sentence"),
    reverse_dns: z.string().nullable().describe("First PTR name; null when there is none"),
    isp: text("Holder of the network"),
    asn: text('"AS64500"'),
    organization: text("Organisation of the network"),
    region: text("Region"),
    city: text("City"),
    country: z.string().nullable().describe("English name of the country"),
    country_code: z.string().nullable().describe("ISO 3166-1 alpha-2"),
    latitude: z.number().nullable().describe("Degrees north"),
    longitude: z.number().nullable().describe("Degrees east"),
    anonymity: AnonymityFlags.describe("Whether the address hides who uses it"),
    provider: z.string().nullable().describe("VPN, relay or proxy brand"),
    ...FREE_ENGINES,
    risk_score: z.int().nullable().describe("Null when the verdict is unknown"),
    ...REPORT_END,
  })
  .meta({ id: "FreeIpReport", description: "The reduced report of an IP address" });

export type FreeIpReport = Wire<typeof FreeIpReport>;
