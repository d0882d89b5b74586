import { Reader, type Response } from "mmdb-lib";
import { InvalidValue } from "../base/failure.ts";
import { readNamedFile } from "../base/read-named-file.ts";
import { formatIpv4, formatIpv6, type Ip } from "../targets/ip.ts";
import { type MmdbTree, openMmdbTree, splitFamilies, walkMmdb } from "./ip/geo/mmdb-tree.ts";

/** A MaxMind DB file of the operator's. */
export type OperatorDatabase = {
  /** The record of the address as it stands in the file, else null. */
  readonly find: (ip: Ip) => unknown;
  /** ISO 8601: when it was built. */
  readonly publishedAt: string;
};

/** Which key of the configuration names the file, and what has to be in it. */
export type OperatorDatabaseOptions = {
  readonly key: string;
  /** In the plural, e.g. places. */
  readonly holds: string;
  readonly isRow: (record: unknown) => boolean;
};

/**
 * Opens the MaxMind DB file that a key of the configuration names. Throws, with that key, when it cannot be read, is none, or
 * holds something else. A file of IPv4 alone knows no IPv6 address.
 */
export function openOperatorDatabase(path: string, options: OperatorDatabaseOptions): OperatorDatabase {
  const { key, holds } = options;
  const bytes = readNamedFile(path, key);
  const reader = readerOf(bytes, path, key);
  const { ipVersion, buildEpoch } = reader.metadata;
  if (!hasRow(bytes, reader, options)) throw new Error(`Cannot use "${key}": "${path}" holds no ${holds}`);
  return {
    find: (ip) => (ip.version === "v6" && ipVersion === 4 ? null : recordOf(reader, ip.text)),
    publishedAt: buildEpoch.toISOString(),
  };
}

/** A record that cannot be read, as of a damaged file, is none. */
function recordOf(reader: Reader<Response>, address: string): unknown {
  try {
    return reader.get(address);
  } catch (error) {
    if (error instanceof Error) return null;
    throw error;
  }
}

/** Networks that are looked at before a file counts as one of another kind. */
const MAX_LOOKED_AT = 20_000;

/** Whether one of the first networks of the file has a record of the kind. */
function hasRow(bytes: Buffer, reader: Reader<Response>, { isRow }: OperatorDatabaseOptions): boolean {
  let isFound = false;
  let looked = 0;
  try {
    for (const tree of familiesOf(openMmdbTree(bytes))) {
      walkMmdb(tree, (upper, lower, dataOffset) => {
        if (isFound || dataOffset < 0 || looked++ >= MAX_LOOKED_AT) return;
        const address = tree.bits === 32 ? formatIpv4(upper >>> 0) : formatIpv6([upper, lower, 0, 0]);
        isFound = isRow(recordOf(reader, address));
      });
    }
  } catch (error) {
    if (!(error instanceof InvalidValue)) throw error;
  }
  return isFound;
}

/** IPv4 inside IPv6 has a walk of its own; a file of IPv6 alone has none. */
function familiesOf(tree: MmdbTree): readonly MmdbTree[] {
  if (tree.bits === 32) return [tree];
  try {
    const { v4, v6 } = splitFamilies(tree);
    return [v4, v6];
  } catch (error) {
    if (error instanceof InvalidValue) return [tree];
    throw error;
  }
}

function readerOf(bytes: Buffer, path: string, key: string): Reader<Response> {
  try {
    return new Reader<Response>(bytes);
  } catch (cause) {
    throw new Error(`Cannot use "${key}": "${path}" is not a MaxMind DB file`, { cause });
  }
}
