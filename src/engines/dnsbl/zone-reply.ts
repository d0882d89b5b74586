import { printableLine, withoutHidden } from "../../base/clean-text.ts";
import type { Answer, Reason } from "../../base/failure.ts";
import { negativeTtlS, positiveTtlS } from "../../net/dns/dns-ttl.ts";
import type { DnsRecord, DnsReply } from "../../net/dns/dns-types.ts";
import { parseIpv4Value } from "../../targets/ip.ts";

/** What a zone said to one question, or why it said nothing that counts. */
export type ZoneReply =
  | {
      readonly state: "answered";
      /** Addresses as numbers, sorted, each once; none: not listed. */
      readonly values: readonly number[];
      readonly ttlS: number;
    }
  | {
      readonly state: Reason;
      readonly detail: string;
      /** No question was sent: it repeats a failure of the last seconds (RFC 9520). */
      readonly isRepeated?: true;
    };

const MAX_ALIASES = 16;
/** More answers than any list has meanings. */
const MAX_ADDRESSES = 64;
const MAX_WORDS_CHARS = 300;

const failed = (detail: string): ZoneReply => ({ state: "error", detail });

/**
 * Reads the reply to an A question for `name` (lower case). NXDOMAIN and NOERROR without an address are the only
 * forms of "not listed"; records that are not about the name are no answer. Source: design 3.5, security P22.
 */
export function readAddresses(answer: Answer<DnsReply>, name: string): ZoneReply {
  if (answer.state === "unavailable") {
    const { reason, detail, isRepeated } = answer;
    return { state: reason, detail, ...(isRepeated && { isRepeated }) };
  }
  const { rcode, answers } = answer.value;
  if (rcode === "REFUSED") return { state: "refused", detail: "The resolver answered REFUSED" };
  if (rcode !== "NOERROR" && rcode !== "NXDOMAIN") return failed(`The resolver answered ${rcode}`);
  const records = recordsOf(answers, name, "A");
  if (records === null) return failed("The aliases of the answer have no end");
  if (records.length === 0) return readEmpty(answer.value);
  if (records.length > MAX_ADDRESSES)
    return failed(`The zone gave ${records.length} answers to one question`);
  if (rcode === "NXDOMAIN") return failed("The resolver answered NXDOMAIN with an address");
  const values = records.flatMap((record) =>
    record.type === "A" ? (parseIpv4Value(record.data) ?? []) : [],
  );
  const sorted = [...new Set(values)].sort((a, b) => a - b);
  return { state: "answered", values: sorted, ttlS: positiveTtlS(records) };
}

/** A reply without an address of ours: "not listed", unless it only points elsewhere. */
function readEmpty({ rcode, answers, authorities }: DnsReply): ZoneReply {
  if (answers.some(({ type }) => type === "A")) return failed("The answer is about another name");
  const isReferral =
    rcode === "NOERROR" &&
    (answers.some(({ type }) => type === "CNAME") || authorities.some(({ type }) => type === "NS")) &&
    !authorities.some(({ type }) => type === "SOA");
  if (isReferral) return failed("The resolver answered with a referral: it does not look up names for us");
  return { state: "answered", values: [], ttlS: negativeTtlS(authorities) };
}

/**
 * The list's own words in the reply to a TXT question: its texts, sorted as servers change their order, without
 * control characters, at most 300 characters; null without any. Source: design 3.2.
 */
export function readWords(answer: Answer<DnsReply>, name: string): string | null {
  if (answer.state === "unavailable" || answer.value.rcode !== "NOERROR") return null;
  const records = recordsOf(answer.value.answers, name, "TXT") ?? [];
  const texts = records.flatMap((record) => (record.type === "TXT" ? [textOf(record.data)] : []));
  const words = [...new Set(texts)].filter((text) => text !== "").sort();
  return withoutHidden(words.join(" | ")).slice(0, MAX_WORDS_CHARS).toWellFormed() || null;
}

type TxtData = Extract<DnsRecord, { readonly type: "TXT" }>["data"];

function textOf(data: TxtData): string {
  const parts = Array.isArray(data) ? data : [data];
  const octets = Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : part)));
  return printableLine(octets.toString("utf8"));
}

/** The records of a type at the end of the name's aliases; null when the aliases go in a circle. */
function recordsOf(answers: readonly DnsRecord[], name: string, type: "A" | "TXT"): DnsRecord[] | null {
  let owner = name;
  for (let hops = 0; hops <= MAX_ALIASES; hops++) {
    const found = answers.filter((record) => record.type === type && record.name === owner);
    if (found.length > 0) return found;
    const alias = answers.find((record) => record.type === "CNAME" && record.name === owner);
    if (alias?.type !== "CNAME") return [];
    owner = alias.data;
  }
  return null;
}
