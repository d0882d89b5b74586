import { readdirSync } from "node:fs";
import type { Clock } from "../base/clock.ts";

/** Bodies of one generation, with what is told of each and its gzip form: what any number of askers can fill of the disk. */
const MAX_BODIES = 192;
/** So long an asker waits for a body; it is made all the same, for the next one who asks. */
const WAIT_MS = 20_000;

/**
 * Makes bodies that were not asked for before in the folder of an export, one after the other and each once. Resolves with
 * false where there are too many already, or where it takes too long to wait for.
 */
export function createMaking(
  dir: string,
  { sleep }: Pick<Clock, "sleep">,
  makeBody: (id: string) => Promise<void>,
): (generation: number, id: string) => Promise<boolean> {
  const making = new Map<string, Promise<boolean>>();
  let last: Promise<unknown> = Promise.resolve();
  const makeNext = async (generation: number, id: string): Promise<boolean> => {
    const bodies = readdirSync(dir).filter((name) => name.startsWith(`${generation}~`));
    if (bodies.filter((name) => name.endsWith(".json")).length >= MAX_BODIES) return false;
    await makeBody(id);
    return true;
  };
  const begin = (generation: number, id: string): Promise<boolean> => {
    const made = last.then(() => makeNext(generation, id)).finally(() => making.delete(id));
    last = made.catch(() => undefined); // who waits for it is told
    making.set(id, made);
    return made;
  };
  return async (generation, id) => {
    const isDone = new AbortController();
    const tooLong = sleep(WAIT_MS, isDone.signal).then(() => false);
    try {
      return await Promise.race([making.get(id) ?? begin(generation, id), tooLong]);
    } finally {
      isDone.abort();
    }
  };
}
