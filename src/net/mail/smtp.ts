import type { Socket } from "node:net";
import type { Clock, Random } from "../../base/clock.ts";
import { startDeadline } from "../deadline.ts";
import type { Dialer } from "../dialer-types.ts";
import { isNobodys, isTaken, LINE, replyOf, type SmtpReply } from "./smtp-reply.ts";

/** What a mail server said of a mailbox; a blocked port 25 and silence are `unknown` (design 9). */
type SmtpOutcome = "deliverable" | "undeliverable" | "catch_all" | "greylisted" | "unknown";

export type SmtpVerdict = {
  readonly outcome: SmtpOutcome;
  /** Whether the server takes mail for a mailbox that does not exist; null when it was not found out. */
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

/** Source: RFC 5321, 3.3 and 4.2; RFC 6531, 3.4. The null sender asks as a bounce would. */
export function createSmtpCheck(parts: {
  readonly dialer: Pick<Dialer, "connect">;
  readonly clock: Clock;
  readonly random: Pick<Random, "bytes">;
  /** Default: 25. */
  readonly port?: number;
}): SmtpCheck {
  const { port = PORT } = parts;
  return async ({ hosts, local, domain, timeoutMs, signal }) => {
    const deadline = startDeadline(parts.clock, timeoutMs, signal);
    try {
      for (const host of hosts.slice(0, MAX_HOSTS)) {
        const target = {
          host,
          port,
          isOperatorsWord: false,
          extraPorts: [port],
          timeoutMs,
          signal: deadline.signal,
        };
        const connection = await parts.dialer.connect(target);
        if (connection.state === "unavailable") continue;
        const unused = `x${Buffer.from(parts.random.bytes(12)).toString("hex")}`;
        const verdict = await converse(connection.value.socket, { local, unused, domain }, deadline.signal);
        if (verdict !== null) return verdict;
      }
      return UNKNOWN;
    } finally {
      deadline.end();
    }
  };
}

type Question = { readonly local: string; readonly unused: string; readonly domain: string };

/** Null when this server said nothing that helps, so that the next may be asked. */
async function converse(
  socket: Socket,
  question: Question,
  signal: AbortSignal,
): Promise<SmtpVerdict | null> {
  const stop = () => socket.destroy();
  signal.addEventListener("abort", stop, { once: true });
  socket.on("error", stop);
  const nextReply = repliesOf(socket);
  const say = async (line: string): Promise<SmtpReply | null> => {
    if (socket.destroyed) return null;
    socket.write(`${line}\r\n`);
    return await nextReply();
  };
  const greet = async (word: string): Promise<SmtpReply | null> => {
    const reply = await say(`${word} check.invalid`);
    return reply?.code === 250 ? reply : null;
  };
  try {
    if ((await nextReply())?.code !== 220) return null;
    const { local, unused, domain } = question;
    const greeted = (await greet("EHLO")) ?? (await greet("HELO"));
    // A server that does not know SMTPUTF8 refuses the spelling, not the mailbox.
    const isUtf8 = /\P{ASCII}/u.test(local);
    if (greeted === null || (isUtf8 && !greeted.takesUtf8)) return null;
    if ((await say(`MAIL FROM:<>${isUtf8 ? " SMTPUTF8" : ""}`))?.code !== 250) return null;
    const reply = await say(`RCPT TO:<${local}@${domain}>`);
    if (reply === null) return null;
    const forUnused = isTaken(reply) ? await say(`RCPT TO:<${unused}@${domain}>`) : null;
    await say("QUIT");
    return verdictOf(reply, forUnused);
  } finally {
    signal.removeEventListener("abort", stop);
    socket.destroy();
  }
}

/** 4xx is for now, as greylisting answers. */
function verdictOf(reply: SmtpReply, forUnused: SmtpReply | null): SmtpVerdict {
  const { code } = reply;
  if (isTaken(reply)) {
    const isCatchAll = forUnused === null ? null : takesAll(forUnused);
    return { outcome: isCatchAll === true ? "catch_all" : "deliverable", isCatchAll, code };
  }
  if (isNobodys(reply)) return { outcome: "undeliverable", isCatchAll: false, code };
  return { outcome: code >= 400 && code < 500 ? "greylisted" : "unknown", isCatchAll: null, code };
}

/** What the reply to a mailbox that does not exist says of all others; one for now, or about us, says nothing. */
function takesAll(forUnused: SmtpReply): boolean | null {
  if (isTaken(forUnused)) return true;
  return isNobodys(forUnused) ? false : null;
}

/**
 * One reply after the other, whatever number of lines it has (RFC 5321, 4.2.1); null as soon as the connection has ended,
 * however it did, or the server sends what is no reply: lines whose codes differ, or one that nothing asked for, after
 * which it is not known which reply answers what.
 */
function repliesOf(socket: Socket): () => Promise<SmtpReply | null> {
  const lines: string[] = [];
  let reply: SmtpReply | null = null;
  let rest = "";
  let isOver = false;
  let waiting: ((reply: SmtpReply | null) => void) | null = null;
  const give = (): void => {
    if (waiting === null || (reply === null && !isOver)) return;
    waiting(reply);
    [waiting, reply] = [null, null];
  };
  const finish = (): void => {
    isOver = true;
    give();
  };
  const take = (last: string): boolean => {
    if (waiting === null || reply !== null) return false;
    reply = replyOf(Number(LINE.exec(last)?.[1]), lines.splice(0));
    return true;
  };
  const isReply = (line: string): boolean => {
    const [, code, more] = LINE.exec(line) ?? [];
    if (code === undefined || line.length > MAX_LINE_CHARS || lines.push(line) > MAX_REPLY_LINES)
      return false;
    return line.startsWith(lines[0]?.slice(0, 3) ?? "") && (more === "-" || take(line));
  };
  socket.setEncoding("latin1");
  socket.on("data", (piece: string) => {
    if (isOver) return;
    const whole = `${rest}${piece}`.split(/\r?\n/);
    rest = whole.pop() ?? "";
    if (whole.every(isReply) && rest.length <= MAX_LINE_CHARS) return give();
    reply = null;
    finish();
  });
  // A socket that is destroyed at the deadline closes without an end.
  socket.on("end", finish).on("close", finish);
  return () =>
    new Promise((resolve) => {
      waiting = resolve;
      give();
    });
}
