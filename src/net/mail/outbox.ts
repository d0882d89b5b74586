import type { Clock } from "../../base/clock.ts";
import { MINUTE_MS } from "../../base/durations.ts";
import type { Log } from "../../base/log.ts";
import { type Mail, MailFailure, type SendMail } from "./mail.ts";

/** Sends mails that are owed to their readers, also where the mail server is away for a while. */
export type Outbox = {
  /**
   * Sends a mail, and again for so long as it could not be made, or the mail server has not taken it for a reason that passes;
   * default: once. One that is made anew each time is sent until it is null: there is no reason for it any more. Rejects with the
   * last failure when it gives up.
   */
  readonly send: (mail: Mail | (() => Promise<Mail | null>), forMs?: number) => Promise<void>;
  /** What waits to be sent again is given up. */
  readonly end: () => void;
};

/** How long the first wait is; each is twice the one before. */
const FIRST_WAIT_MS = 10_000;
const LONGEST_WAIT_MS = 15 * MINUTE_MS;
/** Mails that wait, in memory alone: what is stored of their links are hashes. */
const MAX_WAITING = 1_000;

/** Over a mail server that answers at once, or not. */
export function createOutbox(parts: {
  readonly send: SendMail;
  readonly clock: Pick<Clock, "monotonicMs" | "sleep">;
  readonly log: Pick<Log, "warn">;
}): Outbox {
  const { send, clock, log } = parts;
  const stop = new AbortController();
  let waiting = 0;
  const wait = async (ms: number): Promise<void> => {
    waiting++;
    await clock.sleep(ms, stop.signal).finally(() => waiting--);
  };
  return {
    send: async (mail, forMs = 0) => {
      const endMs = clock.monotonicMs() + forMs;
      for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)) {
        try {
          const made = typeof mail === "function" ? await mail() : mail;
          if (made !== null) await send(made);
          return;
        } catch (error) {
          const isLate = clock.monotonicMs() + waitMs > endMs || waiting >= MAX_WAITING;
          const isFinal = error instanceof MailFailure && !error.isPassing;
          if (isFinal || isLate) throw error;
          log.warn({ err: error }, `A mail was not sent; trying again in ${waitMs / 1000} s`);
          await wait(waitMs).catch(() => {
            throw error;
          });
        }
      }
    },
    end: () => stop.abort(),
  };
}
