import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

let writes = 0;

/** Content in any number of pieces, which may be made while it is written. */
type Pieces = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/**
 * Puts a file in place whole: written to a temporary name beside `path` (mode 0600), fsync, rename, fsync of the
 * folder. Rejects with the file system's error, or that of the pieces, and leaves no temporary file.
 */
export async function replaceFile(path: string, pieces: Pieces): Promise<void> {
  const temporary = `${path}.${process.pid}-${++writes}.tmp`;
  await rm(temporary, { force: true });
  try {
    const file = await open(temporary, "wx", 0o600);
    try {
      await writeAll(file, pieces);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

/** How much may wait for the disk at once: a charge that is synced meanwhile may have to wait for all of it. */
const SYNC_EVERY_BYTES = 8 << 20;

async function writeAll(file: FileHandle, pieces: Pieces): Promise<void> {
  let unsynced = 0;
  for await (const piece of pieces) {
    for (let done = 0; done < piece.byteLength; ) {
      const room = Math.min(piece.byteLength - done, SYNC_EVERY_BYTES - unsynced);
      const { bytesWritten } = await file.write(piece, done, room);
      done += bytesWritten;
      unsynced += bytesWritten;
      if (unsynced < SYNC_EVERY_BYTES) continue;
      await file.datasync();
      unsynced = 0;
    }
  }
}

async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return; // folders cannot be opened there
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
