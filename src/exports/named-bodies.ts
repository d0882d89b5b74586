import { type BodyInfo, writeBody } from "./bodies.ts";
import { durationSecondsOf } from "./decisions/decision.ts";
import { writeDeltaStream, writeWholeStream } from "./decisions/stream-body.ts";
import { deltaId, parseViewId, viewId } from "./decisions/stream-view.ts";
import type { Generation } from "./generation.ts";
import type { ExportFiles, ExportState } from "./state.ts";
import { variantWithId } from "./variant.ts";

type Differences = ExportState["differences"];

/** Writes the body of an id, a format's or a stream's; null: nothing has such an id any more. */
export async function writeNamedBody(
  files: ExportFiles,
  generation: Generation,
  { id, differences }: { readonly id: string; readonly differences: Differences },
): Promise<BodyInfo | null> {
  const stream = parseViewId(id);
  if (stream !== null) {
    const { from, ...telling } = stream;
    if (from === null) return writeWholeStream(files, generation, { ...telling, differences });
    return writeDeltaStream(files, generation, { ...telling, differences, from });
  }
  const variant = variantWithId(id, generation.facts.target);
  return variant === null ? null : writeBody(files, generation, variant);
}

/** Writes the bodies of a new generation that were asked for lately; of a stream also what changed with it. */
export async function writeWantedBodies(
  files: ExportFiles,
  generation: Generation,
  { ids, differences }: { readonly ids: readonly string[]; readonly differences: Differences },
): Promise<void> {
  const froms = fromsOf(generation, differences);
  for (const id of new Set(ids.map((one) => idNow(one, generation)))) {
    await writeNamedBody(files, generation, { id, differences });
    const telling = parseViewId(id);
    if (telling === null || id !== viewId(telling)) continue;
    for (const from of froms)
      await writeNamedBody(files, generation, { id: deltaId(telling, from), differences });
  }
}

/** Decisions may hold for another time now than when they were asked for. */
function idNow(id: string, { facts }: Generation): string {
  const stream = parseViewId(id);
  if (stream === null || stream.from !== null) return id;
  return viewId({ view: stream.view, durationS: durationSecondsOf(facts) });
}

/** What bouncers are told again stands a while (http/lapi/cursors.ts): where builds follow each other fast, from several generations. */
const AGAIN_S = 900;
const MAX_FROMS = 4;

const fromsOf = ({ facts }: Generation, differences: Differences): readonly number[] =>
  differences
    .slice(-MAX_FROMS)
    .filter(({ to }, i, all) => i === all.length - 1 || facts.generation - to < AGAIN_S)
    .map(({ from }) => from);
