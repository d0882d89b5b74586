/** A DNSKEY as the wire has it, its key in octets. The protocol is always 3. */
export type KeyOctets = { readonly flags: number; readonly algorithm: number; readonly key: Buffer };

const RSAMD5 = 1;

/** The rdata of a DNSKEY: flags, protocol 3, algorithm, key. Source: RFC 4034, 2.1. */
export const keyRdata = ({ flags, algorithm, key }: KeyOctets): Buffer =>
  Buffer.concat([Buffer.from([flags >> 8, flags & 255, 3, algorithm]), key]);

/** The number by which DS and RRSIG records name a key; not unique. Source: RFC 4034, appendix B. */
export function keyTagOf(dnskey: KeyOctets): number {
  // B.1: of the oldest algorithm it is part of the modulus instead.
  if (dnskey.algorithm === RSAMD5)
    return dnskey.key.length < 3 ? 0 : dnskey.key.readUInt16BE(dnskey.key.length - 3);
  let sum = 0;
  for (const [i, octet] of keyRdata(dnskey).entries()) sum += i % 2 === 0 ? octet * 256 : octet;
  sum += Math.floor(sum / 65_536) % 65_536;
  return sum % 65_536;
}
