import { fork } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { hiddenSecrets } from "../base/clean-text.ts";
import { giveWay } from "../base/give-way.ts";
import { sweepLeftovers } from "../base/temporary-files.ts";
import type { RouteContents } from "../enrichment/ip/asn/route-contents.ts";
import type { ExportBuild } from "../exports/build.ts";
import type { FeedDefinition } from "../feeds/feed.ts";
import type { Candidate, ContentVerdict } from "../feeds/retrieval/validate-content.ts";
import type { Retrieved } from "../feeds/table.ts";

/** The snapshots without which nothing is answered, in the order in which a first start makes them. */
export const PARTS = ["lists", "asn", "geography"] as const;
export type Part = (typeof PARTS)[number];

/** What the child is told to do. */
export type PrepareJob =
  | { readonly part: "asn"; readonly outFile: string }
  | {
      readonly part: "geography";
      readonly outFile: string;
      /** Where retrieved tables are kept. */
      readonly keptDir: string;
      /** Key of the retrieved table; null, or without content: the shipped one. */
      readonly city: string | null;
    }
  | {
      readonly part: "routes";
      readonly outFile: string;
      readonly keptDir: string;
      /** Keys of the tables; null: not retrieved. */
      readonly keys: RouteContents<string>;
    }
  | {
      readonly part: "lists";
      readonly outFile: string;
      readonly feeds: readonly FeedDefinition[];
      readonly seedDir: string;
      /** Where retrieved lists are kept. */
      readonly keptDir: string;
      /** Where the names, URLs and mailboxes of the lists are written as well; null: nothing needs them. */
      readonly textsFile: string | null;
    }
  | ({ readonly part: "exports" } & ExportBuild)
  | { readonly part: "export body"; readonly dir: string; readonly name: string; readonly variant: string }
  | {
      readonly part: "downloads";
      readonly downloads: readonly { readonly feed: Retrieved; readonly candidate: Candidate }[];
      readonly keptDir: string;
    };

/** The job with the publishers' keys that no text of the child may hold. */
export type ToldJob = PrepareJob & { readonly hidden: readonly string[] };

/** What the child answers when it is done. */
export type PrepareOutcome =
  | { readonly state: "done"; readonly verdicts: readonly ContentVerdict[] }
  | { readonly state: "failed"; readonly message: string };

/** File of a part's snapshot. Announced routes have no shipped table, so that no answer waits for theirs. */
export const snapshotFile = (dataDir: string, part: Part | "routes"): string =>
  join(dataDir, "snapshots", `${part}.bin`);

/** File of the texts that the index has hashes of. */
export const textsFile = (dataDir: string): string => join(dataDir, "snapshots", "texts.bin");

/** Makes the folders and takes away what a killed process left half written. */
export async function sweepSnapshots(dataDir: string): Promise<void> {
  for (const name of ["snapshots", "feeds"]) {
    await mkdir(join(dataDir, name), { recursive: true, mode: 0o700 });
    sweepLeftovers(join(dataDir, name));
  }
  sweepLeftovers(dataDir); // copies of the database
}

const isOutcome = (message: unknown): message is PrepareOutcome =>
  typeof message === "object" && message !== null && "state" in message;

/**
 * Runs one job in a child process and resolves when its snapshot is in place, or with what became of downloads. Rejects
 * with the child's own sentence, or with its exit when it died. `signal` ends the child. `isAside`: calls are answered
 * meanwhile, and go first.
 */
export function prepareInChild(
  job: PrepareJob,
  { signal, isAside }: { readonly signal: AbortSignal; readonly isAside: boolean },
): Promise<readonly ContentVerdict[]> {
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  const child = fork(new URL(`./compile-child.${extension}`, import.meta.url), ["prepare"], {
    signal,
    killSignal: "SIGKILL",
    execArgv: [],
    serialization: "advanced",
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  // A caller who waits for an answer waits less long than one who waits for newer lists.
  if (isAside && child.pid !== undefined) giveWay(child.pid, "wholly");
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, cause) => {
      const fail = () =>
        reject(new Error(`Cannot prepare ${job.part}: the child process ended with ${cause ?? code}`));
      // Its end may be told before what it sent last was read.
      if (child.connected) child.once("disconnect", fail);
      else fail();
    });
    child.on("message", (message) => {
      if (!isOutcome(message)) return;
      if (message.state === "done") resolve(message.verdicts);
      else reject(new Error(`Cannot prepare ${job.part}: ${message.message}`));
    });
    // Over the channel: arguments and environment of a process can be read by others.
    child.send({ ...job, hidden: hiddenSecrets() } satisfies ToldJob);
  });
}
