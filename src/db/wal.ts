import { close, fdatasync, fsync, open } from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";

// Descriptors and not file handles: one that a database left open forgets would end the process when it is collected.
const openFile = promisify(open);
const closeFile = promisify(close);
const syncData = promisify(fdatasync);
const syncAll = promisify(fsync);

/** The write-ahead log of one file, brought to the disk without holding the event loop. Source: decision 0022. */
export type Wal = {
  /** Resolves when all that was committed before is on disk. Rejects with the file system's error. */
  readonly sync: () => Promise<void>;
  /** Resolves when commits may go on: the last frames of a checkpoint are copied while none is added. */
  readonly whenOpen: () => Promise<void> | undefined;
  readonly close: () => Promise<void>;
};

export type WalParts = {
  /** Of the database. */
  readonly file: string;
  /** Frames of the log that are not in the database file yet. */
  readonly framesBehind: () => number;
};

/** 16 MB. Reading the log costs more the longer it is; https://www.sqlite.org/wal.html#ckpt */
const CHECKPOINT_FRAMES = 4000;

/** Nothing is opened or started before it is needed. */
export function createWal({ file, framesBehind }: WalParts): Wal {
  const log = createLogFile(`${file}-wal`);
  const copier = createCopier(file);
  let gate: Promise<void> | null = null;
  let isChecking = false;
  const checkpoint = async (): Promise<void> => {
    if (isChecking || framesBehind() < CHECKPOINT_FRAMES) return;
    isChecking = true;
    try {
      await copier.copy();
      // The log begins anew only where nothing is left of it: what came meanwhile is copied while none is added.
      gate = copier.copy();
      await gate;
    } finally {
      gate = null;
      isChecking = false;
    }
  };
  return {
    sync: async () => {
      await log.sync();
      // One that fails, or finds the database closed, is tried again with the next commit.
      checkpoint().catch(() => undefined);
    },
    whenOpen: () => gate ?? undefined,
    close: async () => {
      await copier.close();
      await log.close();
    },
  };
}

type LogFile = Pick<Wal, "sync" | "close">;

/** One fdatasync at a time; those who come during one share the next. */
function createLogFile(path: string): LogFile {
  let descriptor: number | null = null;
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  const flush = async (): Promise<void> => {
    if (descriptor === null) {
      descriptor = await openFile(path, "r+");
      await syncFolder(dirname(path));
    }
    await syncData(descriptor);
  };
  const begin = (): Promise<void> => {
    running = flush().finally(() => {
      running = null;
    });
    return running;
  };
  const sync = (): Promise<void> => {
    if (running === null) return begin();
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = null;
        return begin();
      });
    return next;
  };
  return {
    sync,
    close: async () => {
      await (next ?? running)?.catch(() => undefined);
      if (descriptor !== null) await closeFile(descriptor);
      descriptor = null;
    },
  };
}

/** The name of a new file is on disk with its folder. Windows has no such thing. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await openFile(path, "r");
  try {
    await syncAll(folder);
  } finally {
    await closeFile(folder);
  }
}

type Copier = {
  /** Copies what the log has into the database file; resolves also when that failed, and the next is to try again. */
  readonly copy: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** A thread with a connection of its own: copying waits for the disk several times. */
function createCopier(file: string): Copier {
  let worker: Worker | null = null;
  const start = (): Worker => {
    const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
    const started = new Worker(new URL(`./checkpoint-worker.${extension}`, import.meta.url), {
      workerData: file,
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 2 },
    });
    started.on("error", () => undefined);
    started.unref();
    return started;
  };
  return {
    copy: () =>
      new Promise((resolve) => {
        worker ??= start();
        const asked = worker;
        const end = () => {
          asked.off("message", end).off("exit", onExit);
          resolve();
        };
        const onExit = () => {
          worker = null;
          end();
        };
        asked.on("message", end).on("exit", onExit);
        asked.postMessage(null);
      }),
    close: async () => {
      await worker?.terminate();
    },
  };
}
