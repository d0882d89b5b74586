import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createTrust } from "../net/tls/tls-trust.ts";
import { readNamedFile } from "./read-named-file.ts";

const dir = mkdtempSync(join(tmpdir(), "named-file-"));
afterAll(() => rmSync(dir, { recursive: true }));

test("a file is read, also behind a link", () => {
  writeFileSync(join(dir, "file"), "text");
  symlinkSync("file", join(dir, "link"));
  expect(readNamedFile(join(dir, "link"), "geo.database").toString()).toBe("text");
});

test("what may never end, or is not there, is refused in words", () => {
  const pipe = join(dir, "pipe");
  execFileSync("mkfifo", [pipe]);
  for (const path of [pipe, dir, "/dev/zero"]) {
    expect(() => createTrust(path)).toThrow(`Cannot use "fetch.ca_file": "${path}" is not a file`);
    expect(() => readNamedFile(path, "geo.database")).toThrow("is not a file");
  }
  expect(() => readNamedFile("/nowhere", "geo.database")).toThrow('cannot read "/nowhere" (ENOENT)');
});
