import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { nullIfAbsent } from "../base/caught.ts";
import { parseOrNull } from "../base/parse-json.ts";
import { replaceFile } from "../blocklist-index/replace-file.ts";
import { type ExportFacts, exportFacts } from "./facts.ts";

/*
 * The folder of an export in the data folder, `exports/NAME/`:
 *
 *   state.json            what is in force; replaced last, so that everything it names is there
 *   GENERATION.bin        rows of the generation in force
 *   GENERATION.diff       what came and went since the generation before; the last 64 are kept
 *   GENERATION~VARIANT    a body as it is sent, with `.gz` (the same, gzip) and `.json` (sizes, sha256); of a long variant
 *                         its hash
 *   held.bin              a generation that is held back
 *
 * Everything is written aside, synced and renamed.
 */

/** Why a generation is not in force. */
export const held = z.object({
  since: z.string().describe("When this was first found"),
  reason: z.enum(["halved", "too_few"]),
  entries: z.int().describe("That it would hold"),
  needed: z.int().describe("That it must hold at least"),
});
export type HeldBack = z.infer<typeof held>;

const exportState = z.object({
  /** Null: no generation was ever in force. */
  facts: exportFacts.nullable(),
  /** ISO 8601: when a build last found the content in force to be right; null: never. */
  checkedAt: z.string().nullable(),
  held: held.nullable(),
  /** Why the last build failed. */
  fault: z.object({ at: z.string(), message: z.string() }).nullable(),
  /** The product's version that put it in force: another one may write its bodies otherwise. */
  madeBy: z.string().default(""),
  /** Generations whose differences are kept, each with the one before it, oldest first. */
  differences: z.array(z.object({ from: z.int(), to: z.int() })),
});
export type ExportState = z.infer<typeof exportState>;

/** Of an export that was never built. */
const NO_STATE: ExportState = {
  facts: null,
  checkedAt: null,
  held: null,
  fault: null,
  madeBy: "",
  differences: [],
};

/** Differences kept of each export: a consumer that is further behind is sent everything. */
export const KEPT_DIFFERENCES = 64;

/** Files of an export's folder. */
export const exportFiles = (dir: string) => ({
  dir,
  state: join(dir, "state.json"),
  held: join(dir, "held.bin"),
  generation: (generation: number) => join(dir, `${generation}.bin`),
  difference: (generation: number) => join(dir, `${generation}.diff`),
  body: (generation: number, variant: string) => join(dir, `${generation}~${fileNameOf(variant)}`),
});
/** File systems take names of 255 octets: of what was chosen at greater length the hash stands in the name. */
const fileNameOf = (variant: string): string =>
  variant.length <= MAX_VARIANT ? variant : createHash("sha256").update(variant).digest("hex");
const MAX_VARIANT = 160;
export type ExportFiles = ReturnType<typeof exportFiles>;

/** What a process claims while it writes exports: one at a time on a data folder. */
export const EXPORTS_CLAIM = "build";

/** Where the exports of a data folder stand. */
export const exportsDirOf = (dataDir: string): string => join(dataDir, "exports");

/** The state of an export; `NO_STATE` where there is none, or none that is understood. */
export function readState(files: ExportFiles): ExportState {
  let text: string;
  try {
    text = readFileSync(files.state, "utf8");
  } catch (error) {
    return nullIfAbsent(error) ?? NO_STATE;
  }
  return exportState.safeParse(parseOrNull(text)).data ?? NO_STATE;
}

/** What an export holds; with another of either it is another export, whatever its name. */
type Holds = Pick<ExportFacts, "kind" | "target">;

/** The state of an export that holds this; as if never built where what is in force holds something else. */
export function readStateOf(files: ExportFiles, { kind, target }: Holds): ExportState {
  const state = readState(files);
  const { facts } = state;
  const isOwn = facts === null || (facts.kind === kind && facts.target === target);
  return isOwn ? state : { ...NO_STATE, fault: state.fault };
}

export const writeState = (files: ExportFiles, state: ExportState): Promise<void> =>
  replaceFile(files.state, [Buffer.from(`${JSON.stringify(state)}\n`)]);
