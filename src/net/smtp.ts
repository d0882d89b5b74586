import type { Socket } from "node:net";
import { createInterface } from "node:readline";
import type { Clock, Random } from "../clock.ts";
import { startDeadline } from "./deadline.ts";
import type { Dialer } from "./dialer-types.ts";

/** What a mail server said of a mailbox; a blocked port 25 and silence are `unknown` (design 9). */
export type SmtpOutcome = "deliverable" | "undeliverable" | "catch_all" | "greylisted" | "unknown";

export type SmtpVerdict = {
  readonly outcome: SmtpOutcome;
  /** Whether the server takes mail for a mailbox that nobody has; null when it was not found out. */
  readonly isCatchAll: boolean | null;
  /** The server's reply to the mailbox, e.g. 250 or 550; null when it was not reached. */
  readonly code: number | null;
};

/** Asks a mail server whether it takes mail for an address, without sending any. Never rejects. */
export type SmtpCheck = (question: {
  /** Mail hosts in the order of preference. */
  readonly hosts: readonly string[];
  readonly local: string;
  readonly domain: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}) => Promise<SmtpVerdict>;

const UNKNOWN: SmtpVerdict = { outcome: "unknown", isCatchAll: null, code: null };
const PORT = 25;
const MAX_HOSTS = 2;
const MAX_REPLY_LINES = 50;
const MAX_LINE_CHARS = 1024;

/** Source: RFC 5321, 3.3 and 4.2. The null sender asks as a bounce would. */
export function createSmtpCheck(parts: {
  readonly dialer: Pick<Dialer, "connect">;
  readonly clock: Clock;
  readonly random: Pick<Random, "bytes">;
}): SmtpCheck {
  return async ({ hosts, local, domain, timeoutMs, signal }) => {
    const deadline = startDeadline(parts.clock, timeoutMs, signal);
    try {
      for (const host of hosts.slice(0, MAX_HOSTS)) {
        const target = {
          host,
          port: PORT,
          isOperatorsWord: false,
          extraPorts: [PORT],
          timeoutMs,
          signal: deadline.signal,
        };
        const connection = await parts.dialer.connect(target);
        if (connection.state === "unavailable") continue;
        const nobody = `x${Buffer.from(parts.random.bytes(12)).toString("hex")}`;
        const verdict = await converse(connection.value.socket, { local, nobody, domain }, deadline.signal);
        if (verdict !== null) return verdict;
      }
      return UNKNOWN;
    } finally {
      deadline.end();
    }
  };
}

type Question = { readonly local: string; readonly nobody: string; readonly domain: string };

/** Null when this server said nothing that helps, so that the next may be asked. */
async function converse(
  socket: Socket,
  question: Question,
  signal: AbortSignal,
): Promise<SmtpVerdict | null> {
  const stop = () => socket.destroy();
  signal.addEventListener("abort", stop, { once: true });
  socket.on("error", stop);
  const replies = repliesOf(socket);
  const say = async (line: string): Promise<number | null> => {
    if (socket.destroyed) return null;
    socket.write(`${line}\r\n`);
    return (await replies.next()).value ?? null;
  };
  try {
    if ((await replies.next()).value !== 220) return null;
    if ((await say("EHLO check.invalid")) !== 250 && (await say("HELO check.invalid")) !== 250) return null;
    if ((await say("MAIL FROM:<>")) !== 250) return null;
    const { local, nobody, domain } = question;
    const code = await say(`RCPT TO:<${local}@${domain}>`);
    if (code === null) return null;
    const forNobody = isTaken(code) ? await say(`RCPT TO:<${nobody}@${domain}>`) : null;
    await say("QUIT");
    return verdictOf(code, forNobody);
  } finally {
    signal.removeEventListener("abort", stop);
    socket.destroy();
  }
}

const isTaken = (code: number): boolean => code === 250 || code === 251;

/** 4xx is for now, as greylisting answers; of 5xx only 550, 551 and 553 speak of the mailbox (RFC 5321, 4.2.3). */
function verdictOf(code: number, forNobody: number | null): SmtpVerdict {
  if (isTaken(code)) {
    const isCatchAll = forNobody === null ? null : isTaken(forNobody);
    return { outcome: isCatchAll === true ? "catch_all" : "deliverable", isCatchAll, code };
  }
  if (code === 550 || code === 551 || code === 553)
    return { outcome: "undeliverable", isCatchAll: false, code };
  return { outcome: code >= 400 && code < 500 ? "greylisted" : "unknown", isCatchAll: null, code };
}

/** The code of each reply, whatever number of lines it has (RFC 5321, 4.2.1); ends with the connection. */
async function* repliesOf(socket: Socket): AsyncGenerator<number, undefined> {
  let lines = 0;
  for await (const line of createInterface({ input: socket, crlfDelay: Number.POSITIVE_INFINITY })) {
    const [, code, more] = /^(\d{3})([ -]?)/.exec(line) ?? [];
    if (code === undefined || line.length > MAX_LINE_CHARS || ++lines > MAX_REPLY_LINES) return undefined;
    if (more === "-") continue;
    lines = 0;
    yield Number(code);
  }
  return undefined;
}
