import { Reader, type Response } from "mmdb-lib";
import type { Ip } from "../targets/ip.ts";

/** A MaxMind DB file of the operator's. */
export type OperatorDatabase = {
  /** The record of the address as it stands in the file, else null. */
  readonly find: (ip: Ip) => unknown;
  /** ISO 8601: when it was built. */
  readonly publishedAt: string;
};

/** Opens a MaxMind DB file. Throws when the bytes are none. A file of IPv4 alone knows no IPv6 address. */
export function openOperatorDatabase(bytes: Buffer): OperatorDatabase {
  const reader = new Reader<Response>(bytes);
  const { ipVersion, buildEpoch } = reader.metadata;
  return {
    find: (ip) => (ip.version === "v6" && ipVersion === 4 ? null : reader.get(ip.text)),
    publishedAt: buildEpoch.toISOString(),
  };
}
