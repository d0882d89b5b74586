import type { Clock } from "../../base/clock.ts";
import type { Answer } from "../../base/failure.ts";
import type { CountLook } from "../../base/metrics.ts";
import { type Cacheable, createAnswerCache } from "../../net/dns/answer-cache.ts";
import { negativeTtlS, positiveTtlS } from "../../net/dns/dns-ttl.ts";
import type { Dns, DnsReply, RecordType } from "../../net/dns/dns-types.ts";
import { type WaitLimit, within } from "../../net/within.ts";
import { type Ip, keyOfIp, readIp } from "../../targets/ip.ts";
import { askThrough, type Ended } from "../dns-facts/ask-through.ts";
import type { Information } from "../facts.ts";

/** What reverse DNS says of an address. */
export type ReverseName = {
  /** First PTR name that is a host name, lower case, no final dot; null unless the status is `ok`. */
  readonly name: string | null;
  /** Null: it was not asked. */
  readonly status: Information["reverse_dns_status"];
  /** Whether the name resolves back to the address; null when that could not be found out. */
  readonly confirmed: boolean | null;
};

export type ReverseAnswer = { readonly reverse: ReverseName; readonly cached: boolean };

export type ReverseDns = {
  /**
   * At once where it is known, the failure of the last seconds included. Never rejects; `timeout` when `withinMs` run
   * out or the signal aborts first.
   */
  readonly find: (ip: Ip, patience: WaitLimit) => ReverseAnswer | Promise<ReverseAnswer>;
  /** What is known without asking; null: nothing. */
  readonly known: (ip: Ip) => ReverseName | null;
};

/** Not asked: a bogon, and no resolver of the operator's. */
export const NOT_ASKED: ReverseName = { name: null, status: null, confirmed: false };

/** Not asked, of an address that may well have a name: no DNS is to be asked at all. */
const UNASKED: ReverseName = { name: null, status: null, confirmed: null };

const TIMED_OUT: ReverseName = { name: null, status: "timeout", confirmed: null };
const FAILED: ReverseName = { name: null, status: "error", confirmed: null };
const NO_NAME: ReverseName = { name: null, status: "nxdomain", confirmed: false };

const MAX_ENTRIES = 20_000;

/**
 * Reverse names with their forward confirmation. Answers are kept for their TTL within 60 to 3600 s, "no name"
 * for at most 300 s, time-outs and errors never; equal lookups under way share one. A lookup asks two questions,
 * each of at most `timeoutMs`; a caller who cannot wait leaves, the lookup goes on for the others.
 * Source: design 3.4, 5.2.
 */
export function createReverseDns(options: {
  readonly dns: Pick<Dns, "query" | "recall" | "isOff">;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly count?: CountLook | null;
}): ReverseDns {
  const { dns, clock, count = null } = options;
  const cache = createAnswerCache<ReverseName>(clock, MAX_ENTRIES, count);
  const look = (ip: Ip) => cache.ask(keyOfIp(ip), () => lookUp(ip, options));
  const recall = (ip: Ip): ReverseAnswer | null => {
    const kept = cache.peek(keyOfIp(ip));
    if (kept !== null) return { reverse: kept, cached: true };
    const failure = dns.recall(reverseNameOf(ip), "PTR");
    if (failure === null) return null;
    count?.(false);
    return { reverse: isTimeout(failure) ? TIMED_OUT : FAILED, cached: false };
  };
  return {
    known: (ip) => cache.peek(keyOfIp(ip)),
    find: (ip, patience) => {
      if (dns.isOff) return { reverse: UNASKED, cached: false };
      const known = recall(ip);
      if (known !== null) return known;
      if (patience.withinMs <= 0 || patience.signal.aborted) return LATE;
      return within(look(ip), TIMED_OUT, { ...patience, clock }).then((reverse) => ({
        reverse,
        cached: false,
      }));
    },
  };
}

const LATE: ReverseAnswer = { reverse: TIMED_OUT, cached: false };

const isTimeout = (answer: Answer<DnsReply>): boolean =>
  answer.state === "unavailable" && answer.reason === "timeout";

type Lookup = {
  readonly dns: Pick<Dns, "query">;
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly timeoutMs: number;
};

async function lookUp(ip: Ip, lookup: Lookup): Promise<Cacheable<ReverseName>> {
  const found = readPtr(await ask(reverseNameOf(ip), "PTR", lookup));
  if (found.state === "none") return { value: found.reverse, ttlS: found.ttlS };
  const type = ip.version === "v4" ? "A" : "AAAA";
  const forward = readForward(await ask(found.name, type, lookup), ip);
  const value: ReverseName = { name: found.name, status: "ok", confirmed: forward.confirmed };
  return { value, ttlS: forward.confirmed === null ? 0 : Math.min(found.ttlS, forward.ttlS) };
}

const ask = (name: string, type: RecordType, { dns, clock, timeoutMs }: Lookup): Promise<Ended> =>
  askThrough({ dns, clock, timeoutMs }, { name, type, endMs: clock.monotonicMs() + timeoutMs + 1 });

type Ptr =
  | { readonly state: "name"; readonly name: string; readonly ttlS: number }
  | { readonly state: "none"; readonly reverse: ReverseName; readonly ttlS: number };

function readPtr({ reading, reply }: Ended): Ptr {
  if (reading.state === "failed") {
    return { state: "none", reverse: reading.outcome === "timeout" ? TIMED_OUT : FAILED, ttlS: 0 };
  }
  const { answers = [], authorities = [] } = reply ?? {};
  if (reading.outcome !== "ok") return { state: "none", reverse: NO_NAME, ttlS: negativeTtlS(authorities) };
  for (const record of reading.records) {
    const name = record.type === "PTR" ? hostNameOf(record.data) : null;
    if (name !== null) return { state: "name", name, ttlS: positiveTtlS(answers) };
  }
  return { state: "none", reverse: FAILED, ttlS: 0 };
}

/** What could not be found out confirms nothing and denies nothing. */
function readForward({ reading, reply }: Ended, ip: Ip): { confirmed: boolean | null; ttlS: number } {
  if (reading.state === "failed") return { confirmed: null, ttlS: 0 };
  const { answers = [], authorities = [] } = reply ?? {};
  const confirmed = reading.records.some(
    (record) => (record.type === "A" || record.type === "AAAA") && readIp(record.data)?.text === ip.text,
  );
  return { confirmed, ttlS: confirmed ? positiveTtlS(answers) : negativeTtlS(authorities) };
}

/** `4.3.2.1.in-addr.arpa` or the nibbles under `ip6.arpa`. Source: RFC 1035 3.5, RFC 3596 2.5. */
export function reverseNameOf(ip: Ip): string {
  if (ip.version === "v4") {
    const { value } = ip;
    return `${value & 255}.${(value >>> 8) & 255}.${(value >>> 16) & 255}.${value >>> 24}.in-addr.arpa`;
  }
  const nibbles = ip.words.map((word) => word.toString(16).padStart(8, "0")).join("");
  return `${[...nibbles].toReversed().join(".")}.ip6.arpa`;
}

const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;

/**
 * The host name in a PTR record: lower case, no final dot; null when it is none. The holder of the address writes
 * this text, so nothing but letters, digits, hyphens and underscores passes.
 */
export function hostNameOf(text: string): string | null {
  const name = text.toLowerCase().replace(/\.$/, "");
  if (name.length === 0 || name.length > 253) return null;
  const labels = name.split(".");
  if (/^\d+$/.test(labels.at(-1) ?? "")) return null; // an address, not a name
  return labels.every((label) => LABEL.test(label)) ? name : null;
}
