import { Readable } from "node:stream";
import type { SecureContext } from "node:tls";
import { z } from "zod";
import { messageOf } from "../../base/caught.ts";
import { cidrContains, parseCidr } from "../../targets/cidr.ts";
import { readIp } from "../../targets/ip.ts";
import { createTrust } from "../tls/tls-trust.ts";

/** The operator's `mail:`. Source: design 15. */
export const mailOptionsSchema = z.strictObject({
  smtp_url: z
    .url({ protocol: /^smtps?$/, error: "Expected an smtp: or smtps: URL" })
    .refine(
      (url) => readMailServer(url) !== null,
      "Expected smtp://HOST, smtps://HOST or one of them with user, password and port, and nothing after the port",
    )
    .nullable()
    .default(null)
    .describe(
      "Mail server that takes the service's mail, by TLS 1.2 or newer unless it is on loopback; without one a lost password needs the operator",
    ),
  from: z
    .string()
    .regex(/^[^\r\n]{0,200}<?[^\s@<>]+@[^\s@<>]+>?$/, "Expected an e-mail address, or a name and <address>")
    .nullable()
    .default(null)
    .describe("Sender of the service's mail; default: repute@ the host of server.public_url"),
});

export type MailOptions = z.infer<typeof mailOptionsSchema>;

/** A mail that the operator's server did not take; the message names the server. */
export class MailFailure extends Error {
  /** Whether it may be taken later, and certainly was not: what may have been taken would come twice. */
  readonly isPassing: boolean;

  constructor(
    message: string,
    { isPassing, cause }: { readonly isPassing: boolean; readonly cause: unknown },
  ) {
    super(message, { cause });
    this.name = "MailFailure";
    this.isPassing = isPassing;
  }
}

/** A mail of the service's. */
export type Mail = { readonly to: string; readonly subject: string; readonly text: string };

/** Hands a mail to the operator's server. Rejects with a `MailFailure` when that does not take it. */
export type SendMail = (mail: Mail) => Promise<void>;

/** For each step. */
const STEP_MS = 15_000;
/** For the whole: a server that says a little again and again takes no step. */
const WHOLE_MS = 60_000;

/** The operator's mail server, and how it may be spoken to. */
export type MailServer = {
  /** Name, or address without brackets. */
  readonly host: string;
  /** Null: 465 of smtps:, else 587. */
  readonly port: number | null;
  readonly auth: { readonly user: string; readonly pass: string } | null;
  /** TLS before the greeting (smtps:), STARTTLS before anything else, or plain text where the server offers no TLS. */
  readonly security: "tls" | "starttls" | "optional";
};

const LOOPBACK = ["127.0.0.0/8", "::1/128"].map(parseCidr);

/**
 * Reads `mail.smtp_url`. Only a server on loopback (127.0.0.0/8, ::1, `localhost`) may take mail without TLS; the
 * name's addresses do not count, because the name's DNS server could choose them. Null for a URL without a host,
 * with a path, or with options: no option may turn TLS or verification off. Source: security P6 and P15.
 */
export function readMailServer(text: string): MailServer | null {
  const url = URL.parse(text);
  if (url === null || url.hostname === "" || !/^\/?$/.test(url.pathname)) return null;
  if (url.search !== "" || url.hash !== "") return null;
  const host = url.hostname.toLowerCase().replace(/^\[(.*)\]$/, "$1");
  const [user, pass] = [readEscaped(url.username), readEscaped(url.password)];
  if (user === null || pass === null) return null;
  const plain = isLoopback(host) ? "optional" : "starttls";
  return {
    host,
    port: url.port === "" ? null : Number(url.port),
    auth: user === "" && pass === "" ? null : { user, pass },
    security: url.protocol === "smtps:" ? "tls" : plain,
  };
}

function isLoopback(host: string): boolean {
  const ip = readIp(host);
  return ip === null ? host === "localhost" : LOOPBACK.some((network) => cidrContains(network, ip));
}

/** Null where a `%` begins no escaped octet of UTF-8. */
function readEscaped(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

export type MailSettings = {
  /** Host of the sender's address where `mail.from` is not configured. */
  readonly senderHost: string;
  /** `fetch.ca_file`: further authorities that may have signed the server's certificate. */
  readonly caFile: string | null;
  /** How long a step may take; default: 15 s. */
  readonly stepMs?: number;
  /** How long all of them may take; default: a minute. */
  readonly wholeMs?: number;
};

/**
 * A sender by the operator's own mail server, which it dials by itself; null without one. The library and the
 * authorities are loaded with the first mail. Rejects with a sentence that names the server.
 */
export function createMail(
  { smtp_url: url, from }: MailOptions,
  { senderHost, caFile, stepMs = STEP_MS, wholeMs = WHOLE_MS }: MailSettings,
): SendMail | null {
  if (url === null) return null;
  const server = readMailServer(url);
  if (server === null) throw new Error("Cannot use mail.smtp_url: it is not an smtp: or smtps: URL");
  const sender = from ?? `Repute <repute@${senderHost}>`;
  let trusted: SecureContext | null = null;
  return async ({ to, subject, text }) => {
    const { createTransport } = await import("nodemailer");
    trusted ??= createTrust(caFile).current;
    const transport = createTransport(transportOptions(server, trusted, stepMs));
    const sent = { hasBegun: false };
    transport.use("stream", (mail, done) => {
      mail.message.processFunc((text) => Readable.from(noting(text, sent)));
      done();
    });
    try {
      // As an object: an address with a comma must not become two.
      const address = { name: "", address: to };
      await transport.sendMail({
        from: sender,
        to: address,
        subject,
        text,
        signal: AbortSignal.timeout(wholeMs),
      });
    } catch (error) {
      throw new MailFailure(failureSentence(server, error), {
        isPassing: isPassing(error, sent),
        cause: error,
      });
    } finally {
      transport.close();
    }
  };
}

/** The text of a mail; it is read when the server has said that it takes one. */
async function* noting(text: AsyncIterable<unknown>, sent: { hasBegun: boolean }) {
  sent.hasBegun = true;
  yield* text;
}

/** What a server says of itself or of the sender passes, if by the operator's hand; what it says of a mailbox or a text does not. */
function isPassing(error: unknown, { hasBegun }: { readonly hasBegun: boolean }): boolean {
  const { command, responseCode } = failureSchema.parse(error);
  if (responseCode === undefined) return !hasBegun && command !== "API";
  return responseCode < 500 || (command !== "RCPT TO" && command !== "DATA");
}

/** What the library says of a failure: the command that failed, "API" for none, and the server's reply to it, if it gave one. */
const failureSchema = z.object({
  command: z.string().optional().catch(undefined),
  responseCode: z.number().optional().catch(undefined),
});

const transportOptions = (
  { host, port, auth, security }: MailServer,
  secureContext: SecureContext,
  stepMs: number,
) => ({
  // A resolver could give `localhost` another address.
  host: host === "localhost" ? "127.0.0.1" : host,
  ...(port === null ? {} : { port }),
  ...(auth === null ? {} : { auth }),
  secure: security === "tls",
  requireTLS: security === "starttls",
  tls: { secureContext, ...(readIp(host) === null ? { servername: host } : {}) },
  connectionTimeout: stepMs,
  greetingTimeout: stepMs,
  socketTimeout: stepMs,
  // A mail is text of ours: nothing in it may name a file or an address to be fetched.
  disableFileAccess: true,
  disableUrlAccess: true,
});

/** Such as `4003…:error:0A00010B:SSL routines:…:wrong version number:../deps/…`. */
const OPENSSL_ERROR = /:error:[0-9A-F]{8}:/;

function failureSentence({ host, port, security }: MailServer, error: unknown): string {
  const where = port === null ? host : `${host}:${port}`;
  const text = messageOf(error);
  const why = OPENSSL_ERROR.test(text) ? "The TLS handshake failed" : text;
  const must =
    security === "optional" ? "" : ", which must offer TLS 1.2 or newer with a trusted certificate";
  return `Cannot send mail through "${where}"${must}: ${why}`;
}
