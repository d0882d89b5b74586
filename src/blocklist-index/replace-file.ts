import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { withTemporaryName } from "../base/temporary-files.ts";

/** Content in any number of pieces, which may be made while it is written. */
type Pieces = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** Who may read a file. */
type Access = {
  /** As for a file that is made: the umask takes bits away. Default: 0600. */
  readonly mode?: number;
  /** Owner and permissions are those of this file, whatever the umask. */
  readonly like?: { readonly mode: number; readonly uid: number; readonly gid: number };
};

/**
 * Puts a file in place whole: written to a temporary name beside `path`, fsync, rename, fsync of the folder. Rejects with
 * the file system's error, or that of the pieces, and leaves no temporary file.
 */
export async function replaceFile(
  path: string,
  pieces: Pieces,
  { mode = 0o600, like }: Access = {},
): Promise<void> {
  await withTemporaryName(path, async (temporary) => {
    await rm(temporary, { force: true });
    try {
      const file = await open(temporary, "wx", like === undefined ? mode : 0o600);
      try {
        if (like !== undefined) await makeLike(file, like);
        await writeAll(file, pieces);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(temporary, path);
    } catch (error) {
      await rm(temporary, { force: true });
      // Told is the file that was asked for, not the one beside it.
      if (error instanceof Error && "path" in error) error.path = path;
      throw error;
    }
  });
  await syncFolder(dirname(path));
}

async function makeLike(file: FileHandle, { mode, uid, gid }: NonNullable<Access["like"]>): Promise<void> {
  const own = await file.stat();
  if (own.uid !== uid || own.gid !== gid) await file.chown(uid, gid);
  await file.chmod(mode & 0o7777); // after the owner: another one takes bits away
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
