import { chmodSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeFolder, makePrivateFolder } from "./folders.ts";

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "repute-folders-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test("makeFolder() makes a folder and those above it, for its owner alone, and tells the first", () => {
  const root = emptyFolder();
  expect(makeFolder(join(root, "a/b/c"))).toBe(join(root, "a"));
  expect(statSync(join(root, "a/b/c")).mode & 0o777).toBe(0o700);
  expect(makeFolder(join(root, "a/b"))).toBeUndefined();
});

test("makeFolder() says what is in the way", () => {
  const file = join(emptyFolder(), "file");
  writeFileSync(file, "");
  expect(() => makeFolder(file)).toThrow("EEXIST");
  expect(() => makeFolder(join(file, "below"))).toThrow("ENOTDIR");
});

test.runIf(existsSync("/proc/self"))("makeFolder() ends where the system makes no folders", () => {
  expect(() => makeFolder("/proc/none/below")).toThrow("ENOENT");
});

test("makePrivateFolder() closes a folder that others could write, but not one that belongs to everybody", () => {
  const folder = emptyFolder();
  for (const [before, after] of [
    [0o777, 0o700],
    [0o750, 0o700],
    [0o1777, 0o1777],
  ] as const) {
    chmodSync(folder, before);
    makePrivateFolder(folder);
    expect(statSync(folder).mode & 0o7777).toBe(after);
  }
});
