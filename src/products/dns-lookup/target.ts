import { InvalidValue } from "../../base/failure.ts";
import { reverseNameOf } from "../../enrichment/ip/reverse-dns.ts";
import type { RecordType } from "../../net/dns/dns-types.ts";
import { type Domain, parseDomain } from "../../targets/domain.ts";
import { type Ip, parseIp } from "../../targets/ip.ts";
import { specialPurposeOf } from "../../targets/special-purpose.ts";
import { parseRecordTypes, typesOfAddress, typesOfName } from "./record-types.ts";

/** What one lookup asks for. */
export type DnsTarget = {
  /** As it was sent. */
  readonly input: string;
  /** A-labels, or the address in its one spelling. */
  readonly domain: string;
  readonly unicode: string;
  readonly registeredDomain: string | null;
  /** The name really asked. */
  readonly queryName: string;
  readonly types: readonly RecordType[];
  /** An address that no stranger may be asked about (design 1). */
  readonly isBogon: boolean;
};

/** A name or an address. Throws InvalidValue. Source: design 2, 8.1. */
export function parseSubject(text: string): Domain | Ip {
  try {
    return parseDomain(text);
  } catch (error) {
    if (error instanceof InvalidValue && error.reason === "ip_address") return parseIp(text);
    throw error;
  }
}

/** Throws InvalidValue. Source: design 8.1. */
export function dnsTargetOf(input: string, recordType: string): DnsTarget {
  const subject = parseSubject(input);
  const names = parseRecordTypes(recordType);
  if ("version" in subject) {
    return {
      input,
      domain: subject.text,
      unicode: subject.text,
      registeredDomain: null,
      queryName: reverseNameOf(subject),
      types: typesOfAddress(names),
      isBogon: specialPurposeOf(subject)?.isBogon ?? false,
    };
  }
  const { name, unicode, registeredDomain } = subject;
  return {
    input,
    domain: name,
    unicode,
    registeredDomain,
    queryName: name,
    types: typesOfName(names),
    isBogon: false,
  };
}
