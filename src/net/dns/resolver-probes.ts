import type { Random } from "../../base/clock.ts";
import type { Answer } from "../../base/failure.ts";
import { readReply } from "./dns-reading.ts";
import type { DnsRecord, DnsReply, RecordType } from "./dns-types.ts";

/** A question. Names are lower case, without a final dot. */
export type ProbeQuestion = { readonly name: string; readonly type: RecordType };

/** A question whose answer is known beforehand: whether there is something at the name. */
export type Probe = ProbeQuestion & { readonly exists: boolean };

/** What an answer says about whether its resolver tells the truth. */
export type Saying =
  | {
      readonly state: "records";
      /** Type and content of each record, to compare them. */
      readonly marks: readonly string[];
      /** The records answer the question, directly or by an alias. */
      readonly isAnswer: boolean;
    }
  | {
      readonly state: "nothing";
      readonly outcome: "nodata" | "nxdomain";
      /** The outcome with what is told of its SOA: a resolver without knowledge has few of them. */
      readonly forms: readonly string[];
    }
  /** Refused, failed or silent: this accuses no name of anything. */
  | { readonly state: "failed"; readonly detail: string };

/** In the root zone since 1985. */
const EXISTING: readonly ProbeQuestion[] = [
  { name: "com", type: "NS" },
  { name: "org", type: "NS" },
];

const LABEL_BYTES = 10;

/** Types that names which do not exist are asked for: what other types bring cannot be compared with anything. */
export const PROBED_TYPES: ReadonlySet<RecordType> = new Set(["A", "AAAA", "MX", "NS", "TXT"]);

/**
 * The questions that show whether a resolver tells the truth. Names that exist: those of the operator, else two
 * top-level domains. Names that do not: random labels below `invalid` (RFC 6761, 6.4) and, as rewriting resolvers may
 * leave that alone, below real top-level domains, one of them with `www`.
 */
export function probesOf(operatorNames: readonly string[], random: Pick<Random, "bytes">): readonly Probe[] {
  const label = () => `r${Buffer.from(random.bytes(LABEL_BYTES)).toString("hex")}`;
  const existing =
    operatorNames.length === 0
      ? EXISTING
      : operatorNames.flatMap((name) => (["A", "NS"] as const).map((type) => ({ name, type })));
  const [com, org] = [`${label()}.com`, `${label()}.org`];
  const absent: readonly ProbeQuestion[] = [
    { name: `${label()}.invalid`, type: "A" },
    { name: `www.${label()}.com`, type: "A" },
    { name: `${label()}.net`, type: "A" },
    ...[...PROBED_TYPES].map((type) => ({ name: com, type })),
    ...(["A", "AAAA"] as const).map((type) => ({ name: org, type })),
  ];
  return [
    ...existing.map((asked) => ({ ...asked, exists: true })),
    ...absent.map((asked) => ({ ...asked, exists: false })),
  ];
}

const MAX_MARK_CHARS = 300;

/** Reads an answer as evidence about its resolver. */
export function sayingOf({ name, type }: ProbeQuestion, answer: Answer<DnsReply>): Saying {
  if (answer.state === "unavailable") return { state: "failed", detail: answer.detail };
  const reading = readReply(answer.value, type, [name]);
  if (reading.state === "failed") return { state: "failed", detail: reading.message };
  const records = answer.value.answers.filter((record) => record.type !== "RRSIG");
  if (records.length > 0) {
    const isAnswer = reading.chain.length > 1 || (reading.state === "answered" && reading.outcome === "ok");
    return { state: "records", marks: records.map(markOf), isAnswer };
  }
  if (reading.state !== "answered" || reading.outcome === "ok") return { state: "failed", detail: "" };
  const { outcome, authority } = reading;
  return {
    state: "nothing",
    outcome,
    forms: heightsOf(authority, name).map((height) => `${outcome} ${height}`),
  };
}

const markOf = (record: DnsRecord): string =>
  `${record.type} ${JSON.stringify("data" in record ? record.data : null)}`.slice(0, MAX_MARK_CHARS);

/** How high the SOA stands, counted from the name and from the root: a made-up one always stands the same way. */
function heightsOf(authority: string | null, name: string): readonly string[] {
  if (authority === null) return ["without SOA"];
  const labels = authority === "" || authority === "." ? 0 : authority.split(".").length;
  return [`with an SOA of ${labels} labels`, `with an SOA ${name.split(".").length - labels} labels above`];
}

/** Names that resolvers know by themselves, so that knowing them shows nothing (RFC 6761, 6.3; RFC 6303). */
export const isBuiltIn = ({ name }: ProbeQuestion): boolean =>
  name === "localhost" ||
  name.endsWith(".localhost") ||
  name === "1.0.0.127.in-addr.arpa" ||
  name.endsWith("0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.ip6.arpa");
