import { type DestinationStream, type Logger, pino, stdTimeFunctions } from "pino";
import { scrub } from "./clean-text.ts";

export type Log = Logger;

const MAX_TEXT = 512;

/**
 * JSON lines on standard output. Keys, credentials in URLs and terminal codes never go out, wherever in a text
 * they stand; outside strings are cut at 512 characters. Source: security P12.
 */
export function createLog(options: { level: string; destination?: DestinationStream }): Log {
  const settings = {
    level: options.level,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: serialiseError, error: serialiseError },
    redact: ["*.password", "*.key", "headers", "*.authorization", "*.cookie"],
    hooks: { streamWrite: scrub },
  };
  return options.destination === undefined ? pino(settings) : pino(settings, options.destination);
}

function serialiseError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: cut(String(error)) };
  const code = "code" in error && typeof error.code === "string" ? { code: error.code } : {};
  return {
    type: error.name,
    message: cut(error.message),
    ...code,
    stack: (error.stack ?? "").slice(0, 2000),
  };
}

const cut = (text: string): string => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text);
