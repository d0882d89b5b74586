import { statSync } from "node:fs";
import { basename } from "node:path";
import { DatabaseMoved } from "./unavailable.ts";

/**
 * A look at the files of a database that was just opened. It throws DatabaseMoved while one of them has another name or none:
 * what is written to it then is gone with the process, and other processes write elsewhere. The logs count from the first look
 * that finds them; they stand beside `place`, which is the file, or what it points at where it is a link. SQLite itself does not look: https://www.sqlite.org/howtocorrupt.html#unlink
 */
export function watchOpenedFiles(file: string, place: string): () => void {
  const watched = [file, `${place}-wal`, `${place}-shm`].map((path) => ({ path, opened: identityOf(path) }));
  return () => {
    for (const entry of watched) {
      const found = identityOf(entry.path);
      entry.opened ??= found;
      if (found?.ino !== entry.opened?.ino || found?.dev !== entry.opened?.dev)
        throw new DatabaseMoved(basename(entry.path));
    }
  };
}

/** Null: there is none, or it cannot be seen. */
function identityOf(path: string): { readonly ino: number; readonly dev: number } | null {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}
