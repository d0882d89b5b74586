import type { DnsRecord, DnsReply, RecordType } from "./dns-types.ts";

/** How a question about one type ended. Source: design 8.2. */
export const OUTCOMES = ["ok", "nodata", "nxdomain", "servfail", "refused", "timeout", "error"] as const;

export type Outcome = (typeof OUTCOMES)[number];

/** What one reply says about a question. */
export type ReplyMeaning =
  /** The records are those of the last name of the chain; empty for NODATA and NXDOMAIN. */
  | {
      readonly state: "answered";
      readonly outcome: "ok" | "nodata" | "nxdomain";
      readonly chain: readonly string[];
      readonly records: readonly DnsRecord[];
      /** Zone of the SOA of a negative answer. */
      readonly authority: string | null;
    }
  | {
      readonly state: "failed";
      readonly outcome: "servfail" | "refused" | "error";
      readonly chain: readonly string[];
      readonly message: string;
    }
  /** The reply ends at a CNAME whose target must be asked for. */
  | { readonly state: "follow"; readonly chain: readonly string[] };

/** Security P22. */
const MAX_CNAMES = 16;

/**
 * Reads a reply to the question for `type` at the last name of `chain`, whose first is the name asked for.
 * Records that belong to other names are no part of the answer. The reading's chain holds the given one.
 * Source: RFC 1034 3.6.2, RFC 2308, RFC 6604, design 8.2.
 */
export function readReply(reply: DnsReply, type: RecordType, chain: readonly string[]): ReplyMeaning {
  const walked = type === "CNAME" ? { chain, fault: null } : walkCnames(reply.answers, type, chain);
  if (walked.fault !== null)
    return { state: "failed", outcome: "error", chain: walked.chain, message: walked.fault };
  const failure = failureOf(reply.rcode);
  if (failure !== null) return { state: "failed", chain: walked.chain, ...failure };
  const records = recordsAt(reply.answers, type, walked.chain.at(-1));
  const authority = reply.authorities.find((record) => record.type === "SOA")?.name ?? null;
  const answered = { state: "answered", chain: walked.chain, records } as const;
  if (reply.rcode === "NXDOMAIN") return { ...answered, outcome: "nxdomain", records: [], authority };
  if (records.length > 0) return { ...answered, outcome: "ok", authority: null };
  // Without an SOA the reply may have stopped at a name of a zone that the server does not know.
  if (authority === null && walked.chain.length > chain.length)
    return { state: "follow", chain: walked.chain };
  if (authority === null && reply.authorities.some((record) => record.type === "NS")) {
    const message = "The resolver answered with a referral: it does not look up names for us";
    return { state: "failed", outcome: "error", chain: walked.chain, message };
  }
  if (authority === null && reply.answers.some((record) => record.type === type)) {
    const message = "The resolver's answer is about another name";
    return { state: "failed", outcome: "error", chain: walked.chain, message };
  }
  return { ...answered, outcome: "nodata", authority };
}

const recordsAt = (records: readonly DnsRecord[], type: RecordType, name: string | undefined): DnsRecord[] =>
  records.filter((record) => record.type === type && record.name === name);

type Walk = { readonly chain: readonly string[]; readonly fault: string | null };

function walkCnames(records: readonly DnsRecord[], type: RecordType, start: readonly string[]): Walk {
  const targets = targetsOf(records);
  const chain = [...start];
  for (;;) {
    const at = chain.at(-1) ?? "";
    const next = targets.get(at);
    if (next === undefined || recordsAt(records, type, at).length > 0) return { chain, fault: null };
    if (chain.includes(next)) return { chain, fault: "The CNAME records lead in a circle" };
    if (chain.length > MAX_CNAMES) return { chain, fault: `More than ${MAX_CNAMES} CNAME records in a row` };
    chain.push(next);
  }
}

/** A name has one CNAME; of several the first by name is taken, whatever order they came in. */
function targetsOf(records: readonly DnsRecord[]): ReadonlyMap<string, string> {
  const targets = new Map<string, string>();
  for (const record of records) {
    if (record.type !== "CNAME") continue;
    const known = targets.get(record.name);
    if (known === undefined || record.data < known) targets.set(record.name, record.data);
  }
  return targets;
}

type Failure = { readonly outcome: "servfail" | "refused" | "error"; readonly message: string };

function failureOf(rcode: string): Failure | null {
  switch (rcode) {
    case "NOERROR":
    case "NXDOMAIN":
      return null;
    case "SERVFAIL":
      return {
        outcome: "servfail",
        message: "The resolver could not find an answer, or not one that validates",
      };
    case "REFUSED":
      return { outcome: "refused", message: "The resolver refused the question" };
    default:
      return { outcome: "error", message: `The resolver answered ${rcode}` };
  }
}
