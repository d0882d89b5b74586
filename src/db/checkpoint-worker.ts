import { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";

/*
 * Copies the write-ahead log into the database file whenever it is told to, and says when that is over. Passive: it waits for
 * no reader and no writer, and none waits for it. https://www.sqlite.org/pragma.html#pragma_wal_checkpoint
 */

const connection = new DatabaseSync(String(workerData));
connection.exec("PRAGMA synchronous = NORMAL");

parentPort?.on("message", () => {
  try {
    connection.prepare("PRAGMA wal_checkpoint(PASSIVE)").get();
  } catch {
    // A full disk, or a lock: the log stays as it is, and grows until the next time.
  }
  parentPort?.postMessage(null);
});
