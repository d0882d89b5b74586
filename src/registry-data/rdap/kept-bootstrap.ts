import { readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { replaceFile } from "../../blocklist-index/replace-file.ts";
import type { BootstrapFile } from "./bootstrap-table.ts";

const keptSchema = z.object({
  /** Folder it came from: another installation's files would lead elsewhere. */
  url: z.string(),
  retrievedAtMs: z.number(),
  content: z.unknown(),
});

/** A bootstrap file as it was retrieved. */
export type KeptBootstrap = z.infer<typeof keptSchema>;

const pathOf = (dir: string, file: BootstrapFile): string => join(dir, `${file}.json`);

/** The copy kept from `url`; null when there is none, or it cannot be read. */
export function readKeptBootstrap(dir: string, file: BootstrapFile, url: string): KeptBootstrap | null {
  try {
    const kept = keptSchema.safeParse(JSON.parse(readFileSync(pathOf(dir, file), "utf8")));
    return kept.success && kept.data.url === url ? kept.data : null;
  } catch {
    return null; // absent or damaged: it is retrieved anew
  }
}

/** Keeps a retrieved file: written aside, flushed, renamed. Rejects when the disk does not take it. */
export async function writeKeptBootstrap(
  dir: string,
  file: BootstrapFile,
  kept: KeptBootstrap,
): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  await replaceFile(pathOf(dir, file), [Buffer.from(JSON.stringify(kept))]);
}
