import type { X509Certificate } from "node:crypto";
import { checkServerIdentity, type PeerCertificate, type TLSSocket } from "node:tls";
import { printableLine } from "../../base/clean-text.ts";
import { isoSeconds } from "../../base/clock.ts";
import { DAY_MS } from "../../base/durations.ts";
import { readIp } from "../../targets/ip.ts";
import type { TlsReport } from "./tls-shape.ts";

/** What a certificate says, and the connection that showed it. Source: design 6.3. */
export type Certificate = Omit<TlsReport, "status" | "error">;

const MAX_SANS = 100;
const MAX_NAME_LENGTH = 256;

/**
 * The certificate of a connection that was made without verification (`verify: false`), for `host` at the instant
 * `now`, and OpenSSL's word for a failed chain, `CERT_HAS_EXPIRED`; null when the other side showed none.
 */
export function certificateOf(
  socket: TLSSocket,
  { host, now }: { readonly host: string; readonly now: Date },
): { readonly certificate: Certificate; readonly chainError: string | null } | null {
  const x509 = socket.getPeerX509Certificate();
  if (x509 === undefined) return null;
  const legacy = x509.toLegacyObject();
  const chainError = socket.authorized ? null : String(socket.authorizationError);
  const dates = datesOf(x509, now);
  const names = dnsNamesOf(x509.subjectAltName ?? "");
  const hostnameMatch = matchesHost(host, legacy, names);
  const certificate = {
    valid: chainError === null && hostnameMatch && !dates.expired && !dates.not_yet_valid,
    subject: nameOf(legacy.subject),
    issuer: nameOf(legacy.issuer),
    issuer_name: shown(x509.issuer.split("\n").join(", ")),
    sans: names.slice(0, MAX_SANS).map(shown),
    sans_count: names.length,
    ...dates,
    chain_valid: chainError === null,
    self_signed: isSelfSigned(x509),
    hostname_match: hostnameMatch,
    wildcard: names.some((name) => name.startsWith("*.")),
    serial: x509.serialNumber,
    fingerprint_sha256: x509.fingerprint256.replaceAll(":", "").toLowerCase(),
    ...keyOf(x509, legacy),
    signature_algorithm: x509.signatureAlgorithm ?? null,
    protocol: socket.getProtocol(),
    cipher: socket.getCipher()?.standardName ?? null,
    alpn: socket.alpnProtocol || null,
  };
  return { certificate, chainError };
}

/**
 * Whether the certificate names itself as its issuer and its own key verifies its signature (RFC 5280, 3.2).
 * `checkIssued` is no measure: it also wants the right to sign certificates and matching key identifiers.
 */
function isSelfSigned(x509: X509Certificate): boolean {
  if (x509.subject !== x509.issuer) return false;
  try {
    return x509.verify(x509.publicKey);
  } catch {
    return false; // a key that the library does not know verifies nothing
  }
}

function datesOf(x509: X509Certificate, now: Date) {
  const from = instantOf(x509.validFromDate);
  const to = instantOf(x509.validToDate);
  const days = (start: Date | null, end: Date | null) =>
    start && end && Math.floor((end.getTime() - start.getTime()) / DAY_MS);
  return {
    valid_from: from && isoSeconds(from),
    valid_to: to && isoSeconds(to),
    days_left: days(now, to),
    age_days: days(from, now),
    lifetime_days: days(from, to),
    expired: to !== null && now > to,
    not_yet_valid: from !== null && now < from,
  };
}

const instantOf = (date: Date): Date | null => (Number.isNaN(date.getTime()) ? null : date);

/**
 * By the rules of browsers: a name is looked for among the alternative names alone, never in the common name, where Node's
 * own clients look too (RFC 9525, 2). What cannot be read does not match.
 */
function matchesHost(host: string, certificate: PeerCertificate, names: readonly string[]): boolean {
  const bare = host.replace(/\.$/, "");
  if (names.length === 0 && readIp(bare) === null) return false;
  try {
    return checkServerIdentity(bare, certificate) === undefined;
  } catch {
    return false;
  }
}

/** The library gives a text, or an array of them where a part stands there several times. */
function nameOf(name: unknown): NonNullable<Certificate["subject"]> {
  const parts = new Map<string, unknown>(Object.entries(Object(name)));
  const part = (key: string): string | null => {
    const [value = null] = [parts.get(key)].flat();
    return typeof value === "string" && value !== "" ? shown(value) : null;
  };
  return { common_name: part("CN"), organization: part("O"), country: part("C") };
}

/** DNS names of `DNS:a.example, URI:"x, y", IP Address:192.0.2.1`: what holds a comma or quote is quoted as in JSON. */
function dnsNamesOf(text: string): string[] {
  const entry = /([^:,]+):("(?:[^"\\]|\\.)*"|[^,"]*)(?:, |$)/y;
  const names: string[] = [];
  for (let match = entry.exec(text); match !== null; match = entry.exec(text)) {
    const [, kind, value = ""] = match;
    if (kind === "DNS") names.push(value);
  }
  return names;
}

function keyOf(x509: X509Certificate, { bits }: PeerCertificate): Pick<Certificate, "key_type" | "key_bits"> {
  try {
    const { asymmetricKeyType = null } = x509.publicKey;
    return { key_type: asymmetricKeyType, key_bits: bits ?? (asymmetricKeyType === "ed25519" ? 256 : null) };
  } catch {
    return { key_type: null, key_bits: bits ?? null };
  }
}

const shown = (text: string): string => printableLine(text.slice(0, MAX_NAME_LENGTH));
