import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { nullIfAbsent } from "../base/caught.ts";
import { type Clock, isoSeconds } from "../base/clock.ts";
import { HOUR_MS } from "../base/durations.ts";
import { createAsked } from "./asked.ts";
import { type BodyInfo, readBodyInfo } from "./bodies.ts";
import { type Bouncer, type BouncerAnswer, createBouncers } from "./decisions/bouncers.ts";
import type { ExportFacts } from "./facts.ts";
import { createExportFetches, type ExportFetches } from "./fetches.ts";
import { type Generation, readGeneration } from "./generation.ts";
import { createMaking } from "./making.ts";
import type { ExportOptions } from "./options.ts";
import { releaseExport } from "./publish.ts";
import { type ExportFiles, type ExportState, exportFiles, type HeldBack, readStateOf } from "./state.ts";
import { formatsFor, variantOf } from "./variant.ts";

/** How an export stands. */
export type ExportStanding = {
  readonly options: ExportOptions;
  readonly facts: ExportFacts | null;
  readonly checkedAt: Date | null;
  readonly held: HeldBack | null;
  readonly fault: ExportState["fault"];
  /** Steps between generations whose changes are kept, oldest first. */
  readonly differences: ExportState["differences"];
  /** Why nothing of it is served, for people; null: it is served. */
  readonly closed: string | null;
};

/** A body that can be sent now; the file is open and is the reader's to close. */
export type OpenBody = {
  readonly file: FileHandle;
  readonly bytes: number;
  readonly coding: "gzip" | null;
  readonly facts: ExportFacts;
  readonly info: BodyInfo;
};

/** A body by its id: a variant of a format, or a stream of decisions. */
type BodyId = {
  readonly id: string;
  /** It is of one generation alone: the next one is not asked for it. */
  readonly isOnce?: boolean;
};

/** How a body is sent, the token that asks for it, and what is called before it is made: it throws where that must not be now. */
type Asking = {
  readonly coding: "gzip" | null;
  readonly asker: string;
  readonly beforeMaking?: () => void;
};

/** What is told of a format of an export; bytes and sum are known once it was asked for. */
type FormatFacts = {
  readonly format: string;
  readonly title: string;
  readonly body: BodyInfo | null;
};

/** The exports of a data folder, as those who fetch them see them. Reads files that other processes write too. */
export type ExportShelf = {
  /** Names, in the order of the configuration. */
  readonly names: readonly string[];
  /** Null: there is no such export. */
  readonly find: (name: string) => ExportStanding | null;
  readonly formatsOf: (name: string) => readonly FormatFacts[];
  /** Opens a body, which is made first where it was not asked for before. Null: there is nothing to serve, or not in time. Rejects as `beforeMaking` throws. */
  readonly open: (name: string, body: BodyId, asking: Asking) => Promise<OpenBody | null>;
  /** What is told of a body of a generation; null: it was not made yet. */
  readonly infoOf: (name: string, generation: number, id: string) => BodyInfo | null;
  /** Reads the rows in force; null: there are none. */
  readonly read: (name: string) => Generation | null;
  /** Bouncers that took decisions of it from this process, the latest first. */
  readonly bouncersOf: (name: string) => readonly Bouncer[];
  /** A bouncer was sent the whole of an answer. */
  readonly noteBouncer: (name: string, answer: BouncerAnswer) => void;
  /** Who fetched them. */
  readonly fetches: ExportFetches;
  /** Puts in force what is held back. Throws as `releaseExport`. */
  readonly release: (name: string) => Promise<void>;
  /** Bodies asked for in the last seven days, by export: they are written with each generation. */
  readonly wanted: () => Readonly<Record<string, readonly string[]>>;
};

export type ShelfParts = {
  /** `exports` in the data folder. */
  readonly dir: string;
  readonly exports: readonly ExportOptions[];
  readonly clock: Clock;
  /** Writes a body of the generation in force. */
  readonly makeBody: (name: string, id: string) => Promise<void>;
};

/** How long a state that was read is good for. */
const STATE_MS = 1_000;

/** Over the files of a data folder. */
export function createExportShelf(parts: ShelfParts): ExportShelf {
  const { clock, exports, dir } = parts;
  const byName = new Map(exports.map((options) => [options.name, createEntry(parts, options)]));
  return {
    names: exports.map(({ name }) => name),
    find: (name) => byName.get(name)?.standing() ?? null,
    formatsOf: (name) => byName.get(name)?.formats() ?? [],
    open: async (name, body, asking) => (await byName.get(name)?.open(body, asking)) ?? null,
    infoOf: (name, generation, id) => byName.get(name)?.infoOf(generation, id) ?? null,
    read: (name) => byName.get(name)?.read() ?? null,
    bouncersOf: (name) => byName.get(name)?.bouncers() ?? [],
    noteBouncer: (name, answer) => byName.get(name)?.noteBouncer(answer),
    fetches: createExportFetches(dir, clock),
    release: async (name) => {
      await releaseExport(dir, name, clock);
      byName.get(name)?.forget();
    },
    wanted: () =>
      Object.fromEntries([...byName].map(([name, entry]) => [name, entry.wanted(clock.monotonicMs())])),
  };
}

function createEntry({ dir, clock, makeBody }: ShelfParts, options: ExportOptions) {
  const files = exportFiles(join(dir, options.name));
  const asked = createAsked();
  let read: { readonly atMs: number; readonly state: ExportState } | null = null;
  const state = (isFresh = false): ExportState => {
    const nowMs = clock.monotonicMs();
    if (isFresh || read === null || nowMs - read.atMs > STATE_MS)
      read = { atMs: nowMs, state: readStateOf(files, options) };
    return read.state;
  };
  const bouncers = createBouncers(clock);
  const make = createMaking(files.dir, clock, (id) => makeBody(options.name, id));
  return {
    forget: () => {
      read = null;
    },
    standing: () => standingOf(options, state(), clock.now()),
    bouncers: bouncers.all,
    noteBouncer: bouncers.note,
    read: (): Generation | null => {
      const { facts } = state(true);
      return facts === null ? null : readGeneration(files.generation(facts.generation));
    },
    infoOf: createInfos(files),
    wanted: asked.since,
    formats: (): readonly FormatFacts[] => {
      const { facts } = state();
      return formatsFor(options.target).map((format) => {
        const { id } = variantOf(format, {}, options.target);
        return {
          format: format.ext,
          title: format.title,
          body: facts && readBodyInfo(files, facts.generation, id),
        };
      });
    },
    open: async (
      { id, isOnce = false }: BodyId,
      { coding, asker, beforeMaking }: Asking,
    ): Promise<OpenBody | null> => {
      if (!isOnce) asked.note(id, { asker, atMs: clock.monotonicMs() });
      // A generation may take the place of the one before between two steps.
      for (let tries = 0; tries < 3; tries++) {
        const { facts } = state(tries > 0);
        if (facts === null) return null;
        const body = await openBody(files, facts, id, coding);
        if (body !== null) return body;
        if (tries === 0) beforeMaking?.();
        if (!(await make({ generation: facts.generation, id, asker }))) return null;
      }
      return null;
    },
  };
}

/** Reads what is told of bodies, of the last generation that was asked for once alone: who has a file asks all the time. */
function createInfos(files: ExportFiles): (generation: number, id: string) => BodyInfo | null {
  const known = new Map<string, BodyInfo>();
  let of = -1;
  return (generation, id) => {
    if (generation !== of) known.clear();
    of = generation;
    const info = known.get(id) ?? readBodyInfo(files, generation, id);
    if (info !== null) known.set(id, info);
    return info;
  };
}

async function openBody(
  files: ExportFiles,
  facts: ExportFacts,
  id: string,
  coding: "gzip" | null,
): Promise<OpenBody | null> {
  const info = readBodyInfo(files, facts.generation, id);
  if (info === null) return null;
  const path = files.body(facts.generation, id);
  try {
    const file = await open(coding === null ? path : `${path}.gz`, "r");
    return { file, bytes: coding === null ? info.bytes : info.gzip_bytes, coding, facts, info };
  } catch (error) {
    return nullIfAbsent(error);
  }
}

function standingOf(options: ExportOptions, state: ExportState, now: Date): ExportStanding {
  const { facts, held, fault, differences } = state;
  const checkedAt = state.checkedAt === null ? null : new Date(state.checkedAt);
  return { options, facts, held, fault, differences, checkedAt, closed: closedBecause(options, state, now) };
}

/** Data that nothing renewed for long is not passed off as what is listed now. */
export function closedBecause(
  { name, max_age_h: maxAgeH }: Pick<ExportOptions, "name" | "max_age_h">,
  { facts, held, fault, checkedAt }: ExportState,
  now: Date,
): string | null {
  if (facts === null || checkedAt === null) {
    if (held !== null) return `The export "${name}" has ${held.entries} entries, fewer than ${held.needed}`;
    return `The export "${name}" was not built yet${fault === null ? "" : `: ${fault.message}`}`;
  }
  const ageMs = now.getTime() - Date.parse(checkedAt);
  if (Math.abs(ageMs) <= maxAgeH * HOUR_MS) return null;
  const since = isoSeconds(new Date(checkedAt));
  // Found right by a clock that was ahead: how long ago is not known.
  if (ageMs < 0)
    return `The export "${name}" is of ${since}, which is to come: the clock of this machine was set back`;
  return `The export "${name}" could not be renewed since ${since}, for longer than ${maxAgeH} hours`;
}
