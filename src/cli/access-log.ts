import { createReadStream } from "node:fs";
import { stdin } from "node:process";
import { StringDecoder } from "node:string_decoder";
import { type Ip, readIp } from "../targets/ip.ts";

/** The first part of a line that is read; the rest of a longer one is passed over. */
const MAX_LINE = 4096;

/**
 * The lines of a text file, or of standard input for "-", without their ends: at most 4,096 characters of each. No more than a
 * piece of the file is in memory, however long its lines.
 */
export async function* linesOf(file: string): AsyncGenerator<string> {
  const pieces = file === "-" ? stdin : createReadStream(file);
  const decoder = new StringDecoder("utf8");
  let rest = "";
  for await (const piece of pieces) {
    const lines = (rest + decoder.write(piece)).split("\n");
    rest = (lines.pop() ?? "").slice(0, MAX_LINE);
    for (const line of lines) yield line.slice(0, MAX_LINE);
  }
  rest += decoder.end();
  if (rest !== "") yield rest;
}

// Common log format: `ADDRESS IDENTITY USER [TIME] "REQUEST" STATUS BYTES`, combined: with referrer and agent behind it. Some
// write the virtual host, with or without its port, before the address.
const LOG_LINE = /^(?:[^\s]{1,255} )?([0-9A-Fa-f.:]{2,45}) \S+ [^[\]]{0,255}\[[^\]]{1,64}\] "/;

/** The visitor of a line of an access log, or the address that a line consists of; null for any other line. */
export function visitorOf(line: string): Ip | null {
  const text = line.trimEnd();
  const address = LOG_LINE.exec(text)?.[1] ?? (/\s/.test(text) ? "" : text);
  return readIp(address);
}
