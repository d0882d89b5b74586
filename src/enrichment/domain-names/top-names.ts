import { fileURLToPath } from "node:url";
import { readSeedManifest } from "../../feeds/retrieval/manifest.ts";
import { readSeed } from "../../feeds/retrieval/read-source.ts";

const SEED_DIR = fileURLToPath(new URL("../../../seed", import.meta.url));
const FILE = "misp-tranco10k";

/** Names of the shipped popularity list, ten thousand; reads the seed. */
export function readShippedTopNames(): readonly string[] {
  const { bytes } = readSeed(SEED_DIR, readSeedManifest(SEED_DIR), FILE);
  return Buffer.from(bytes)
    .toString("utf8")
    .split("\n")
    .filter((name) => name !== "");
}
