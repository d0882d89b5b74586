import { printable, scrub } from "../base/clean-text.ts";
import { InvalidValue, Refusal } from "../base/failure.ts";
import { systemReason } from "../base/system-reason.ts";

/** Exit status of a failure: 2 for what was typed wrongly, 1 for the rest. Source: operating.md. */
export function exitStatusOf(error: unknown): 1 | 2 {
  if (error instanceof InvalidValue) return 2;
  return error instanceof Refusal && error.faults.length > 0 ? 2 : 1;
}

/** A failure in one line for standard error: no stack, no secrets, no terminal codes. */
export function failureLine(error: unknown): string {
  const sentence = sentenceOf(error).split("\n")[0] ?? "";
  return printable(scrub(sentence)).trim() || "Unknown failure";
}

function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof Refusal) return error.faults[0]?.msg ?? error.message;
  if (error instanceof AggregateError && error.message === "") return sentenceOf(error.errors[0]);
  return systemSentence(error) ?? (error.message || error.name);
}

/** What the driver of PostgreSQL says of itself, without a code. */
const DRIVER_FAULTS = ["Connection terminated", "The server does not support SSL", "timeout exceeded when"];

function systemSentence(error: Error): string | null {
  const { code, syscall, path, dest, address, port, hostname, severity } = { ...systemPartsOf(error) };
  if (code === "ERR_SQLITE_ERROR") return `Cannot use the database: ${error.message}`;
  // PostgreSQL's own words do not say that they are about a database.
  if (severity === "FATAL") return `Cannot connect to the database: ${error.message}`;
  if (severity === "ERROR") return `Cannot use the database: ${error.message}`;
  if (DRIVER_FAULTS.some((words) => error.message.startsWith(words)))
    return `Cannot connect to the database: ${error.message}`;
  if (syscall === "getaddrinfo") return `Cannot find the address of "${hostname ?? ""}"`;
  const reason = systemReason(code ?? "");
  if (reason === null) return null;
  if (syscall === "listen" || syscall === "bind")
    return `Cannot listen on ${placeOf(address, port)}: ${reason}`;
  if (syscall === "connect") return `Cannot connect to ${placeOf(address, port)}: ${reason}`;
  const place = dest ?? path;
  if (place !== undefined) return `Cannot use "${place}": ${reason}`;
  // Of a file that is open the system does not say which one it is.
  return syscall === "read" || syscall === "write" ? `Cannot ${syscall}: ${reason}` : null;
}

/** As in a URL; the system names no port where it was to choose one. */
function placeOf(address = "", port?: string): string {
  const host = address.includes(":") ? `[${address}]` : address;
  return port === undefined ? host : `${host}:${port}`;
}

function systemPartsOf(error: Error): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(
    Object.entries(error).map(([name, value]) => [
      name,
      typeof value === "string" || typeof value === "number" ? String(value) : undefined,
    ]),
  );
}
