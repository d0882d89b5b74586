import { spawn } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { writeWhole } from "./write-whole.ts";

let dir = "";
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "whole-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const text = (name: string): string => readFileSync(join(dir, name), "utf8");
const write = (name: string, content: string) => writeWhole(join(dir, name), Buffer.from(content));

describe("a file that programs read", () => {
  test("is new with the permissions that the umask leaves", async () => {
    writeFileSync(join(dir, "plain"), "");
    await write("new", "one\n");
    expect(text("new")).toBe("one\n");
    expect(statSync(join(dir, "new")).mode).toBe(statSync(join(dir, "plain")).mode);
    expect(readdirSync(dir).toSorted()).toEqual(["new", "plain"]);
  });

  test.each([0o600, 0o640, 0o664, 0o666])("keeps its permissions %o", async (mode) => {
    writeFileSync(join(dir, "old"), "one\n");
    chmodSync(join(dir, "old"), mode);
    await write("old", "two\n");
    expect(text("old")).toBe("two\n");
    expect(statSync(join(dir, "old")).mode & 0o777).toBe(mode);
  });

  test.runIf(process.getuid?.() === 0)("keeps its owner", async () => {
    writeFileSync(join(dir, "old"), "one\n");
    chmodSync(join(dir, "old"), 0o640);
    chownSync(join(dir, "old"), 4711, 4712);
    await write("old", "two\n");
    expect(statSync(join(dir, "old"))).toMatchObject({ uid: 4711, gid: 4712, mode: 0o100640 });
    expect(text("old")).toBe("two\n");
  });

  test("is never there by half: who has it open reads the old one to its end", async () => {
    const [old, next] = ["old\n".repeat(1 << 18), "next\n".repeat(1 << 18)];
    await write("list", old);
    let isDone = false;
    const writing = (async () => {
      for (let i = 0; i < 10; i++) await write("list", i % 2 === 0 ? next : old);
      isDone = true;
    })();
    while (!isDone) {
      expect([old.length, next.length]).toContain(statSync(join(dir, "list")).size);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await writing;
  });

  test("is where a link leads, and the link stays", async () => {
    mkdirSync(join(dir, "there"));
    writeFileSync(join(dir, "there", "real"), "one\n");
    symlinkSync(join("there", "real"), join(dir, "link"));
    symlinkSync(join("there", "missing"), join(dir, "dangling"));
    await write("link", "two\n");
    await write("dangling", "three\n");
    expect([text("there/real"), text("there/missing")]).toEqual(["two\n", "three\n"]);
    for (const name of ["link", "dangling"]) expect(lstatSync(join(dir, name)).isSymbolicLink()).toBe(true);
  });

  test("may be a device or a pipe, which stays one", async () => {
    await writeWhole("/dev/null", Buffer.from("x"));
    expect(statSync("/dev/null").isCharacterDevice()).toBe(true);
    const path = join(dir, "pipe");
    await new Promise((resolve) => spawn("mkfifo", [path]).once("exit", resolve));
    const reader = spawn("cat", [path]);
    let read = "";
    reader.stdout.on("data", (chunk: Buffer) => {
      read += chunk.toString("utf8");
    });
    const ended = new Promise((resolve) => reader.once("close", resolve));
    await write("pipe", "two\n");
    await ended;
    expect(read).toBe("two\n");
    expect(statSync(path).isFIFO()).toBe(true);
  });

  test("is named by its own name where it cannot be written", async () => {
    await expect(write("none/list", "x")).rejects.toMatchObject({
      code: "ENOENT",
      path: join(dir, "none/list"),
    });
    await expect(writeWhole(dir, Buffer.from("x"))).rejects.toMatchObject({ code: "EISDIR" });
    expect(existsSync(join(dir, "none"))).toBe(false);
  });
});
