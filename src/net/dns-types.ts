import type { Answer as PacketAnswer } from "dns-packet";
import type { Answer } from "../failure.ts";
import type { SvcbAnswer } from "./svcb.ts";

/** Types that a lookup may ask for (design 8.1). */
export type RecordType =
  | "A"
  | "AAAA"
  | "CNAME"
  | "MX"
  | "NS"
  | "TXT"
  | "SOA"
  | "CAA"
  | "SRV"
  | "PTR"
  | "DS"
  | "DNSKEY"
  | "TLSA"
  | "HTTPS"
  | "SVCB"
  | "NAPTR";

/** One record as `dns-packet` gives it, names lower case; HTTPS and SVCB, which it does not know, decoded. */
export type DnsRecord = PacketAnswer | SvcbAnswer;

export type DnsOptions = {
  readonly signal?: AbortSignal;
  /** Ask with CD set: no validation at the resolver. */
  readonly checkingDisabled?: boolean;
  /** Whole question over all tries; default the configured time-out, one retry at the next server included. */
  readonly timeoutMs?: number;
};

/** What a server said: any rcode is an answer to the question, also REFUSED and SERVFAIL. */
export type DnsReply = {
  readonly rcode: string;
  readonly authenticatedData: boolean;
  /** Records of the answer section in wire order, signatures included. */
  readonly answers: readonly DnsRecord[];
  readonly authorities: readonly DnsRecord[];
  readonly server: string;
  readonly elapsedMs: number;
};

/** The resolver client. Time-out, broken packet and unreachable server are `unavailable`. */
export type Dns = {
  readonly query: (name: string, type: RecordType, options?: DnsOptions) => Promise<Answer<DnsReply>>;
  /** True when the operator named the servers (`dns.servers`), false for the system's resolvers. */
  readonly configured: boolean;
  readonly close: () => void;
};
