import type { Socket } from "node:net";
import type { Answer } from "../base/failure.ts";
import type { Ip } from "../targets/ip.ts";
import type { HostAddresses, SilentFamilies } from "./dns/host-addresses.ts";
import type { ForbiddenReason } from "./ssrf-guard.ts";

/** Where to connect, and by whose word. */
export type DialTarget = {
  /** A-label name, IPv4 or IPv6 text (no brackets). */
  readonly host: string;
  readonly port: number;
  /** True: configured by the operator or named by the bootstrap files; the guard does not apply (design 7.5). */
  readonly isOperatorsWord: boolean;
  /** Ports allowed beyond those of the guard: 43 for a WHOIS referral, 25 for an SMTP check. */
  readonly extraPorts?: readonly number[];
  /** Resolution and connection together. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
};

/** A host's addresses, each judged. */
export type ResolvedHost =
  | { readonly state: "addresses"; readonly addresses: readonly Ip[]; readonly silent: SilentFamilies }
  | {
      readonly state: "blocked";
      readonly reason: ForbiddenReason;
      readonly addresses: readonly Ip[];
      readonly silent: SilentFamilies;
    }
  | Exclude<HostAddresses, { readonly state: "addresses" }>;

/** An open TCP connection to a checked address. The receiver destroys it. */
export type Connection = { readonly socket: Socket; readonly ip: Ip; readonly port: number };

/**
 * The only code that opens a TCP connection: a name is resolved once, every address judged, one of the checked ones
 * dialled, and the peer's address compared before a byte is sent (security P1, P3). Forbidden is `unavailable` with
 * reason `refused` and the ForbiddenReason as detail.
 */
export type Dialer = {
  readonly resolve: (target: DialTarget) => Promise<ResolvedHost>;
  readonly connect: (target: DialTarget) => Promise<Answer<Connection>>;
  /** Dials one of the addresses that `resolve` gave, without resolving again. */
  readonly connectTo: (addresses: readonly Ip[], target: DialTarget) => Promise<Answer<Connection>>;
};
