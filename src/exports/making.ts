import { readdirSync } from "node:fs";
import type { Clock } from "../base/clock.ts";

/** Bodies of one generation, with what is told of each and its gzip form: what any number of askers can fill of the disk. */
const MAX_BODIES = 192;
/** The last of them are for askers that had few made: one that asks for everything takes no body from another. */
const KEPT_FREE = 32;
const FEW = 8;
/** So long an asker waits for a body; it is made all the same, for the next one who asks. */
const WAIT_MS = 20_000;
const MAX_ASKERS = 10_000;

/** A body, and the token that wants it. */
type Wanting = { readonly generation: number; readonly id: string; readonly asker: string };

/** A body that waits in the queues of all who want it. */
type Job = { readonly id: string; readonly start: () => Promise<void>; readonly made: Promise<boolean> };

/**
 * Makes bodies that were not asked for before in the folder of an export, one after the other and each once, by turns for
 * those who ask. Resolves with false where there are too many already, or where it takes too long to wait for.
 */
export function createMaking(
  dir: string,
  { sleep }: Pick<Clock, "sleep">,
  makeBody: (id: string) => Promise<void>,
): (wanting: Wanting) => Promise<boolean> {
  const making = new Map<string, Job>();
  const turns = createTurns();
  const shares = createShares();
  const makeNow = async (wanting: Wanting): Promise<boolean> => {
    const room = shares.hasFew(wanting) ? MAX_BODIES : MAX_BODIES - KEPT_FREE;
    if (countOf(dir, wanting.generation) >= room) return false;
    shares.note(wanting);
    await makeBody(wanting.id);
    return true;
  };
  const begin = (wanting: Wanting): Job => {
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    const start = async (): Promise<void> => {
      const made = makeNow(wanting).finally(() => making.delete(wanting.id));
      await made.then(resolve, reject); // who waits for it is told
    };
    const job = { id: wanting.id, start, made: promise };
    making.set(wanting.id, job);
    return job;
  };
  return async (wanting) => {
    const isDone = new AbortController();
    const tooLong = sleep(WAIT_MS, isDone.signal).then(() => false);
    const job = making.get(wanting.id) ?? begin(wanting);
    turns.add(wanting.asker, job);
    try {
      return await Promise.race([job.made, tooLong]);
    } finally {
      isDone.abort();
    }
  };
}

const countOf = (dir: string, generation: number): number =>
  readdirSync(dir).filter((name) => name.startsWith(`${generation}~`) && name.endsWith(".json")).length;

/** Runs jobs one at a time; who was served waits until each of the others was. */
function createTurns() {
  const queues = new Map<string, Set<Job>>();
  const started = new WeakSet<Job>();
  let isBusy = false;
  const take = (): Job | null => {
    for (const [asker, jobs] of queues) {
      queues.delete(asker);
      for (const job of jobs) {
        jobs.delete(job);
        if (started.has(job)) continue; // another one's turn came first
        if (jobs.size > 0) queues.set(asker, jobs);
        return job;
      }
    }
    return null;
  };
  const run = async (): Promise<void> => {
    isBusy = true;
    for (let job = take(); job !== null; job = take()) {
      started.add(job);
      await job.start();
    }
    isBusy = false;
  };
  return {
    add: (asker: string, job: Job): void => {
      if (started.has(job)) return;
      const jobs = queues.get(asker) ?? new Set();
      queues.set(asker, jobs.add(job));
      if (!isBusy) void run();
    },
  };
}

/** How many bodies of a generation each asker had made. */
function createShares() {
  const counts = new Map<string, { readonly generation: number; readonly made: number }>();
  const madeFor = ({ asker, generation }: Wanting): number => {
    const known = counts.get(asker);
    return known?.generation === generation ? known.made : 0;
  };
  return {
    hasFew: (wanting: Wanting): boolean => madeFor(wanting) < FEW,
    note: (wanting: Wanting): void => {
      const { asker, generation } = wanting;
      const made = madeFor(wanting) + 1;
      counts.delete(asker);
      counts.set(asker, { generation, made });
      const [oldest] = counts.keys();
      if (counts.size > MAX_ASKERS && oldest !== undefined) counts.delete(oldest);
    },
  };
}
