import { type DestinationStream, type Logger, pino, stdTimeFunctions } from "pino";

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

/** Takes keys (their 12-character prefix stays) and passwords in URLs out of any text. */
export function scrub(text: string): string {
  return text
    .replace(/rpt_[0-9A-Za-z]{9,}/g, (key) => key.slice(0, 12))
    .replace(/(:\/\/[^\s:/@"]*):[^\s@"/]+@/g, "$1:***@");
}

/** Takes control characters and terminal escapes out of a text that a person will see in a terminal. */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, "");
}
