import type { TLSSocket } from "node:tls";
import type { Clock } from "../../base/clock.ts";
import { startDeadline } from "../deadline.ts";
import type { Dialer, DialTarget, ResolvedHost } from "../dialer-types.ts";
import { certificateOf } from "./tls-certificate.ts";
import { dialTls, type UnverifiedTls } from "./tls-dial.ts";
import { chainFault } from "./tls-faults.ts";
import { NO_CERTIFICATE, type TlsReport } from "./tls-shape.ts";
import type { Trust } from "./tls-trust.ts";

/** Looks at the certificate that a host shows; never throws for what the other side does. */
export type TlsLook = (target: TlsTarget) => Promise<TlsReport>;

type TlsTarget = {
  /** A-label name, or address. */
  readonly host: string;
  /** Default 443. */
  readonly port?: number;
  /** Resolution, connection and handshake together; default 5000. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
};

const DEFAULT_TIMEOUT_MS = 5000;
/** What the other side's closing looks like. */
const CLOSED = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE"]);

/** See `TlsLook`. Source: design 6.3, security P1 and P6. */
export function createTlsLook({
  dialer,
  clock,
  trust,
}: {
  readonly dialer: Dialer;
  readonly clock: Clock;
  readonly trust: Trust;
}): TlsLook {
  return async ({ host, port = 443, timeoutMs = DEFAULT_TIMEOUT_MS, signal }) => {
    const deadline = startDeadline(clock, timeoutMs, signal);
    const target = { host, port, isOperatorsWord: false, timeoutMs, signal: deadline.signal };
    try {
      const resolved = await dialer.resolve(target);
      if (resolved.state !== "addresses") return unresolvedReport(resolved);
      const tls = await dialTls(resolved.addresses, target, { dialer, trust, alpn: ["h2", "http/1.1"] });
      return reportOf(tls, target, clock.now());
    } finally {
      deadline.end();
    }
  };
}

/** `no_tls`: the port refuses, or closes without a handshake. Source: design 6.3. */
const failed = (status: TlsReport["status"], code: string, message: string): TlsReport => ({
  status,
  ...NO_CERTIFICATE,
  error: { code, message },
});

function unresolvedReport(host: Exclude<ResolvedHost, { state: "addresses" }>): TlsReport {
  switch (host.state) {
    case "blocked":
      return failed("blocked", host.reason, "The target may not be reached");
    case "no_address":
      return failed("no_address", "no_address", "The host name has no A or AAAA record");
    case "failed":
      return failed(host.reason, host.reason, host.detail);
    default:
      return host satisfies never;
  }
}

function reportOf(tls: UnverifiedTls, { host, signal }: DialTarget, now: Date): TlsReport {
  if (tls.state === "secured") {
    const report = reportCertificate(tls.socket, { host, now });
    tls.socket.destroy();
    tls.connection.socket.destroy();
    return report;
  }
  if (signal?.aborted) return failed("timeout", "timeout", "No handshake in time");
  if (tls.state === "failed")
    return failed(CLOSED.has(tls.code) ? "no_tls" : "error", tls.code, "The handshake failed");
  const { reason, detail, code = reason } = tls.answer;
  if (reason === "timeout") return failed("timeout", "timeout", detail);
  if (reason === "refused") return failed("blocked", code, "The target may not be reached");
  return failed(CLOSED.has(code) ? "no_tls" : "error", code, "The connection failed");
}

/** The report of an open connection that was made without verification. */
export function reportCertificate(
  socket: TLSSocket,
  about: { readonly host: string; readonly now: Date },
): TlsReport {
  const shown = certificateOf(socket, about);
  if (shown === null) return failed("error", "NO_CERTIFICATE", "The server shows no certificate");
  const { certificate, chainError } = shown;
  if (chainError === null) return { status: "ok", ...certificate, error: null };
  const message = chainFault(chainError, certificate.self_signed);
  return { status: "ok", ...certificate, error: { code: chainError, message } };
}
