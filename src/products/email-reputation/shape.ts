import { z } from "zod";
import { InvalidValue } from "../../base/failure.ts";
import { flag, nullable, text, type Wire } from "../../base/wire.ts";
import { Blacklists } from "../../engines/shapes.ts";
import { DmarcShape, SpfShape } from "../../enrichment/dns-facts/mail-policy/shapes.ts";
import { USERNAME_REASONS } from "../../enrichment/mailbox/username.ts";
import { RiskScoreShape, SharedInfrastructure } from "../../risk/shapes.ts";
import { REPORT_END, textOfKind } from "../shapes.ts";

const MAX_CHARS = 320;

/** Refuses what cannot be meant as an address at all; everything else is answered. Throws InvalidValue. */
function assertAddressText(value: string): void {
  if (value.trim() === "") throw new InvalidValue("empty", "An e-mail address is wanted, not an empty text");
  if (value.length > MAX_CHARS) {
    throw new InvalidValue("too_long", `An e-mail address has at most ${MAX_CHARS} characters`);
  }
}

export const EmailReputationInput = z
  .object({ email: textOfKind(assertAddressText).describe("E-mail address, 1 to 320 characters") })
  .meta({ id: "EmailReputationRequest" });

export const EmailReportShape = z
  .object({
    email: z.string().describe("Normalised: domain in lower case, A-labels"),
    input: z.string().describe("As it was sent"),
    target_level: z.literal("email").describe("What was judged"),
    is_valid_format: flag("RFC 5321 address under a top-level domain that exists"),
    format_error: z
      .enum(["no_at", "local_part", "domain", "too_long", "tld"])
      .nullable()
      .describe("What is wrong with the form of the address; null when nothing is"),
    is_smtputf8: flag("The local part has others than ASCII characters"),
    username: text("Local part without its tag"),
    normalized_email: text("The one spelling that the provider delivers to"),
    is_tagged: flag("The local part has a tag"),
    domain: text("A-labels, lower case"),
    domain_unicode: nullable.describe("The other spelling of the domain; null without a valid one"),
    registered_domain: nullable.describe("The name one below its public suffix"),
    did_you_mean: nullable.describe("The address with a common domain in place of a mistyped one"),
    is_disposable: flag("Throwaway mailbox"),
    is_privacy_relay: flag("Forwarding alias of a real mailbox; never also disposable"),
    is_free_provider: flag("Anybody may open a mailbox there free of charge"),
    has_mx_records: flag("Has a usable MX record"),
    mx_records: z.array(z.string()).default([]).describe("Mail hosts by priority, then name"),
    mx_status: z
      .enum(["ok", "none", "null_mx", "implicit_a", "nxdomain", "timeout", "error"])
      .nullable()
      .describe("`none`: no mail host, or none that has an address; null where nothing was looked up"),
    mx_provider: nullable.describe("Who runs the mail hosts"),
    mx_hosts: z
      .array(
        z.object({
          host: z.string().describe("Name of the mail host"),
          priority: z.int().describe("The lowest is tried first"),
          ips: z.array(z.string()).describe("Its addresses"),
          detections: z.int().describe("Engines that name one of its addresses"),
        }),
      )
      .describe("The mail hosts with their addresses"),
    is_role_address: flag("A post rather than a person"),
    role: nullable.describe("The post, such as sales or abuse"),
    is_noreply: flag("Mail to it is not read, as to noreply@"),
    is_suspicious_username: flag("The local part looks made up"),
    username_reasons: z.array(z.enum(USERNAME_REASONS)).describe("Why the local part looks made up"),
    spf: SpfShape.nullable().describe("SPF policy of the domain; null where DNS was not asked"),
    dmarc: DmarcShape.nullable().describe("DMARC policy of the domain; null where DNS was not asked"),
    is_spoofable: flag("No DMARC policy in force for the domain, or one of none"),
    domain_age_days: z
      .int()
      .nullable()
      .describe("Days since the domain was registered; null when that is not known"),
    is_domain_recent: flag("Registered less than 30 days ago"),
    domain_category: z
      .enum(["corporate", "education", "government", "free", "relay", "disposable", "unknown"])
      .describe("What kind of domain it is"),
    is_risky_tld: flag("The domain has a top-level domain that is abused often"),
    shared_infrastructure: SharedInfrastructure,
    smtp: z
      .object({
        checked: z.boolean().describe("Whether a mail host was asked"),
        outcome: z
          .enum(["deliverable", "undeliverable", "catch_all", "greylisted", "unknown"])
          .optional()
          .describe("What the mail host said of the mailbox"),
        is_catch_all: z
          .boolean()
          .nullable()
          .optional()
          .describe("Whether the domain takes mail for any local part; null when that is not known"),
        code: z.int().nullable().optional().describe("SMTP code of its answer"),
      })
      .describe("What the mail host says; only where the operator has switched that on"),
    blacklists: Blacklists,
    risk_score: RiskScoreShape,
    score: z.int().describe("Whether mail would arrive, 0 to 100; at most 20 without a way to deliver"),
    should_block: z.boolean().describe("Whether the address should be refused at a sign-up"),
    ...REPORT_END,
  })
  .meta({ id: "EmailReport" });

export const FreeEmailReport = z
  .object({
    email: z.string().describe("Normalised: domain in lower case, A-labels"),
    input: z.string().describe("As it was sent"),
    domain_unicode: nullable.describe("The name as people read it"),
    registered_domain: nullable.describe("The name one below its public suffix"),
    target_level: z.literal("email").describe("What was judged"),
    is_valid_format: z.boolean().describe("RFC 5321 address under a top-level domain that exists"),
    is_disposable: z.boolean().describe("Throwaway mailbox"),
    is_free_provider: z.boolean().describe("Mailboxes there cost nothing"),
    did_you_mean: nullable.describe("The address that was probably meant; null without a guess"),
    message: z.string().describe("The result in one sentence"),
    ...REPORT_END,
  })
  .meta({ id: "FreeEmailReport", description: "The reduced report of an e-mail address" });
export type FreeEmailReport = Wire<typeof FreeEmailReport>;
