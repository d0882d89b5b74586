import { execFileSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import type { Ground } from "./ground.ts";

/** Makes a folder that is a file system of its own, of so many MB. */
export function mountSmallDisk(ground: Pick<Ground, "later">, path: string, mb: number): void {
  mkdirSync(path);
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${mb}m,mode=700`, "none", path]);
  ground.later(() => execFileSync("umount", ["-l", path]));
}

/** Writes a file until nothing more fits beside it. */
export function fillDisk(path: string): void {
  const file = openSync(path, "w");
  try {
    for (let size = 1 << 20; size >= 1; size = size >>> 1) {
      while (isWritten(file, size));
    }
  } finally {
    closeSync(file);
  }
}

function isWritten(file: number, size: number): boolean {
  try {
    return writeSync(file, Buffer.alloc(size)) === size;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOSPC") return false;
    throw error;
  }
}
