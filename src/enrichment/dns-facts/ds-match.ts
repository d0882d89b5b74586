import { createHash } from "node:crypto";
import { type KeyOctets, keyRdata, keyTagOf } from "./key-tag.ts";

/** A DS record as the wire has it. */
export type DsOctets = {
  readonly keyTag: number;
  readonly algorithm: number;
  readonly digestType: number;
  readonly digest: Buffer;
};

/** Source: IANA "Delegation Signer (DS) Resource Record (RR) Type Digest Algorithms". */
const HASHES = new Map([
  [1, "sha1"],
  [2, "sha256"],
  [4, "sha384"],
]);
const ZONE_KEY = 0x0100;

/** Key tags are easily made to collide, and each pair costs a hash (CVE-2023-50387): beyond this no key is judged. */
const MAX_HASHES = 64;

/**
 * Whether one of the zone's keys is one that the parent names; null when that cannot be told: digests of
 * unknown kinds only, or too many keys of one tag. Source: RFC 4034 5.1.4, RFC 4035 5.2.
 */
export function isDelegated(
  name: string,
  ds: readonly DsOctets[],
  keys: readonly KeyOctets[],
): boolean | null {
  const readable = ds.filter(({ digestType }) => HASHES.has(digestType));
  if (readable.length === 0) return null;
  const zoneKeys = keys.filter(({ flags }) => (flags & ZONE_KEY) !== 0);
  const byTag = Map.groupBy(zoneKeys, (key) => `${keyTagOf(key)} ${key.algorithm}`);
  let hashes = 0;
  for (const one of readable) {
    for (const key of byTag.get(`${one.keyTag} ${one.algorithm}`) ?? []) {
      if (++hashes > MAX_HASHES) return null;
      if (digestOf(name, key, one.digestType).equals(one.digest)) return true;
    }
  }
  return false;
}

const digestOf = (name: string, key: KeyOctets, digestType: number): Buffer =>
  createHash(HASHES.get(digestType) ?? "sha256")
    .update(wireName(name))
    .update(keyRdata(key))
    .digest();

const wireName = (name: string): Buffer =>
  Buffer.concat([
    ...name.split(".").map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)])),
    Buffer.from([0]),
  ]);
