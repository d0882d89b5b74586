import type { Clock } from "../../base/clock.ts";
import { type Outcome, type ReplyMeaning, readReply } from "../../net/dns/dns-reading.ts";
import type { Dns, DnsReply, RecordType } from "../../net/dns/dns-types.ts";

/** How a question ended. */
type End =
  | Extract<ReplyMeaning, { state: "answered" }>
  | {
      readonly state: "failed";
      readonly outcome: Outcome;
      readonly chain: readonly string[];
      readonly message: string;
    };

export type Ended = {
  readonly reading: End;
  /** What the resolver said last; null when it said nothing that could be read. */
  readonly reply: DnsReply | null;
  /** Whether every reply on the way had AD. */
  readonly authenticatedData: boolean;
};

/** Asks for one type of a name along its CNAME records, each question `timeoutMs` at most. Never rejects. */
export async function askThrough(
  {
    dns,
    clock,
    timeoutMs,
  }: {
    readonly dns: Pick<Dns, "query">;
    readonly clock: Pick<Clock, "monotonicMs">;
    readonly timeoutMs: number;
  },
  {
    name,
    type,
    endMs,
    signal,
  }: {
    readonly name: string;
    readonly type: RecordType;
    /** Monotonic milliseconds at which all of it is over. */
    readonly endMs: number;
    readonly signal?: AbortSignal;
  },
): Promise<Ended> {
  let chain: readonly string[] = [name];
  let authenticatedData = true;
  for (;;) {
    const leftMs = Math.min(timeoutMs, Math.floor(endMs - clock.monotonicMs()));
    if (leftMs <= 0) return failed(chain, "timeout", "The time for this lookup ran out");
    const time = { timeoutMs: leftMs, ...(signal === undefined ? {} : { signal }) };
    const answer = await dns.query(chain.at(-1) ?? name, type, time);
    if (answer.state === "unavailable") return failed(chain, answer.reason, answer.detail);
    authenticatedData &&= answer.value.authenticatedData;
    const reading = readReply(answer.value, type, chain);
    if (reading.state !== "follow") return { reading, reply: answer.value, authenticatedData };
    chain = reading.chain;
  }
}

const failed = (chain: readonly string[], outcome: Outcome, message: string): Ended => ({
  reading: { state: "failed", outcome, chain, message },
  reply: null,
  authenticatedData: false,
});
