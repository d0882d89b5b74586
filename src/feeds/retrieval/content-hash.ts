import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";

/** Hash by which contents are compared: SHA-256, hex. */
export const contentHashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** The same of a file, read piece by piece. Rejects with the file system's error. */
export async function fileHashOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}
