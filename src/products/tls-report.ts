import { z } from "zod";
import { isoSeconds } from "../clock.ts";
import type { TlsReport } from "../net/tls.ts";
import type { Certificate, CertificateName } from "../net/tls-certificate.ts";

const nullable = z.string().nullable();
const CertificateNameShape = z
  .object({ common_name: nullable, organization: nullable, country: nullable })
  .nullable();

/** The certificate object of design 6.3. */
export const TlsShape = z
  .object({
    status: z.enum(["ok", "no_tls", "timeout", "error", "blocked", "no_address"]),
    valid: z.boolean().nullable().describe("Chain trusted, host matches, in date; null unless one was seen"),
    subject: CertificateNameShape,
    issuer: CertificateNameShape,
    issuer_name: nullable.describe("In one line"),
    sans: z.array(z.string()).describe("DNS names, the first 100"),
    sans_count: z.int().nullable(),
    valid_from: nullable,
    valid_to: nullable,
    days_left: z.int().nullable().describe("Negative after the end"),
    age_days: z.int().nullable(),
    lifetime_days: z.int().nullable(),
    chain_valid: z.boolean().nullable(),
    self_signed: z.boolean().nullable().describe("Its own key signed it, whatever else is wrong with it"),
    hostname_match: z.boolean().nullable(),
    expired: z.boolean().nullable(),
    not_yet_valid: z.boolean().nullable(),
    wildcard: z.boolean().nullable(),
    serial: nullable,
    fingerprint_sha256: nullable,
    key_type: nullable,
    key_bits: z.int().nullable(),
    signature_algorithm: nullable,
    protocol: nullable.describe("As negotiated"),
    cipher: nullable,
    alpn: nullable,
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
  })
  .meta({ id: "Certificate" });
export type TlsWire = z.output<typeof TlsShape>;

const NOTHING = {
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

/** A look at a certificate as it stands on the wire: design 6.3; pure. */
export const reportTls = ({ status, certificate, error }: TlsReport): TlsWire => ({
  status,
  ...(certificate === null ? { ...NOTHING, sans: [] } : certificateOf(certificate)),
  error: error === null ? null : { code: error.code, message: error.message },
});

const certificateOf = (certificate: Certificate): Omit<TlsWire, "status" | "error"> => ({
  valid: certificate.valid,
  subject: nameOf(certificate.subject),
  issuer: nameOf(certificate.issuer),
  issuer_name: certificate.issuerName,
  sans: [...certificate.sans],
  sans_count: certificate.sansCount,
  valid_from: timeOf(certificate.validFrom),
  valid_to: timeOf(certificate.validTo),
  days_left: certificate.daysLeft,
  age_days: certificate.ageDays,
  lifetime_days: certificate.lifetimeDays,
  chain_valid: certificate.chainValid,
  self_signed: certificate.selfSigned,
  hostname_match: certificate.hostnameMatch,
  expired: certificate.expired,
  not_yet_valid: certificate.notYetValid,
  wildcard: certificate.wildcard,
  serial: certificate.serial,
  fingerprint_sha256: certificate.fingerprintSha256,
  key_type: certificate.keyType,
  key_bits: certificate.keyBits,
  signature_algorithm: certificate.signatureAlgorithm,
  protocol: certificate.protocol,
  cipher: certificate.cipher,
  alpn: certificate.alpn,
});

const nameOf = ({ commonName, organization, country }: CertificateName) => ({
  common_name: commonName,
  organization,
  country,
});

const timeOf = (instant: Date | null): string | null => (instant === null ? null : isoSeconds(instant));
