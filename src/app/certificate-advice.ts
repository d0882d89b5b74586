import { isCertificateFault } from "../net/tls/tls-faults.ts";

/** What to do about a certificate of the operator's own server that is not accepted; null: the error is another one. */
export function certificateAdvice(error: unknown, variable: string, own: string): string | null {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID")
    return `Write the host in ${variable} as the server's certificate names it`;
  return isCertificateFault(code) ? `Check ${variable} and the server's certificate, and ${own}` : null;
}
