import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { linesOf, visitorOf } from "./access-log.ts";

test.each([
  ["common", '192.0.2.7 - - [23/Nov/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 12', "192.0.2.7"],
  [
    "combined",
    '192.0.2.7 - ann [23/Nov/2026:10:00:00 +0000] "GET /?ip=1.2.3.4 HTTP/1.1" 200 12 "https://a.example/" "curl"',
    "192.0.2.7",
  ],
  ["IPv6", '2001:DB8::7 - - [23/Nov/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 12', "2001:db8::7"],
  ["mapped IPv4", '::ffff:192.0.2.7 - - [23/Nov/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 12', "192.0.2.7"],
  [
    "a virtual host before it",
    'www.example:443 192.0.2.7 - - [23/Nov/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 12',
    "192.0.2.7",
  ],
  ["a user with blanks", '192.0.2.7 - a b [23/Nov/2026:10:00:00 +0000] "-" 400 0', "192.0.2.7"],
  ["an address alone", "192.0.2.7", "192.0.2.7"],
  ["with a carriage return", "2001:db8::7\r", "2001:db8::7"],
  [
    "a name in place of the address",
    'host.example - - [23/Nov/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 12',
    null,
  ],
  [
    "an address as the user",
    'host.example - 192.0.2.7 [23/Nov/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 12',
    null,
  ],
  ["an address that is none", '192.0.2.700 - - [23/Nov/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 12', null],
  ["no time", '192.0.2.7 - - "GET / HTTP/1.1" 200 12', null],
  ["another format", "Nov 23 10:00:00 host sshd[1]: Failed password from 192.0.2.7", null],
  ["terminal codes", "\u001b[31m192.0.2.7", null],
  ["nothing", "", null],
])("visitorOf() of %s", (_, line, address) => {
  expect(visitorOf(line)?.text ?? null).toBe(address);
});

test("visitorOf() takes any line, and a long one in no time", () => {
  fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 300 }), (line) => void visitorOf(line)));
  for (const part of ["1", "a ", "[", ":", "1.", "- "])
    expect(visitorOf(part.repeat(4096 / part.length))).toBeNull();
});

test("linesOf() cuts long lines, keeps the last one without an end, and reads what is no UTF-8", async () => {
  const folder = mkdtempSync(join(tmpdir(), "repute-log-"));
  const file = join(folder, "access.log");
  const long = Buffer.alloc(3_000_000, "x");
  writeFileSync(
    file,
    Buffer.concat([Buffer.from("a\r\n\n"), long, Buffer.from([10, 255, 254, 10]), Buffer.from("ü")]),
  );
  const lines: string[] = [];
  for await (const line of linesOf(file)) lines.push(line);
  rmSync(folder, { recursive: true, force: true });
  expect(lines).toEqual(["a\r", "", "x".repeat(4096), "\ufffd\ufffd", "ü"]);
});
