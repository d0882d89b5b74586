import type { Socket } from "node:net";
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
/** Nobody answers more than was asked. */
const MAX_REPLIES_AHEAD = 10;

/** Source: RFC 5321, 3.3 and 4.2. The null sender asks as a bounce would. */
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
  const nextReply = repliesOf(socket);
  const say = async (line: string): Promise<number | null> => {
    if (socket.destroyed) return null;
    socket.write(`${line}\r\n`);
    return await nextReply();
  };
  try {
    if ((await nextReply()) !== 220) return null;
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

/**
 * The code of one reply after the other, whatever number of lines it has (RFC 5321, 4.2.1); null as soon as the
 * connection has ended, however it did, or the server sends what is no reply. What has not been asked for is bounded.
 */
function repliesOf(socket: Socket): () => Promise<number | null> {
  const codes: number[] = [];
  let rest = "";
  let lines = 0;
  let isOver = false;
  let waiting: ((code: number | null) => void) | null = null;
  const give = (): void => {
    if (waiting === null || (codes.length === 0 && !isOver)) return;
    waiting(codes.shift() ?? null);
    waiting = null;
  };
  const finish = (): void => {
    isOver = true;
    give();
  };
  const isReply = (line: string): boolean => {
    const [, code, more] = /^(\d{3})([ -]?)/.exec(line) ?? [];
    if (code === undefined || line.length > MAX_LINE_CHARS || ++lines > MAX_REPLY_LINES) return false;
    if (more === "-") return true;
    lines = 0;
    return codes.push(Number(code)) <= MAX_REPLIES_AHEAD;
  };
  socket.setEncoding("latin1");
  socket.on("data", (piece: string) => {
    if (isOver) return;
    const whole = `${rest}${piece}`.split(/\r?\n/);
    rest = whole.pop() ?? "";
    if (whole.every(isReply) && rest.length <= MAX_LINE_CHARS) give();
    else finish();
  });
  // Whoever destroys the socket at the deadline makes it close without an end.
  socket.on("end", finish).on("close", finish);
  return () =>
    new Promise((resolve) => {
      waiting = resolve;
      give();
    });
}
