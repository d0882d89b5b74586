import type { Clock } from "../../base/clock.ts";
import { MINUTE_MS } from "../../base/durations.ts";
import type { Log } from "../../base/log.ts";
import { type Mail, MailFailure, type SendMail } from "./mail.ts";

type Owed = Mail | (() => Promise<Mail | null>);

/** Sends mails that are owed to their readers, also where the mail server is away for a while. */
export type Outbox = {
  /**
   * Sends a mail, and again for so long as it could not be made, or the mail server has not taken it for a reason that passes;
   * default: once. One that is made anew each time is sent until it is null: there is no reason for it any more. Rejects with the
   * last failure when it gives up.
   */
  readonly send: (mail: Owed, forMs?: number) => Promise<void>;
  /** What waits to be sent again is given up. */
  readonly end: () => void;
};

/** How long the first wait is; each is twice the one before. */
const FIRST_WAIT_MS = 10_000;
const LONGEST_WAIT_MS = 15 * MINUTE_MS;
/** Mails to be sent again, in memory alone: what is stored of their links are hashes. */
const MAX_KEPT = 1_000;

/** Over a mail server that answers at once, or not. */
export function createOutbox(parts: {
  readonly send: SendMail;
  readonly clock: Pick<Clock, "monotonicMs" | "sleep">;
  readonly log: Pick<Log, "warn">;
}): Outbox {
  const { send, clock, log } = parts;
  const stop = new AbortController();
  const kept = new Set<object>();
  const attempt = async (mail: Owed): Promise<void> => {
    const made = typeof mail === "function" ? await mail() : mail;
    if (made !== null) await send(made);
  };
  const sendUntil = async (endMs: number, mail: Owed, place: object): Promise<void> => {
    for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)) {
      try {
        return await attempt(mail);
      } catch (error) {
        const isFinal = error instanceof MailFailure && !error.isPassing;
        const isLate = clock.monotonicMs() + waitMs > endMs;
        if (isFinal || isLate || (kept.size >= MAX_KEPT && !kept.has(place))) throw error;
        // Also while it is tried again: a later one would take its place.
        kept.add(place);
        log.warn({ err: error }, `A mail was not sent; trying again in ${waitMs / 1000} s`);
        await clock.sleep(waitMs, stop.signal).catch(() => {
          throw error;
        });
      }
    }
  };
  return {
    send: (mail, forMs = 0) => {
      const place = {};
      return sendUntil(clock.monotonicMs() + forMs, mail, place).finally(() => kept.delete(place));
    },
    end: () => stop.abort(),
  };
}
