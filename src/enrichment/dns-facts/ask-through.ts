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

type AskingParts = {
  readonly dns: Pick<Dns, "query">;
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly timeoutMs: number;
};

type Asked = {
  readonly name: string;
  readonly type: RecordType;
  /** Monotonic milliseconds at which all of it is over. */
  readonly endMs: number;
  readonly signal?: AbortSignal;
};

/** Asks for one type of a name along its CNAME records, each question `timeoutMs` at most. Never rejects. */
export const askThrough = (parts: AskingParts, asked: Asked): Promise<Ended> =>
  askNext(parts, asked, { chain: [asked.name], isAuthenticated: true });

type Way = { readonly chain: readonly string[]; readonly isAuthenticated: boolean };

/** Thousands of questions may wait: a function that stops in its middle would keep all that it ever named. */
function askNext(parts: AskingParts, asked: Asked, { chain, isAuthenticated }: Way): Promise<Ended> {
  const { name, type, endMs, signal } = asked;
  const leftMs = Math.min(parts.timeoutMs, Math.floor(endMs - parts.clock.monotonicMs()));
  if (leftMs <= 0) return Promise.resolve(failed(chain, "timeout", "The time for this lookup ran out"));
  const time = signal === undefined ? { timeoutMs: leftMs } : { timeoutMs: leftMs, signal };
  return parts.dns.query(chain.at(-1) ?? name, type, time).then((answer) => {
    if (answer.state === "unavailable") return failed(chain, answer.reason, answer.detail);
    const authenticatedData = isAuthenticated && answer.value.authenticatedData;
    const reading = readReply(answer.value, type, chain);
    if (reading.state !== "follow") return { reading, reply: answer.value, authenticatedData };
    return askNext(parts, asked, { chain: reading.chain, isAuthenticated: authenticatedData });
  });
}

const failed = (chain: readonly string[], outcome: Outcome, message: string): Ended => ({
  reading: { state: "failed", outcome, chain, message },
  reply: null,
  authenticatedData: false,
});
