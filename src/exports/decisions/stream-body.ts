import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { compose } from "node:stream";
import { createGzip } from "node:zlib";
import { replaceFile } from "../../blocklist-index/replace-file.ts";
import { type BodyInfo, writeBodyInfo } from "../bodies.ts";
import { type Difference, type Generation, readDifference } from "../generation.ts";
import { readKept } from "../kept-differences.ts";
import type { ExportFiles, ExportState } from "../state.ts";
import { decisionWriter, type Enforced } from "./decision.ts";
import { type NotEnforceable, outputsOf } from "./outputs.ts";
import { deltaId, isUnfiltered, type StreamView, type Telling, viewId } from "./stream-view.ts";

/** From one generation to the next; those that are kept. */
type Steps = { readonly differences: ExportState["differences"] };

/**
 * Writes what a bouncer is sent at its start: every decision of the generation as new, and as deleted whatever went since
 * the oldest difference that is kept and can be read, so that a bouncer whose kernel kept its set loses what is listed no more.
 */
export const writeWholeStream = (
  files: ExportFiles,
  generation: Generation,
  { differences, ...telling }: Telling & Steps,
): Promise<BodyInfo> =>
  writeStream(files, {
    ...telling,
    generation,
    id: viewId(telling),
    steps: readKept(files, differences),
    isWhole: true,
  });

/**
 * Writes what a bouncer is sent that has the generation `from`. Throws where the differences since then are not kept.
 */
export function writeDeltaStream(
  files: ExportFiles,
  generation: Generation,
  { differences, from, ...telling }: Telling & Steps & { readonly from: number },
): Promise<BodyInfo> {
  const first = differences.findIndex((one) => one.from === from);
  if (first < 0) throw new Error(`What changed since generation ${from} is not kept any more`);
  const steps = differences.slice(first).map(({ to }) => readDifference(files.difference(to)));
  return writeStream(files, { ...telling, generation, id: deltaId(telling, from), steps, isWhole: false });
}

type StreamParts = Telling & {
  readonly generation: Generation;
  readonly id: string;
  readonly steps: readonly Difference[];
  readonly isWhole: boolean;
};

const PIECE_CHARS = 65_536;

async function writeStream(files: ExportFiles, parts: StreamParts): Promise<BodyInfo> {
  const path = files.body(parts.generation.facts.generation, parts.id);
  const hash = createHash("sha256");
  const places: Places = { runs: [], new: [0, 0], deleted: [0, 0], notEnforceable: 0 };
  let bytes = 0;
  const pieces = function* (): Generator<Buffer> {
    let text = "";
    const flush = (): Buffer => {
      const piece = Buffer.from(text, "latin1");
      hash.update(piece);
      bytes += piece.byteLength;
      text = "";
      return piece;
    };
    for (const item of streamTexts(parts, places)) {
      text += item;
      if (text.length >= PIECE_CHARS) yield flush();
    }
    yield flush();
  };
  await replaceFile(path, pieces());
  await replaceFile(`${path}.gz`, compose(createReadStream(path), createGzip()));
  const info: BodyInfo = {
    bytes,
    gzip_bytes: (await stat(`${path}.gz`)).size,
    sha256: hash.digest("hex"),
    dropped: places.notEnforceable,
    stream: { new: places.new, deleted: places.deleted, runs: places.runs },
  };
  await writeBodyInfo(path, info);
  return info;
}

/** Where the parts of a body stand; filled as it is written. */
type Places = NotEnforceable & { readonly runs: number[]; new: [number, number]; deleted: [number, number] };

/** The pieces of the JSON text: ASCII alone, so that its places are those of the octets. */
function* streamTexts(parts: StreamParts, places: Places): Generator<string> {
  const { generation, view, steps, isWhole } = parts;
  const write = decisionWriter(generation.facts.name, parts.durationS);
  const { came, went } = changesOf(steps, view, write);
  yield NEW;
  let at = NEW.length;
  places.new = [at, at];
  let slot = -1;
  for (const output of outputsOf(generation, view, places)) {
    went.delete(keyOf(output));
    if (!isWhole && !came.has(keyOf(output))) continue;
    const text = write(output, output.categories);
    const separator = at === places.new[0] ? "" : ",";
    yield separator + text;
    if (output.slot !== slot) places.runs.push(output.slot, at + separator.length, 0);
    slot = output.slot;
    at += separator.length + text.length;
    places.runs[places.runs.length - 1] = at;
  }
  places.new[1] = at;
  yield DELETED;
  at += DELETED.length;
  places.deleted = [at, at];
  for (const text of went.values()) {
    const item = at === places.deleted[0] ? text : `,${text}`;
    yield item;
    at += item.length;
  }
  places.deleted[1] = at;
  yield END;
}

/** How a body begins, what stands between its lists, and how it ends. */
export const [NEW, DELETED, END] = ['{"new":[', '],"deleted":[', "]}"] as const;

/** A value that was banned and is challenged now is told as both: one went, the other came. */
const keyOf = ({ type, value }: Enforced): string => `${type} ${value}`;

/**
 * What came and what went in several steps: `came` may be gone again and `went` may be back, which the generation decides. A
 * bouncer may have seen any of the steps, so that a value that came and went must be told as well.
 */
function changesOf(steps: readonly Difference[], view: StreamView, write: ReturnType<typeof decisionWriter>) {
  const came = new Set<string>();
  const went = new Map<string, string>();
  const ignored: NotEnforceable = { notEnforceable: 0 };
  for (const step of steps) {
    const added = [step.added];
    const removed = [step.removed];
    // What a value was listed for before is not known: a filter may let it in now, or no longer.
    if (!isUnfiltered(view)) {
      added.push(step.changed);
      removed.push(step.changed);
    }
    for (const rows of added) for (const output of outputsOf(rows, view, ignored)) came.add(keyOf(output));
    const anyScenario = { ...view, scenarios: view.scenarios.map(() => true) };
    for (const rows of removed)
      for (const output of outputsOf(rows, anyScenario, ignored))
        went.set(keyOf(output), write(output, output.categories));
  }
  return { came, went };
}
