import type { X509Certificate } from "node:crypto";
import { checkServerIdentity, type PeerCertificate, type TLSSocket } from "node:tls";
import { printableLine } from "../printable.ts";

/** The parts of a distinguished name that people know. */
export type CertificateName = {
  readonly commonName: string | null;
  readonly organization: string | null;
  readonly country: string | null;
};

/** A certificate and the connection that showed it, judged but not trusted (design 6.3). */
export type Certificate = {
  /** Chain trusted, host matches, in date. */
  readonly valid: boolean;
  readonly subject: CertificateName;
  readonly issuer: CertificateName;
  /** The issuer's whole name in one line: `C=US, O=Let's Encrypt, CN=R11`. */
  readonly issuerName: string;
  /** DNS names, the first 100. */
  readonly sans: readonly string[];
  readonly sansCount: number;
  /** Null where the certificate's instant cannot be read; so with what is counted from it. */
  readonly validFrom: Date | null;
  readonly validTo: Date | null;
  /** Whole days, negative after the end. */
  readonly daysLeft: number | null;
  readonly ageDays: number | null;
  readonly lifetimeDays: number | null;
  readonly chainValid: boolean;
  /** Its own key signed it, whatever else is wrong with it. */
  readonly selfSigned: boolean;
  readonly hostnameMatch: boolean;
  readonly expired: boolean;
  readonly notYetValid: boolean;
  /** Some name in it begins with `*.`. */
  readonly wildcard: boolean;
  /** Hexadecimal, as OpenSSL prints it. */
  readonly serial: string;
  /** Lower-case hexadecimal without colons. */
  readonly fingerprintSha256: string;
  /** `rsa`, `ec`, `ed25519` …; null where the library does not know the key. */
  readonly keyType: string | null;
  readonly keyBits: number | null;
  /** As OpenSSL names it: `ecdsa-with-SHA256`. */
  readonly signatureAlgorithm: string | null;
  /** As negotiated: `TLSv1.3`, `TLS_AES_256_GCM_SHA384`, `h2`. */
  readonly protocol: string | null;
  readonly cipher: string | null;
  readonly alpn: string | null;
  /** OpenSSL's word for a failed chain, `CERT_HAS_EXPIRED`; null where it holds. */
  readonly chainError: string | null;
};

const MAX_SANS = 100;
const MAX_NAME_LENGTH = 256;
const DAY_MS = 86_400_000;

/**
 * The certificate of a connection that was made without verification (`verify: false`), for `host` at the instant
 * `now`; null when the other side showed none.
 */
export function certificateOf(
  socket: TLSSocket,
  { host, now }: { readonly host: string; readonly now: Date },
): Certificate | null {
  const x509 = socket.getPeerX509Certificate();
  if (x509 === undefined) return null;
  const legacy = x509.toLegacyObject();
  const chainError = socket.authorized ? null : String(socket.authorizationError);
  const dates = datesOf(x509, now);
  const hostnameMatch = matchesHost(host, legacy);
  const names = dnsNamesOf(x509.subjectAltName ?? "");
  return {
    valid: chainError === null && hostnameMatch && !dates.expired && !dates.notYetValid,
    subject: nameOf(legacy.subject),
    issuer: nameOf(legacy.issuer),
    issuerName: shown(x509.issuer.split("\n").join(", ")),
    sans: names.slice(0, MAX_SANS).map(shown),
    sansCount: names.length,
    ...dates,
    chainValid: chainError === null,
    selfSigned: isSelfSigned(x509),
    hostnameMatch,
    wildcard: names.some((name) => name.startsWith("*.")),
    serial: x509.serialNumber,
    fingerprintSha256: x509.fingerprint256.replaceAll(":", "").toLowerCase(),
    ...keyOf(x509, legacy),
    signatureAlgorithm: x509.signatureAlgorithm ?? null,
    protocol: socket.getProtocol(),
    cipher: socket.getCipher()?.standardName ?? null,
    alpn: socket.alpnProtocol || null,
    chainError,
  };
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
    validFrom: from,
    validTo: to,
    daysLeft: days(now, to),
    ageDays: days(from, now),
    lifetimeDays: days(from, to),
    expired: to !== null && now > to,
    notYetValid: from !== null && now < from,
  };
}

const instantOf = (date: Date): Date | null => (Number.isNaN(date.getTime()) ? null : date);

/** By the rules that Node's own clients keep (RFC 6125); what they cannot read does not match. */
function matchesHost(host: string, certificate: PeerCertificate): boolean {
  try {
    return checkServerIdentity(host.replace(/\.$/, ""), certificate) === undefined;
  } catch {
    return false;
  }
}

/** The library gives a text, or an array of them where a part stands there several times. */
function nameOf(name: unknown): CertificateName {
  const parts = new Map<string, unknown>(Object.entries(Object(name)));
  const part = (key: string): string | null => {
    const [value = null] = [parts.get(key)].flat();
    return typeof value === "string" && value !== "" ? shown(value) : null;
  };
  return { commonName: part("CN"), organization: part("O"), country: part("C") };
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

function keyOf(x509: X509Certificate, { bits }: PeerCertificate): Pick<Certificate, "keyType" | "keyBits"> {
  try {
    const { asymmetricKeyType = null } = x509.publicKey;
    return { keyType: asymmetricKeyType, keyBits: bits ?? (asymmetricKeyType === "ed25519" ? 256 : null) };
  } catch {
    return { keyType: null, keyBits: bits ?? null };
  }
}

const shown = (text: string): string => printableLine(text.slice(0, MAX_NAME_LENGTH));
