import type { TLSSocket } from "node:tls";
import type { Answer } from "../../base/failure.ts";
import type { Ip } from "../../targets/ip.ts";
import type { Connection, Dialer, DialTarget } from "../dialer-types.ts";
import { type Handshake, shakeHands } from "./tls-handshake.ts";
import type { Trust } from "./tls-trust.ts";

/** A TLS connection whose certificate was not verified, or why there is none. */
export type UnverifiedTls =
  | { readonly state: "secured"; readonly socket: TLSSocket; readonly connection: Connection }
  | { readonly state: "unconnected"; readonly answer: Extract<Answer<Connection>, { state: "unavailable" }> }
  | { readonly state: "failed"; readonly code: string };

/**
 * Dials one of the checked addresses and shakes hands without verifying: the certificate is judged afterwards, and
 * nothing secret is sent. A server that cannot speak TLS 1.2 is dialled once more with the old protocols (security P6).
 */
export async function dialTls(
  addresses: readonly Ip[],
  target: DialTarget & { readonly signal: AbortSignal },
  {
    dialer,
    trust,
    alpn,
  }: { readonly dialer: Dialer; readonly trust: Trust; readonly alpn: readonly string[] },
): Promise<UnverifiedTls> {
  const { host, signal } = target;
  let failure: Extract<Handshake, { state: "failed" }> | null = null;
  for (const context of [trust.current, trust.legacy]) {
    const answer = await dialer.connectTo(addresses, target);
    // A server that takes no second connection failed at the first.
    if (answer.state === "unavailable") return failure ?? { state: "unconnected", answer };
    const { socket } = answer.value;
    const handshake = await shakeHands(socket, { host, context, verify: false, alpn, signal });
    if (handshake.state === "secured") return { ...handshake, connection: answer.value };
    failure ??= handshake;
    if (signal.aborted) break;
  }
  return failure ?? { state: "failed", code: "ABORTED" };
}
