import { type Difference, readDifference } from "./generation.ts";
import type { ExportFiles, ExportState } from "./state.ts";

/**
 * The differences that a state names, oldest first, from the one after the last that cannot be read: damaged by the disk, or written
 * by another version. What changed before that is not known any more.
 */
export function readKept(files: ExportFiles, differences: ExportState["differences"]): readonly Difference[] {
  const kept: Difference[] = [];
  for (const { to } of differences.toReversed()) {
    const difference = readOrNull(files.difference(to));
    if (difference === null) break;
    kept.push(difference);
  }
  return kept.reverse();
}

/** The state without the differences that cannot be read: a bouncer that is further behind is told everything. */
export const withReadable = (files: ExportFiles, state: ExportState): ExportState => ({
  ...state,
  differences: readKept(files, state.differences).map(({ from, to }) => ({ from, to })),
});

function readOrNull(path: string): Difference | null {
  try {
    return readDifference(path);
  } catch (error) {
    if (error instanceof Error) return null;
    throw error;
  }
}
