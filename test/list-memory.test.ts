import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";

/** Lists of an absurd size, read as the service reads them: in a child, whose memory is measured. */
let dir = "";
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "repute-large-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const CHILD = fileURLToPath(new URL("judge-in-child.ts", import.meta.url));

/** The largest list there may be is 256 MiB; packed and unpacked it is in memory at once. */
const MAX_RESIDENT_MB = 600;

const written = (bytes: Uint8Array) => (path: string) => writeFileSync(path, bytes);

test.each<[string, (path: string) => void, RegExp]>([
  [
    "50 million lines that mean nothing",
    written(Buffer.alloc(100_000_000, "a\n")),
    /^No row of the list was understood/,
  ],
  [
    "30 million addresses",
    written(Buffer.alloc(240_000_000, "1.2.3.4\n")),
    /^The list has more than 5000000 entries$/,
  ],
  ["one line of 100 MB", written(Buffer.alloc(100_000_000, "a")), /^No row of the list was understood/],
  ["100 MB of nothing", written(Buffer.alloc(100_000_000)), /^No row of the list was understood/],
  [
    "a file larger than any list",
    (path) => truncateSync(write(path), 400_000_000),
    /^The file is larger than/,
  ],
  ["a bomb of 1 GB", (path) => writeFileSync(path, bomb()), /^The file is too large when unpacked$/],
])("memory stays bounded at %s", { timeout: 600_000 }, async (_what, make, says) => {
  const path = join(dir, "list");
  make(path);
  const { stdout } = await promisify(execFile)(process.execPath, [CHILD, path, dir]);
  const { verdict, residentMb } = JSON.parse(stdout);
  expect(verdict).toMatchObject({ state: "rejected", reason: expect.stringMatching(says) });
  expect(residentMb).toBeLessThan(MAX_RESIDENT_MB);
});

function write(path: string): string {
  writeFileSync(path, "");
  return path;
}

/** A gzip of many members, each 64 MB of nothing: together 1 GB in 1 MB. */
const bomb = (): Buffer => Buffer.concat(Array<Buffer>(16).fill(gzipSync(Buffer.alloc(67_108_864))));
