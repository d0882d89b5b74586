import type { Clock } from "../../base/clock.ts";
import { type Answer, answered, unavailable } from "../../base/failure.ts";
import { type Deadline, startDeadline } from "../deadline.ts";
import type { Connection, Dialer } from "../dialer-types.ts";
import { decodeWhoisText, type LegacyCharset } from "./whois-charset.ts";

/** RFC 3912 2. */
export const WHOIS_PORT = 43;
/** Longest answer taken. Source: security P23. */
export const MAX_WHOIS_BYTES = 1024 * 1024;
/** How much of an answer is read, in whole lines; a record has a few KiB. */
export const READ_WHOIS_BYTES = 64 * 1024;

/** Where a WHOIS server listens. */
export type WhoisServer = { readonly host: string; readonly port: number };

/** One question to one server. */
export type WhoisQuery = {
  readonly server: WhoisServer;
  /** A domain's normalised name, a TLD for IANA. */
  readonly question: string;
  /** True: `whois.servers`; the guard does not apply. */
  readonly isOperatorsWord: boolean;
  /** Connection and answer together. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** What the registry is known to send when it is not UTF-8, the likelier one first. */
  readonly charsets?: readonly LegacyCharset[];
};

/** The WHOIS client: asks once, follows nothing, reads nothing into the text. */
export type Whois = {
  /**
   * The answer's text as sent, of a longer one the whole lines of its first 64 KiB, at least half of those; `unavailable` when there was none, not all
   * of it, or more than 1 MiB.
   */
  readonly query: (query: WhoisQuery) => Promise<Answer<string>>;
};

/** What servers want around the name to say all they know in English. Source: their own help pages. */
const QUESTION_FORMS: ReadonlyMap<string, (name: string) => string> = new Map([
  ["whois.denic.de", (name) => `-T dn,ace ${name}`],
  ["whois.jprs.jp", (name) => `${name}/e`],
  ["whois.verisign-grs.com", (name) => `domain ${name}`],
  ["ccwhois.verisign-grs.com", (name) => `domain ${name}`],
  ["whois.nic.name", (name) => `domain=${name}`],
]);

/** Nothing that a server could take for a flag or a second line. */
const QUESTION = /^(?=.{1,253}$)[a-z0-9_][a-z0-9._-]*$/;

/** The server as answers name it: `whois.nic.example`, `127.0.0.1:4343`. */
export const serverText = ({ host, port }: WhoisServer): string => {
  const bracketed = host.includes(":") ? `[${host}]` : host;
  return port === WHOIS_PORT ? host : `${bracketed}:${port}`;
};

/** See `Whois`. Throws at a question that is no normalised name. Source: RFC 3912, security P23. */
export function createWhois({ dialer, clock }: { readonly dialer: Dialer; readonly clock: Clock }): Whois {
  const query = async (asked: WhoisQuery): Promise<Answer<string>> => {
    if (!QUESTION.test(asked.question)) throw new Error("Cannot ask WHOIS: the question is not a name");
    const deadline = startDeadline(clock, asked.timeoutMs, asked.signal);
    const connection = await connect({ ...asked, signal: deadline.signal }, dialer);
    const answer =
      connection.state === "answered" ? await ask(connection.value, asked, deadline) : connection;
    deadline.end();
    return answer;
  };
  return { query };
}

const connect = ({ server, isOperatorsWord, timeoutMs, signal }: WhoisQuery, dialer: Dialer) =>
  dialer.connect({ ...server, isOperatorsWord, extraPorts: [WHOIS_PORT], timeoutMs, signal });

async function ask({ socket }: Connection, asked: WhoisQuery, deadline: Deadline): Promise<Answer<string>> {
  const form = QUESTION_FORMS.get(asked.server.host) ?? ((name: string) => name);
  const answer = readAll(socket, deadline.signal, asked);
  socket.write(`${form(asked.question)}\r\n`);
  const read = await answer;
  socket.destroy();
  if (read.state === "unavailable") return read;
  if (read.value.length > 0) return answered(decodeWhoisText(read.value, asked.charsets ?? []));
  return unavailable(serverText(asked.server), "error", "The server closed the connection without an answer");
}

function readAll(
  socket: Connection["socket"],
  signal: AbortSignal,
  { server, timeoutMs }: WhoisQuery,
): Promise<Answer<Uint8Array>> {
  const upstream = serverText(server);
  const chunks: Uint8Array[] = [];
  let size = 0;
  return new Promise((resolve) => {
    const onAbort = () => resolve(unavailable(upstream, "timeout", `No whole answer within ${timeoutMs} ms`));
    if (signal.aborted) return onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    socket.on("data", (chunk: Uint8Array) => {
      size += chunk.length;
      if (size - chunk.length <= READ_WHOIS_BYTES) chunks.push(chunk);
      if (size > MAX_WHOIS_BYTES)
        resolve(unavailable(upstream, "error", `The answer is longer than ${MAX_WHOIS_BYTES} bytes`));
    });
    socket.once("end", () => resolve(answered(startOf(Buffer.concat(chunks)))));
    socket.once("error", () => resolve(unavailable(upstream, "error", "The connection broke")));
    socket.once("close", () => resolve(unavailable(upstream, "error", "The connection broke")));
  });
}

/** The whole lines among the octets that are read; all of those where the last line is longer than any of a record. */
function startOf(answer: Uint8Array): Uint8Array {
  if (answer.length <= READ_WHOIS_BYTES) return answer;
  const newline = answer.lastIndexOf(0x0a, READ_WHOIS_BYTES - 1);
  return answer.subarray(0, newline < READ_WHOIS_BYTES / 2 ? READ_WHOIS_BYTES : newline + 1);
}
