import { constants, X509Certificate } from "node:crypto";
import { createSecureContext, getCACertificates, type SecureContext } from "node:tls";
import { readNamedFile } from "../../base/read-named-file.ts";

/** What a TLS connection believes and speaks; made once, since reading the authorities takes 15 ms. */
export type Trust = {
  /** TLS 1.2 and newer. */
  readonly current: SecureContext;
  /**
   * TLS 1.0 and newer with whatever ciphers the library still has, also of servers that know no secure renegotiation
   * (RFC 5746), as browsers do: for looks that send nothing secret (security P6).
   */
  readonly legacy: SecureContext;
};

const BLOCK = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/**
 * The authorities that Node trusts (also by its own variables) and those of a PEM file (`fetch.ca_file`) beside them.
 * Throws when the file cannot be read or holds no certificate.
 */
export function createTrust(caFile: string | null): Trust {
  const ca = caFile === null ? {} : { ca: [...getCACertificates("default"), ...readAuthorities(caFile)] };
  return {
    current: createSecureContext({ ...ca, minVersion: "TLSv1.2" }),
    legacy: createSecureContext({
      ...ca,
      minVersion: "TLSv1",
      ciphers: "DEFAULT@SECLEVEL=0",
      secureOptions: constants.SSL_OP_LEGACY_SERVER_CONNECT,
    }),
  };
}

function readAuthorities(path: string): readonly string[] {
  const blocks = readNamedFile(path, "fetch.ca_file").toString("latin1").match(BLOCK) ?? [];
  if (blocks.length === 0) throw new Error(`Cannot use "fetch.ca_file": no certificate (PEM) in "${path}"`);
  for (const [i, block] of blocks.entries()) {
    try {
      new X509Certificate(block);
    } catch (error) {
      throw new Error(`Cannot use "fetch.ca_file": certificate ${i + 1} in "${path}" is broken`, {
        cause: error,
      });
    }
  }
  return blocks;
}
