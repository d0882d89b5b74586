import { z } from "zod";
import { nullable, type Wire } from "../../base/wire.ts";

const CertificateNameShape = z
  .object({
    common_name: nullable.describe("Common name"),
    organization: nullable.describe("Organisation"),
    country: nullable.describe("Country"),
  })
  .nullable();

/** The certificate object of design 6.3. */
export const TlsShape = z
  .object({
    status: z
      .enum(["ok", "no_tls", "timeout", "error", "blocked", "no_address"])
      .describe("How the look at the certificate ended"),
    valid: z.boolean().nullable().describe("Chain trusted, host matches, in date; null unless one was seen"),
    subject: CertificateNameShape.describe("Who it is for"),
    issuer: CertificateNameShape.describe("Who issued it"),
    issuer_name: nullable.describe("In one line"),
    sans: z.array(z.string()).describe("DNS names, the first 100"),
    sans_count: z.int().nullable().describe("Names that it holds"),
    valid_from: nullable.describe("Start of its validity, ISO 8601"),
    valid_to: nullable.describe("End of its validity, ISO 8601"),
    days_left: z.int().nullable().describe("Negative after the end"),
    age_days: z.int().nullable().describe("Days since the start of its validity"),
    lifetime_days: z.int().nullable().describe("Days between both"),
    chain_valid: z.boolean().nullable().describe("Whether its chain ends at a trusted root"),
    self_signed: z.boolean().nullable().describe("Its own key signed it, whatever else is wrong with it"),
    hostname_match: z.boolean().nullable().describe("Whether it names the host"),
    expired: z.boolean().nullable().describe("Whether its validity has ended"),
    not_yet_valid: z.boolean().nullable().describe("Whether its validity has not begun"),
    wildcard: z.boolean().nullable().describe("Whether it names a wildcard"),
    serial: nullable.describe("Serial number, hexadecimal"),
    fingerprint_sha256: nullable.describe("SHA-256 of the certificate, hexadecimal"),
    key_type: nullable.describe("Kind of its key"),
    key_bits: z.int().nullable().describe("Size of its key, bits"),
    signature_algorithm: nullable.describe("How it is signed"),
    protocol: nullable.describe("As negotiated"),
    cipher: nullable.describe("Cipher of the connection"),
    alpn: nullable.describe("Protocol that was agreed on"),
    error: z
      .object({
        code: z.string().describe("One word"),
        message: z.string().describe("A sentence for people"),
      })
      .nullable()
      .describe("What went wrong; null when nothing did"),
  })
  .meta({ id: "Certificate", description: "The certificate of the host" });

/** What a look at a host's certificate found: judged, and not trusted. */
export type TlsReport = Wire<typeof TlsShape>;

/** Where no certificate was seen. */
export const NO_CERTIFICATE = {
  valid: null,
  subject: null,
  issuer: null,
  issuer_name: null,
  sans: [],
  sans_count: null,
  valid_from: null,
  valid_to: null,
  days_left: null,
  age_days: null,
  lifetime_days: null,
  chain_valid: null,
  self_signed: null,
  hostname_match: null,
  expired: null,
  not_yet_valid: null,
  wildcard: null,
  serial: null,
  fingerprint_sha256: null,
  key_type: null,
  key_bits: null,
  signature_algorithm: null,
  protocol: null,
  cipher: null,
  alpn: null,
} as const;
