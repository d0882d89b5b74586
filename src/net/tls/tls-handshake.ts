import type { Socket } from "node:net";
import { connect, type SecureContext, type TLSSocket } from "node:tls";
import { errorCode } from "../../base/caught.ts";
import { readIp } from "../../targets/ip.ts";

/** A finished handshake, or the word of the library for what went wrong. */
export type Handshake =
  | { readonly state: "secured"; readonly socket: TLSSocket }
  | { readonly state: "failed"; readonly code: string };

export type HandshakeOptions = {
  /** Name or address of the other side, as in the URL. */
  readonly host: string;
  readonly context: SecureContext;
  /** False: the certificate is judged by the caller, and nothing secret may be sent. */
  readonly verify: boolean;
  readonly alpn: readonly string[];
  /** Ends the handshake: state `failed`, code `ABORTED`. */
  readonly signal: AbortSignal;
};

/** TLS over a connection that the dialer opened. The connection is destroyed when the handshake fails. */
export function shakeHands(raw: Socket, options: HandshakeOptions): Promise<Handshake> {
  const { host, context, verify, alpn, signal } = options;
  return new Promise((resolve) => {
    const name = host.replace(/\.$/, "");
    const socket = connect({
      socket: raw,
      host: name,
      // RFC 6066, 3: no address is ever a server name.
      ...(readIp(name) === null && { servername: name }),
      secureContext: context,
      rejectUnauthorized: verify,
      ...(!verify && { checkServerIdentity: () => undefined }),
      ALPNProtocols: [...alpn],
    });
    const settle = (handshake: Handshake) => {
      signal.removeEventListener("abort", onAbort);
      if (handshake.state === "failed") raw.destroy();
      resolve(handshake);
    };
    const fail = (code: string) => settle({ state: "failed", code });
    const onAbort = () => fail("ABORTED");
    socket.once("secureConnect", () => settle({ state: "secured", socket }));
    // Stays: the reader sees a broken connection.
    socket.on("error", (error) => fail(errorCode(error)));
    socket.on("close", () => fail("ECONNRESET"));
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
}
