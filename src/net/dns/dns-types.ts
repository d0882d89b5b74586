import type { Answer as PacketAnswer } from "dns-packet";
import type { Answer } from "../../base/failure.ts";
import type { SvcbAnswer } from "./svcb.ts";

/** Types that a lookup may ask for (design 8.1). */
export const RECORD_TYPES = [
  ...(["A", "AAAA", "CNAME", "MX", "NS", "TXT", "SOA", "CAA"] as const),
  ...(["SRV", "PTR", "DS", "DNSKEY", "TLSA", "HTTPS", "SVCB", "NAPTR"] as const),
] as const;
export type RecordType = (typeof RECORD_TYPES)[number];

/** One record as `dns-packet` gives it, names lower case; HTTPS and SVCB, which it does not know, decoded. */
export type DnsRecord = PacketAnswer | SvcbAnswer;

export type DnsOptions = {
  readonly signal?: AbortSignal;
  /** Ask with CD set: no validation at the resolver. */
  readonly checkingDisabled?: boolean;
  /** Whole question over all tries; default the configured time-out, one retry at the next server included. */
  readonly timeoutMs?: number;
  /**
   * The zone with whose questions this one takes turns, of an asker who lets a silent zone rest himself. Default: the
   * registered domain, or the network of a reverse name; when it is silent again and again, the client lets it rest.
   */
  readonly zone?: string;
  /** Ask although the same question failed in the last seconds: a retry that tells whether the failure lasts. */
  readonly isRetry?: boolean;
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

/** Of one question to the resolver client itself. */
export type ClientOptions = DnsOptions & {
  /** `DnsReply.server` of the one server to ask. */
  readonly only?: string;
  /** Servers that are asked only when there are no others. */
  readonly avoid?: ReadonlySet<string>;
};

/** The resolver client as it is, whether its servers tell the truth or not. */
export type DnsClient = Omit<Dns, "query" | "recall"> & {
  readonly recall: (name: string, type: RecordType, options?: ClientOptions) => Answer<DnsReply> | null;
  readonly query: (name: string, type: RecordType, options?: ClientOptions) => Promise<Answer<DnsReply>>;
  /** As `DnsReply.server` names them. */
  readonly servers: readonly string[];
};

/** Questions to resolvers. Time-out, broken packet and unreachable server are `unavailable`. */
export type Dns = {
  readonly query: (name: string, type: RecordType, options?: DnsOptions) => Promise<Answer<DnsReply>>;
  /** The failure that `query` would end in at once, because it is known and no server would be asked; else null. */
  readonly recall: (name: string, type: RecordType, options?: DnsOptions) => Answer<DnsReply> | null;
  /** True when the operator named the servers (`dns.servers`), false for the system's resolvers. */
  readonly configured: boolean;
  /** Whether it asks no server at all, as the operator told it (`--offline`); default: false. */
  readonly isOff?: boolean;
  readonly close: () => void;
};
