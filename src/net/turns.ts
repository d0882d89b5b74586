import { systemClock } from "../clock.ts";
import { holdersOf, type Party, presentParty } from "./party.ts";

/** How long steps may hold one turn of the event loop: what has come in for others goes between. */
const TURN_MS = 2;
/** So many go on at once however long something else held the turn. */
const LEAST_STEPS = 4;
/** Steps of one turn at most; each is followed by what its promises begin. */
const STEPS_IN_TURN = 16;

/** A step that waits in the queues of all who wait for it; null once it was taken. */
type Waiting = { step: (() => void) | null };

/** By holder, in the order in which they were served last. The event loop is the process's, so there is one of these. */
const queues = new Map<string, Waiting[]>();
let waitingCount = 0;
/** Immediates of this turn that have not run. */
let placesLeft = 0;
/** When the first step of this turn began; null: none has. */
let beganMs: number | null = null;
/** Steps of this turn that went on at once. */
let taken = 0;

/**
 * Takes a step of some hundred microseconds on behalf of the party: at once where steps have not held this turn of the event
 * loop for long, else in its holder's turn. Thousands of answers and time-outs of one account may come at the same
 * moment; each other account's steps go between them. Source: decision 0014.
 */
export function inTurn(party: Party, step: () => void): void {
  if (isFree()) step();
  else queue(party, step);
}

/** Waits for a turn of the present party; undefined: go on at once. */
export function turn(): Promise<void> | undefined {
  if (isFree()) return undefined;
  const party = presentParty();
  return new Promise((resolve) => queue(party, resolve));
}

function isFree(): boolean {
  if (waitingCount > 0) return false;
  if (beganMs === null) {
    beganMs = systemClock.monotonicMs();
    taken = 0;
    setImmediate(endTurn);
  }
  return taken++ < LEAST_STEPS || systemClock.monotonicMs() - beganMs < TURN_MS;
}

function endTurn(): void {
  if (placesLeft === 0) beganMs = null;
}

function queue(party: Party, step: () => void): void {
  const waiting: Waiting = { step };
  waitingCount++;
  for (const holder of holdersOf(party)) {
    const own = queues.get(holder);
    if (own === undefined) queues.set(holder, [waiting]);
    else own.push(waiting);
  }
  if (placesLeft === 0) beginTurn();
}

function beginTurn(): void {
  beganMs = null;
  placesLeft = Math.min(STEPS_IN_TURN, waitingCount);
  for (let i = placesLeft; i > 0; i--) setImmediate(serve);
}

/** One step, while there is time. Node runs what its promises begin before the next immediate. */
function serve(): void {
  beganMs ??= systemClock.monotonicMs();
  placesLeft--;
  try {
    if (systemClock.monotonicMs() - beganMs < TURN_MS) next()?.();
  } finally {
    if (placesLeft === 0) {
      if (waitingCount > 0) beginTurn();
      else beganMs = null;
    }
  }
}

/** The first step of the holder whose turn it is. */
function next(): (() => void) | null {
  for (const [holder, own] of queues) {
    queues.delete(holder);
    const taken = shiftWaiting(own);
    if (own.length > 0) queues.set(holder, own);
    if (taken !== null) return taken;
  }
  return null;
}

function shiftWaiting(own: Waiting[]): (() => void) | null {
  for (let first = own.shift(); first !== undefined; first = own.shift()) {
    const { step } = first;
    // Another holder's turn came first.
    if (step === null) continue;
    first.step = null;
    waitingCount--;
    return step;
  }
  return null;
}
