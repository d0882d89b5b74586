import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Clock, isoSeconds } from "../base/clock.ts";
import { DAY_MS } from "../base/durations.ts";
import { VERSION } from "../base/version.ts";
import { createClaims } from "../feeds/sharing/file-locks.ts";
import { differenceOf } from "./difference.ts";
import type { ExportFacts } from "./facts.ts";
import {
  type Generation,
  isWritten,
  readGeneration,
  writeDifference,
  writeGeneration,
} from "./generation.ts";
import { withReadable } from "./kept-differences.ts";
import { writeWantedBodies } from "./named-bodies.ts";
import {
  EXPORTS_CLAIM,
  type ExportFiles,
  type ExportState,
  exportFiles,
  type HeldBack,
  KEPT_DIFFERENCES,
  readState,
  readStateOf,
  writeState,
} from "./state.ts";

/** So long a generation of half the size is held back. */
const HELD_MS = DAY_MS;
/** Exports with fewer entries may halve. */
const HALVING_MATTERS_FROM = 100;

export type PublishOptions = {
  readonly minEntries: number;
  readonly now: Date;
  /** Ids of bodies that were asked for lately: they are written at once. */
  readonly wanted: readonly string[];
};

/**
 * Puts a generation in force, unless it says the same as the one before, or is held back: with fewer entries than
 * configured, or with fewer than half of those before for less than a day. What another version of the product put in force is
 * put in force anew: its bodies may have been written otherwise, and consumers have them by its number. The state is replaced last; whatever fails
 * leaves what was in force.
 */
export async function publish(
  files: ExportFiles,
  candidate: Generation,
  options: PublishOptions,
): Promise<ExportState> {
  mkdirSync(files.dir, { recursive: true, mode: 0o700 });
  const state = withReadable(files, readStateOf(files, candidate.facts));
  const held = heldBack(state, candidate, options);
  // What is in force already, because it was released, is not held back again.
  if (held !== null && !isInForce(files, state, candidate)) {
    const { generation } = candidate.facts;
    const kept = await renumber(files, state, { generation, wanted: options.wanted });
    const later = generation + (kept === state ? 0 : 1);
    await writeGeneration(files.held, { ...candidate, facts: { ...candidate.facts, generation: later } });
    const done = await replaceState(files, { ...kept, held, fault: null });
    sweep(files, done);
    return done;
  }
  return putInForce(files, candidate, state, options);
}

/** Puts the generation that is held back in force. Throws where none is, and for one without entries. */
export async function release(
  files: ExportFiles,
  options: Omit<PublishOptions, "minEntries">,
): Promise<ExportState> {
  const state = withReadable(files, readState(files));
  if (state.held === null || !existsSync(files.held)) throw new Error("No generation is held back");
  if (state.held.entries === 0) {
    throw new Error("The generation that is held back has no entries: it is never put in force");
  }
  return putInForce(files, readGeneration(files.held), state, options);
}

/**
 * Releases an export of a folder, also beside a running build: one at a time writes. Throws as `release`, and where a build is
 * under way.
 */
export async function releaseExport(
  dir: string,
  name: string,
  clock: Pick<Clock, "now">,
): Promise<ExportState> {
  const claims = createClaims(dir, clock);
  if (!claims.take(EXPORTS_CLAIM)) throw new Error("The exports are being built now; try again in a moment");
  try {
    return await release(exportFiles(join(dir, name)), { now: clock.now(), wanted: [] });
  } finally {
    claims.release(EXPORTS_CLAIM);
  }
}

function heldBack(
  { facts, held }: ExportState,
  { facts: next }: Generation,
  { minEntries, now }: PublishOptions,
): HeldBack | null {
  const { entries } = next;
  // A time to come is of a clock that was ahead, and would hold back for as long as that was.
  const isKnown = held !== null && Date.parse(held.since) <= now.getTime();
  const since = (reason: HeldBack["reason"]) =>
    isKnown && held.reason === reason ? held.since : isoSeconds(now);
  if (entries < minEntries) {
    return { since: since("too_few"), reason: "too_few", entries, needed: minEntries };
  }
  if (facts === null || facts.entries < HALVING_MATTERS_FROM || 2 * entries >= facts.entries) return null;
  const halved: HeldBack = {
    since: since("halved"),
    reason: "halved",
    entries,
    needed: Math.ceil(facts.entries / 2),
  };
  return now.getTime() - Date.parse(halved.since) >= HELD_MS ? null : halved;
}

function isInForce(files: ExportFiles, { facts }: ExportState, candidate: Generation): boolean {
  if (facts === null || facts.entries !== candidate.facts.entries) return false;
  const before = readBefore(files, facts.generation);
  return before !== null && differenceOf(before, candidate) === null;
}

type Renumbering = Pick<PublishOptions, "wanted"> & { readonly generation: number };

/** Gives what stays in force another number, where another version of the product put it in force; it is as old as it was. */
async function renumber(
  files: ExportFiles,
  state: ExportState,
  { generation, wanted }: Renumbering,
): Promise<ExportState> {
  if (state.facts === null || state.madeBy === VERSION) return state;
  const before = readBefore(files, state.facts.generation);
  if (before === null) return state;
  const facts = { ...state.facts, generation };
  const same = { ...before, facts };
  await writeGeneration(files.generation(generation), same);
  await writeWantedBodies(files, same, { ids: wanted, differences: state.differences });
  return { ...state, facts, madeBy: VERSION };
}

async function putInForce(
  files: ExportFiles,
  candidate: Generation,
  state: ExportState,
  { now, wanted }: Pick<PublishOptions, "now" | "wanted">,
): Promise<ExportState> {
  const good = { checkedAt: isoSeconds(now), held: null, fault: null, madeBy: VERSION };
  const isOurs = state.madeBy === VERSION;
  const keep = async ({ generation, made_at }: ExportFacts): Promise<ExportState> => {
    const done = await replaceState(files, {
      ...state,
      ...good,
      facts: { ...candidate.facts, generation, made_at },
    });
    sweep(files, done);
    return done;
  };
  if (isOurs && state.facts !== null && isWritten(files.generation(state.facts.generation), candidate)) {
    return keep(state.facts);
  }
  const before = state.facts === null ? null : readBefore(files, state.facts.generation);
  const difference = before === null ? null : differenceOf(before, candidate);
  const { generation } = candidate.facts;
  if (
    isOurs &&
    before !== null &&
    difference === null &&
    candidate.islands.join() === before.islands.join()
  ) {
    return keep(before.facts);
  }
  await writeGeneration(files.generation(generation), candidate);
  if (difference !== null) await writeDifference(files.difference(generation), difference);
  const kept = before === null ? [] : state.differences;
  const differences =
    difference === null
      ? kept
      : [...kept, { from: difference.from, to: generation }].slice(-KEPT_DIFFERENCES);
  await writeWantedBodies(files, candidate, { ids: wanted, differences });
  const done = await replaceState(files, { ...good, facts: candidate.facts, differences });
  sweep(files, done);
  return done;
}

/** Damaged by the disk: then there is nothing to compare with, and what follows is told whole. */
function readBefore(files: ExportFiles, generation: number): Generation | null {
  try {
    return readGeneration(files.generation(generation));
  } catch (error) {
    if (error instanceof Error) return null;
    throw error;
  }
}

async function replaceState(files: ExportFiles, state: ExportState): Promise<ExportState> {
  await writeState(files, state);
  return state;
}

/** Takes away what no state names any more. A body that is being sent stays readable for its reader. */
function sweep(files: ExportFiles, { facts, differences, held }: ExportState): void {
  const kept = new Set(differences.map(({ to }) => `${to}.diff`));
  for (const name of readdirSync(files.dir)) {
    const generation = /^(\d+)[.~]/.exec(name)?.[1];
    const isOld = generation !== undefined && Number(generation) !== facts?.generation && !kept.has(name);
    if (isOld || (name === "held.bin" && held === null)) rmSync(join(files.dir, name), { force: true });
  }
}

/** Says in the state why a build failed; what is in force stays. */
export async function noteFault(files: ExportFiles, message: string, now: Date): Promise<void> {
  mkdirSync(files.dir, { recursive: true, mode: 0o700 });
  await writeState(files, { ...readState(files), fault: { at: isoSeconds(now), message } });
}
