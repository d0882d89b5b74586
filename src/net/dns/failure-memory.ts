import type { Clock } from "../../base/clock.ts";
import { type Answer, answered } from "../../base/failure.ts";
import { createAnswerCache } from "./answer-cache.ts";
import type { DnsReply } from "./dns-types.ts";

/** Questions that a resolver failed to answer. */
export type FailureMemory = {
  /** The failure of the last seconds, else null. */
  readonly recall: (key: string) => Answer<DnsReply> | null;
  /** Keeps the answer when it is SERVFAIL or a time-out. */
  readonly note: (key: string, answer: Answer<DnsReply>) => void;
};

/** RFC 9520, 3.2: at least 1 second and at most 5 minutes; 5 seconds are what it suggests to begin with. */
const FAILED_S = 5;
/** At 1,000 failing questions a second. A failure takes about 500 octets, 10 kB with a chain of CNAME records. */
const MAX_FAILURES = 5000;
const MAX_CNAMES = 16;

/**
 * Questions that ended in SERVFAIL or silence within the last 5 seconds. Either costs a resolver its whole time; a
 * refusal, an unreachable server and a message that is no DNS cost one packet, and the next question may fare better.
 * NXDOMAIN and empty answers are answers. Source: RFC 9520, 2 and 3.2; security P22.
 */
export function createFailureMemory(clock: Pick<Clock, "monotonicMs">): FailureMemory {
  const failures = createAnswerCache<Answer<DnsReply>>(clock, MAX_FAILURES);
  return {
    recall: failures.peek,
    note: (key, answer) => {
      const failure = failureOf(answer);
      if (failure !== null) failures.keep(key, { value: failure, ttlS: FAILED_S });
    },
  };
}

/** As it is repeated: without the records that make it large. */
function failureOf(answer: Answer<DnsReply>): Answer<DnsReply> | null {
  if (answer.state === "unavailable") {
    return answer.reason === "timeout" ? { ...answer, isRepeated: true } : null;
  }
  const reply = answer.value;
  if (reply.rcode !== "SERVFAIL") return null;
  const aliases = reply.answers.filter(({ type }) => type === "CNAME").slice(0, MAX_CNAMES);
  return answered({ ...reply, answers: aliases, authorities: [], elapsedMs: 0 });
}
