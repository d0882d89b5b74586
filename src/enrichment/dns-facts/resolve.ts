import type { Clock } from "../../base/clock.ts";
import type { Outcome } from "../../net/dns/dns-reading.ts";
import type { Dns, RecordType } from "../../net/dns/dns-types.ts";
import { askThrough, type Ended } from "./ask-through.ts";
import { type RecordOf, recordObject, sortedRecords, stringsOf } from "./records.ts";

/** The end of a lookup's time, and of its asker's patience. */
export type LookupTime = {
  readonly signal: AbortSignal;
  /** Monotonic milliseconds at which the answer must go out. */
  readonly deadlineMs: number;
};

/** How the question for one type ended, with what it found. */
export type Resolved<T extends RecordType> = {
  readonly type: T;
  readonly outcome: Outcome;
  /** What the resolver said last; null when it said nothing that could be read. */
  readonly rcode: string | null;
  /** Whether every reply on the way had AD. */
  readonly authenticatedData: boolean;
  /** Zone of the SOA that came with a negative answer. */
  readonly authority: string | null;
  /** Sorted; empty unless the outcome is `ok`. */
  readonly records: readonly RecordOf<T>[];
  /** What each TXT record holds, its strings joined, as octets; empty for other types. */
  readonly texts: readonly Buffer[];
  /** CNAME targets in the order they were followed. */
  readonly chain: readonly string[];
  /** Why there is no answer; null when there is one. */
  readonly message: string | null;
  readonly elapsedMs: number;
};

export type DnsRecords = {
  /** Asks for one type of one name, following CNAME records. Never rejects for an upstream's sake. */
  readonly resolve: <T extends RecordType>(name: string, type: T, time: LookupTime) => Promise<Resolved<T>>;
};

/** Kept back of the deadline for putting the answer together. */
const REPORT_MS = 20;

/** Whether the question was answered, be it that there is nothing. */
export const isAnswered = ({ outcome }: { readonly outcome: Outcome }): boolean =>
  outcome === "ok" || outcome === "nodata" || outcome === "nxdomain";

/**
 * Questions for records, judged: each question `timeoutMs` at most, a type with all the CNAME records it leads
 * through twice that, and none beyond the deadline. Source: design 8.2, security P22.
 */
export function createDnsRecords(parts: {
  readonly dns: Pick<Dns, "query">;
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly timeoutMs: number;
}): DnsRecords {
  const { clock, timeoutMs } = parts;
  return {
    resolve: (name, type, time) => {
      const startedMs = clock.monotonicMs();
      const endMs = Math.min(startedMs + 2 * timeoutMs, time.deadlineMs - REPORT_MS);
      const { signal } = time;
      return askThrough(parts, { name, type, endMs, signal }).then((ended) =>
        resolvedOf(type, ended, clock.monotonicMs() - startedMs),
      );
    },
  };
}

function resolvedOf<T extends RecordType>(type: T, ended: Ended, elapsedMs: number): Resolved<T> {
  const { reading, reply, authenticatedData } = ended;
  const [, ...chain] = reading.chain;
  const common = { type, rcode: reply?.rcode ?? null, authenticatedData, chain, elapsedMs };
  if (reading.state === "failed") {
    const { outcome, message } = reading;
    return { ...common, outcome, authority: null, records: [], texts: [], message };
  }
  const { outcome, authority } = reading;
  const records = reading.records.map(recordObject).filter((record) => isOfType(record, type));
  const texts = reading.records.flatMap((record) =>
    record.type === "TXT" ? [Buffer.concat(stringsOf(record))] : [],
  );
  return { ...common, outcome, authority, records: oneSoa(sortedRecords(records)), texts, message: null };
}

const isOfType = <T extends RecordType>(
  record: ReturnType<typeof recordObject>,
  type: T,
): record is RecordOf<T> & NonNullable<typeof record> => record?.type === type;

/** A name has one SOA (RFC 2136, 1.1.1). */
const oneSoa = <T extends { readonly type: RecordType }>(records: readonly T[]): readonly T[] =>
  records[0]?.type === "SOA" ? records.slice(0, 1) : records;
