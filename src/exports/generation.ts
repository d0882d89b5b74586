import { z } from "zod";
import { readSnapshotOrReason, type SnapshotKind, writeSnapshot } from "../blocklist-index/snapshot.ts";
import { type ExportFacts, exportFacts } from "./facts.ts";
import { type LabelledRows, rowsIn, sectionsOf } from "./rows.ts";

/** Name and version of a generation's file, and of the file with its difference to the one before. */
export const GENERATION_SNAPSHOT: SnapshotKind = { kind: "export", version: 2 };
const DIFFERENCE_SNAPSHOT: SnapshotKind = { kind: "export difference", version: 2 };

/** One generation of an export, read or about to be written. */
export type Generation = LabelledRows & {
  readonly facts: ExportFacts;
  /** Names and networks that are allowed inside exported ones and must be exempted by the format. */
  readonly islands: readonly string[];
};

/** What came, what is there with another score or other reasons, and what went from one generation to another. */
export type Difference = {
  readonly from: number;
  readonly to: number;
  readonly added: LabelledRows;
  readonly changed: LabelledRows;
  readonly removed: LabelledRows;
};

const generationMeta = z.object({ facts: exportFacts, islands: z.array(z.string()) });
const differenceMeta = z.object({ from: z.number(), to: z.number() });

/** Writes the file whole, as `writeSnapshot` does. */
export const writeGeneration = (
  path: string,
  { facts, rows, labels, islands }: Generation,
): Promise<number> =>
  writeSnapshot(path, {
    ...GENERATION_SNAPSHOT,
    fingerprint: String(facts.generation),
    meta: { facts, islands },
    sections: sectionsOf({ rows, labels }, ""),
  });

/** The generation in a file. Throws, saying why, where it cannot be read. */
export function readGeneration(path: string): Generation {
  const reading = readSnapshotOrReason(path, GENERATION_SNAPSHOT);
  if (reading.state === "unusable") throw new Error(`The export file ${path} ${reading.reason}`);
  const { meta, sections } = reading.snapshot;
  return { ...generationMeta.parse(meta), ...rowsIn(sections, "") };
}

/**
 * Whether the file holds just these rows, labels and islands: faster than to read it and to look for what differs. False says
 * nothing of a file that other code wrote.
 */
export function isWritten(path: string, { rows, labels, islands }: Generation): boolean {
  const reading = readSnapshotOrReason(path, GENERATION_SNAPSHOT);
  if (reading.state === "unusable") return false;
  const { meta, sections } = reading.snapshot;
  const isSame = ([name, wanted]: readonly [string, ArrayBufferView]): boolean => {
    const section = sections[name];
    return section !== undefined && bytesOf(section).equals(bytesOf(wanted));
  };
  if (!Object.entries(sectionsOf({ rows, labels }, "")).every(isSame)) return false;
  return JSON.stringify(generationMeta.parse(meta).islands) === JSON.stringify(islands);
}

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

/** Writes the file whole. */
export const writeDifference = (
  path: string,
  { added, changed, removed, ...meta }: Difference,
): Promise<number> =>
  writeSnapshot(path, {
    ...DIFFERENCE_SNAPSHOT,
    fingerprint: `${meta.from} ${meta.to}`,
    meta,
    sections: {
      ...sectionsOf(added, "added."),
      ...sectionsOf(changed, "changed."),
      ...sectionsOf(removed, "removed."),
    },
  });

/** The difference in a file. Throws, saying why, where it cannot be read. */
export function readDifference(path: string): Difference {
  const reading = readSnapshotOrReason(path, DIFFERENCE_SNAPSHOT);
  if (reading.state === "unusable") throw new Error(`The export file ${path} ${reading.reason}`);
  const { meta, sections } = reading.snapshot;
  return {
    ...differenceMeta.parse(meta),
    added: rowsIn(sections, "added."),
    changed: rowsIn(sections, "changed."),
    removed: rowsIn(sections, "removed."),
  };
}
