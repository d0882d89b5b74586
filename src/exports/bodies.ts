import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { z } from "zod";
import { nullIfAbsent } from "../base/caught.ts";
import { replaceFile } from "../blocklist-index/replace-file.ts";
import type { Written } from "./formats/format.ts";
import type { Generation } from "./generation.ts";
import type { ExportFiles } from "./state.ts";
import type { Variant } from "./variant.ts";

const bodyInfo = z.object({
  bytes: z.int(),
  gzip_bytes: z.int(),
  sha256: z.string(),
  /** Rows that the format cannot say. */
  dropped: z.int(),
  /** Of a stream of decisions: where its parts stand, in octets from the start of the body, each up to its end. */
  stream: z
    .object({
      new: z.tuple([z.int(), z.int()]),
      deleted: z.tuple([z.int(), z.int()]),
      /** Decisions that are renewed together: slot, start and end, again and again. */
      runs: z.array(z.int()),
    })
    .optional(),
});

/** A body that is ready to be sent. */
export type BodyInfo = z.infer<typeof bodyInfo>;

const PIECE_CHARS = 65_536;

/** The octets of a body, and the rows that the format left out. Works in memory: for a process of its own. */
export function renderBody(
  generation: Generation,
  { format, chosen }: Variant,
): { readonly content: Buffer; readonly dropped: number } {
  const written: Written = { dropped: 0 };
  const pieces: Buffer[] = [];
  let text = "";
  for (const line of format.write(generation, chosen, written)) {
    text += line;
    if (text.length < PIECE_CHARS) continue;
    pieces.push(Buffer.from(text, "utf8"));
    text = "";
  }
  pieces.push(Buffer.from(text, "utf8"));
  return { content: Buffer.concat(pieces), dropped: written.dropped };
}

/** Writes a body, the same packed by gzip, and last what is told of them: with that the body is there. */
export async function writeBody(
  files: ExportFiles,
  generation: Generation,
  variant: Variant,
): Promise<BodyInfo> {
  const { content, dropped } = renderBody(generation, variant);
  const packed = gzipSync(content);
  const path = files.body(generation.facts.generation, variant.id);
  const info: BodyInfo = {
    bytes: content.byteLength,
    gzip_bytes: packed.byteLength,
    sha256: createHash("sha256").update(content).digest("hex"),
    dropped,
  };
  await replaceFile(path, [content]);
  await replaceFile(`${path}.gz`, [packed]);
  await writeBodyInfo(path, info);
  return info;
}

/** Writes what is told of a body whose files are in place: with that the body is there. */
export const writeBodyInfo = (path: string, info: BodyInfo): Promise<void> =>
  replaceFile(`${path}.json`, [Buffer.from(JSON.stringify(info))]);

/** What is told of a body; null: it was not written yet, or by another version otherwise, and is to be written anew. */
export function readBodyInfo(files: ExportFiles, generation: number, variantId: string): BodyInfo | null {
  try {
    const text = readFileSync(`${files.body(generation, variantId)}.json`, "utf8");
    const info = bodyInfo.safeParse(JSON.parse(text));
    return info.success ? info.data : null;
  } catch (error) {
    return error instanceof SyntaxError ? null : nullIfAbsent(error);
  }
}
