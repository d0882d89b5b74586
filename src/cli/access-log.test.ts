import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
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
  ...[
    "Nov 27 10:00:00 web1 nginx: ",
    "<190>Nov  7 10:00:00 web1 nginx: ",
    "2026-11-27T10:00:00.123456+00:00 web1 apache2[812]: www.example:443 ",
    "2026-11-27T10:00:00Z web1 httpd[1]: ",
  ].map((head): [string, string, string] => [
    "behind what syslog writes",
    `${head}192.0.2.7 - - [27/Nov/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 12`,
    "192.0.2.7",
  ]),
  ["JSON behind what syslog writes", 'Nov 27 10:00:00 web1 nginx: {"remote_addr":"192.0.2.7"}', "192.0.2.7"],
  [
    "a user who writes as syslog does",
    '192.0.2.7 - Nov 27 10:00:00 web1 nginx: 8.8.8.8 - - [27/Nov/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 12',
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
  ["blanks and a mark of byte order around it", "\ufeff  192.0.2.7 \t", "192.0.2.7"],
  [
    "HAProxy",
    '192.0.2.7:40312 [23/Nov/2026:10:00:00.000] web~ be/srv 0/0/0/1/1 200 100 - - ---- 1/1/0/0/0 0/0 "GET / HTTP/1.1"',
    "192.0.2.7",
  ],
  [
    "HAProxy through syslog, IPv6",
    "Nov 23 10:00:00 lb haproxy[812]: 2001:db8::7:40312 [23/Nov/2026:10:00:00.000] web be/srv 0/0/0/1/1 200 1",
    "2001:db8::7",
  ],
  [
    "Caddy",
    '{"level":"info","ts":1.5,"request":{"remote_ip":"10.0.0.1","client_ip":"192.0.2.7","uri":"/"},"status":200}',
    "192.0.2.7",
  ],
  ["Traefik", '{"ClientAddr":"192.0.2.7:4711","ClientHost":"192.0.2.7","RequestPath":"/"}', "192.0.2.7"],
  [
    "nginx in JSON",
    '{"remote_addr":"2001:db8::7","request":"GET /?client_ip=1.2.3.4 HTTP/1.1"}',
    "2001:db8::7",
  ],
  ["JSON without an address", '{"msg":"192.0.2.7"}', null],
  ["JSON with something else for it", '{"remote_addr":{"ip":"192.0.2.7"}}', null],
  ["JSON that breaks off", '{"remote_addr":"192.0.2.7"', null],
  ["JSON with names that every object has", '{"__proto__":{"remote_addr":"192.0.2.7"}}', null],
  [
    "a time and an address in what a visitor wrote",
    'bad line "GET / haproxy[1]: 192.0.2.7:1 [23/Nov/2026:10:00:00 +0000]',
    null,
  ],
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
  expect(lines).toEqual(["a\r", "", "x".repeat(65_536), "\ufffd\ufffd", "ü"]);
});

test("linesOf() unpacks gzip, also of several parts, and refuses what breaks off", async () => {
  const folder = mkdtempSync(join(tmpdir(), "repute-log-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "access.log.2.gz");
  const text = Array.from({ length: 50_000 }, (_, i) => `192.0.2.${i % 256}`).join("\n");
  const packed = Buffer.concat([gzipSync(`${text}\n`), gzipSync("198.51.100.7\n")]);
  const read = async (content: Buffer): Promise<readonly string[]> => {
    writeFileSync(file, content);
    const lines: string[] = [];
    for await (const line of linesOf(file)) lines.push(line);
    return lines;
  };
  expect(await read(packed)).toEqual([...text.split("\n"), "198.51.100.7"]);
  await expect(read(packed.subarray(0, 1000))).rejects.toThrow("unexpected end of file");
  expect(await read(Buffer.alloc(0))).toEqual([]);
  expect(await read(Buffer.from([0x1f]))).toEqual(["\u001f"]);
});
