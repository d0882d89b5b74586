import { readFileSync } from "node:fs";
import { Reader, type Response } from "mmdb-lib";
import type { Ip } from "../targets/ip.ts";

/** A MaxMind DB file of the operator's. */
export type OperatorDatabase = {
  /** The record of the address as it stands in the file, else null. */
  readonly find: (ip: Ip) => unknown;
  /** ISO 8601: when it was built. */
  readonly publishedAt: string;
};

/**
 * Opens the MaxMind DB file that a key of the configuration names. Throws, with that key, when it cannot be read or is
 * none. A file of IPv4 alone knows no IPv6 address.
 */
export function openOperatorDatabase(key: string, path: string): OperatorDatabase {
  const reader = readerOf(key, path);
  const { ipVersion, buildEpoch } = reader.metadata;
  return {
    find: (ip) => (ip.version === "v6" && ipVersion === 4 ? null : reader.get(ip.text)),
    publishedAt: buildEpoch.toISOString(),
  };
}

function readerOf(key: string, path: string): Reader<Response> {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "unreadable";
    throw new Error(`Cannot use "${key}": cannot read "${path}" (${code})`, { cause });
  }
  try {
    return new Reader<Response>(bytes);
  } catch (cause) {
    throw new Error(`Cannot use "${key}": "${path}" is no MaxMind DB file`, { cause });
  }
}
