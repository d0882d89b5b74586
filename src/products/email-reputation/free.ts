import type { EmailReport } from "./report.ts";
import type { FreeEmailReport } from "./shape.ts";

/** The reduced answer of the free tool: interface 2.13, design 12. */
export const toFreeEmailReport = (report: EmailReport): FreeEmailReport => ({
  email: report.email,
  input: report.input,
  domain_unicode: report.domain_unicode,
  registered_domain: report.registered_domain,
  target_level: "email",
  is_valid_format: report.is_valid_format,
  is_disposable: report.is_disposable,
  is_free_provider: report.is_free_provider,
  did_you_mean: report.did_you_mean,
  message: messageOf(report),
  freshness: report.freshness,
  unknown_fields: report.unknown_fields.filter(
    (field) => field === "is_disposable" || field === "is_free_provider",
  ),
  elapsed_ms: report.elapsed_ms,
});

const REASONS: Readonly<Record<NonNullable<EmailReport["format_error"]>, string>> = {
  no_at: "there is no @ in it",
  local_part: "the part before the @ cannot be a mailbox",
  domain: "the part behind the @ is not a domain name",
  too_long: "it is too long",
  tld: "its top-level domain does not exist",
};

function messageOf(report: EmailReport): string {
  if (report.format_error !== null) return `Not a valid address: ${REASONS[report.format_error]}.`;
  return report.is_disposable ? "Disposable address." : "Valid address.";
}
