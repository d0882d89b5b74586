import type { ResultFacts } from "../results/result.ts";

/** What becomes of a run: lines are added to a draft; a paused one goes on when it is resumed. */
export const RUN_STATES = ["draft", "running", "paused", "done", "cancelled"] as const;
export type RunState = (typeof RUN_STATES)[number];

/**
 * Why a run is paused: the balance does not cover the next lookup, the session that pays for it has ended or may no longer
 * spend, or a fault of the program, which its log tells.
 */
export const PAUSE_REASONS = ["credits", "session", "fault"] as const;
export type PauseReason = (typeof PAUSE_REASONS)[number];

/**
 * What became of a line. `waiting`: not looked up yet. `done`: answered and charged. `failed`: no source answered; not
 * charged. `invalid`: nothing that can be looked up. `repeated`: the same target as an earlier line, whose answer is its own.
 */
export const ITEM_STATES = ["waiting", "done", "failed", "invalid", "repeated"] as const;
export type ItemState = (typeof ITEM_STATES)[number];

/** Lines of a run, at most. */
export const MAX_LINES = 10_000;

/** What a line asks for; `note` says why it asks for nothing, and `target` is then the text as it was given. */
export type RecognisedLine =
  | { readonly product: string; readonly target: string }
  | { readonly product: null; readonly target: string; readonly note: string };

/** A line as it was given: its number in the file, from 1, and all its cells. */
export type NewLine = {
  readonly line: number;
  readonly cells: readonly string[];
  readonly judged: RecognisedLine;
};

export type Run = {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  /** Heads of the given columns. */
  readonly columns: readonly string[];
  readonly state: RunState;
  /** Null unless it is paused. */
  readonly reason: PauseReason | null;
  readonly sessionId: string | null;
  readonly clientAddress: string;
  readonly createdAt: Date;
  readonly changedAt: Date;
  /** When it last began to run; null: never. */
  readonly resumedAt: Date | null;
  /** Lines that waited then. */
  readonly leftAtResume: number | null;
};

/** How far a run is. */
export type RunProgress = {
  readonly lines: Readonly<Record<ItemState, number>>;
  readonly credits: number;
  /** Of the answered lines with a score, by the verdict's word. */
  readonly verdicts: Readonly<Record<string, number>>;
  /** Lines that wait, by product. */
  readonly waiting: Readonly<Record<string, number>>;
};

export type RunItem = ResultFacts & {
  readonly line: number;
  readonly cells: readonly string[];
  /** Null of an invalid line. */
  readonly product: string | null;
  readonly target: string | null;
  readonly state: ItemState;
  /** Of a repeated line: the line that is looked up for it. */
  readonly sameAs: number | null;
  readonly note: string | null;
  readonly credits: number;
  /** The kept answer; null without one. */
  readonly resultId: string | null;
};
