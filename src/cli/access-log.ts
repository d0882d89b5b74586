import { stdin } from "node:process";
import { StringDecoder } from "node:string_decoder";
import { parseOrNull } from "../base/parse-json.ts";
import { type Ip, readIp } from "../targets/ip.ts";
import { inputPieces } from "./input-pieces.ts";

/** The first part of a line that is read; the rest of a longer one is passed over. Lines of JSON hold all headers of a request. */
const MAX_LINE = 65_536;

/**
 * The lines of a text file, or of standard input for "-", without their ends: at most 65,536 characters of each. What is packed by
 * gzip is unpacked. No more than a piece of the file is in memory, however long its lines.
 */
export async function* linesOf(file: string): AsyncGenerator<string> {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  for await (const piece of inputPieces(file, stdin)) {
    const lines = (rest + decoder.write(piece)).split("\n");
    rest = (lines.pop() ?? "").slice(0, MAX_LINE);
    for (const line of lines) yield line.slice(0, MAX_LINE);
  }
  rest += decoder.end();
  if (rest !== "") yield rest;
}

/** What is matched of a line; addresses stand at its beginning. */
const MAX_MATCHED = 4096;

// Common log format: `ADDRESS IDENTITY USER [TIME] "REQUEST" STATUS BYTES`, combined: with referrer and agent behind it. Some
// write the virtual host, with or without its port, before the address.
const LOG_LINE = /^(?:[^\s]{1,255} )?([0-9A-Fa-f.:]{2,45}) \S+ [^[\]]{0,255}\[[^\]]{1,64}\] "/;

/** HAProxy's: `ADDRESS:PORT [TIME] FRONTEND …`, behind what syslog writes. */
const HAPROXY_LINE = /^(?:[^"]{0,255}haproxy\[\d{1,10}\]: )?([0-9A-Fa-f.:]{2,45}):\d{1,5} \[/;

/** What syslog writes before a line of nginx or Apache. No line that begins with an address has it: visitors write their names there. */
const SYSLOG_HEAD =
  /^(?:<\d{1,3}>)?(?:[A-Z][a-z]{2} [ \d]\d [\d:]{8}|\d{4}-\d\d-\d\dT[\d:.+Z-]{8,30}) \S{1,255} (?:nginx|apache2|httpd)(?:\[\d{1,10}\])?: /;

/** The visitor of a line of an access log, or the address that a line consists of; null for any other line. */
export function visitorOf(line: string): Ip | null {
  const text = line.trim().replace(SYSLOG_HEAD, "");
  if (text.startsWith("{")) return visitorOfJson(text);
  const start = text.slice(0, MAX_MATCHED);
  const address =
    LOG_LINE.exec(start)?.[1] ?? HAPROXY_LINE.exec(start)?.[1] ?? (/\s/.test(start) ? "" : start);
  return readIp(address);
}

/** Members that hold it, the first that is there counts: of Caddy, of nginx as most write it, of Traefik. */
export const ADDRESS_MEMBERS = ["client_ip", "remote_ip", "remote_addr", "ClientHost"];

function visitorOfJson(text: string): Ip | null {
  const line = objectIn(text);
  const request = Object(Reflect.get(line, "request"));
  for (const place of [request, line]) {
    for (const member of ADDRESS_MEMBERS) {
      if (Object.hasOwn(place, member)) return readIp(String(Reflect.get(place, member)));
    }
  }
  return null;
}

function objectIn(text: string): object {
  return Object(parseOrNull(text));
}
