/** OpenSSL's and Node's words for a certificate that is not accepted. Sources: openssl verify(1), Node's "X509 certificate error codes". */
const FAULTS: ReadonlyMap<string, string> = new Map([
  ["CERT_HAS_EXPIRED", "the certificate has expired"],
  ["CERT_NOT_YET_VALID", "the certificate is not valid yet"],
  ["CERT_REVOKED", "the certificate was revoked"],
  ["CERT_UNTRUSTED", "the certificate's issuer is not trusted"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "the certificate is self-signed"],
  ["SELF_SIGNED_CERT_IN_CHAIN", "the certificate's issuer is not trusted"],
  ["UNABLE_TO_GET_ISSUER_CERT", "the certificate's issuer is not known"],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "the certificate's issuer is not known"],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "the certificate's issuer is not known"],
  ["INVALID_PURPOSE", "the certificate is not meant for servers"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "the certificate is for another host"],
  ["ERR_SSL_WRONG_VERSION_NUMBER", "the other side does not speak TLS"],
  ["ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION", "there is no version of TLS that both sides speak"],
  ["ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL", "the server speaks no HTTP/1.1, such as HTTP/2 alone"],
  ["ERR_SSL_TLSV1_UNRECOGNIZED_NAME", "the server has no site of this name"],
  ["ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED", "the server wants a certificate of the client"],
  ["ECONNRESET", "the other side closed the connection"],
]);

/** What a handshake's code says, with the code to search for; a code that is not known as it is. */
export function tlsFault(code: string): string {
  const fault = FAULTS.get(code);
  return fault === undefined ? code : `${fault} (${code})`;
}

/** Why there is no secure connection, as a sentence. */
export const handshakeFault = (code: string): string => `The TLS handshake failed: ${tlsFault(code)}`;

/** Whether OpenSSL's code says that the other side, or we, gave up TLS. */
export const isTlsRefusal = (code: string): boolean => code.startsWith("ERR_SSL_");

/** Whether a code says that a server's certificate is not accepted. */
export const isCertificateFault = (code: string): boolean =>
  FAULTS.has(code) && !isTlsRefusal(code) && code !== "ECONNRESET";

/**
 * Why a chain of certificates is not accepted, as a sentence for people. OpenSSL calls self-signed what only names itself as its
 * issuer.
 */
export function chainFault(code: string, isSelfSigned: boolean | null): string {
  const isOnlyNamed = code === "DEPTH_ZERO_SELF_SIGNED_CERT" && isSelfSigned === false;
  const known = FAULTS.get(isOnlyNamed ? "UNABLE_TO_GET_ISSUER_CERT" : code);
  const fault = known ?? "the chain of certificates is not trusted";
  return fault.charAt(0).toUpperCase() + fault.slice(1);
}
