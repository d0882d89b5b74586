import type { Clock } from "../base/clock.ts";
import type { Log } from "../base/log.ts";

/** What runs until it is told to stop. */
export type Running = { readonly close: () => Promise<void> };

/** The process, as much of it as is needed here. */
export type ProcessEvents = {
  readonly on: (event: string, listener: (subject: unknown) => void) => unknown;
  readonly off: (event: string, listener: (subject: unknown) => void) => unknown;
  readonly exit: (status: number) => void;
};

const MAX_CLOSING_MS = 10_000;
/** As shells tell it. For systemd to die of SIGHUP itself is a clean end, after which it starts nothing. */
const HUNG_UP = 129;
/** A terminal's Ctrl-C arrives twice: once from the terminal, once from the launcher. */
const MIN_BETWEEN_SIGNALS_MS = 1_000;

/**
 * Starts something and keeps it running until SIGTERM, SIGINT or SIGHUP, then closes it, for at most 10 s, and resolves to the
 * exit status: 0, or 129 at SIGHUP, after which a supervisor is to start it anew. A signal at least 1 s after the first ends the process at once. An uncaught exception is
 * logged, closes all the same and gives 1. Signals are caught for ever after: one that arrives twice must not end the
 * process between its closing and its exit, with another status. Rejects when the start fails. Source: security P25.
 */
export async function keepRunning(
  start: () => Promise<Running>,
  { log, clock, events }: { log: Log; clock: Clock; events: ProcessEvents },
): Promise<number> {
  const { stopped, release } = listen(log, clock, events);
  try {
    const started = start();
    const running = await Promise.race([started, stopped.then(() => within(started, clock))]);
    const status = await stopped;
    if (running === null) return status;
    const closed = await within(
      running.close().then(() => true),
      clock,
    );
    if (closed === null) log.warn(`Calls were still running after ${MAX_CLOSING_MS} ms`);
    return status;
  } catch (error) {
    release();
    throw error;
  }
}

function listen(log: Log, clock: Clock, events: ProcessEvents) {
  const { promise: stopped, resolve } = Promise.withResolvers<number>();
  let firstSignalMs: number | null = null;
  const onSignal = (status: number) => (signal: unknown) => {
    const nowMs = clock.monotonicMs();
    if (firstSignalMs === null) log.info({ signal: String(signal) }, "Stopping");
    else if (nowMs - firstSignalMs >= MIN_BETWEEN_SIGNALS_MS) events.exit(1);
    firstSignalMs ??= nowMs;
    resolve(status);
  };
  const onFault = (error: unknown) => {
    log.fatal({ err: error }, "Uncaught error; stopping");
    resolve(1);
  };
  const listeners = [
    ["SIGTERM", onSignal(0)],
    ["SIGINT", onSignal(0)],
    // A terminal that went, or an operator's request to read the configuration again.
    ["SIGHUP", onSignal(HUNG_UP)],
    ["uncaughtException", onFault],
    ["unhandledRejection", onFault],
  ] as const;
  for (const [event, listener] of listeners) events.on(event, listener);
  const release = () => {
    for (const [event, listener] of listeners) events.off(event, listener);
  };
  return { stopped, release };
}

/** What it resolves to, or null when that takes longer than closing may. */
async function within<T>(promise: Promise<T>, clock: Clock): Promise<T | null> {
  const cancel = new AbortController();
  const tooLong = clock.sleep(MAX_CLOSING_MS, cancel.signal).then(
    () => null,
    () => null,
  );
  try {
    return await Promise.race([promise, tooLong]);
  } finally {
    cancel.abort();
  }
}
