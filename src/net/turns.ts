import { systemClock } from "../base/clock.ts";
import { firstHolderOf, holdersOf, type Party, presentParty } from "./party.ts";

/** How long steps may hold one turn of the event loop: what has come in for others goes between. */
const TURN_MS = 1;
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
/** Who took a step in this turn: the first of each goes on at once, so that who asks for little never waits. */
const served = new Set<string>();

/**
 * Takes a step of some hundred microseconds on behalf of the party: at once where steps have not held this turn of the event
 * loop for long, else in its holder's turn. Thousands of answers and time-outs of one account may come at the same
 * moment; each other account's steps go between them. Source: decision 0014.
 */
export function inTurn(party: Party, step: () => void): void {
  if (isFree(party)) step();
  else queue(party, step);
}

/** Waits for a turn of the present party; undefined: go on at once. */
export function turn(): Promise<void> | undefined {
  const party = presentParty();
  if (isFree(party)) return undefined;
  return new Promise((resolve) => queue(party, resolve));
}

function isFree(party: Party): boolean {
  const holder = firstHolderOf(party);
  if (beganMs === null) {
    beganMs = systemClock.monotonicMs();
    setImmediate(endTurn);
  }
  if (!served.has(holder) && !queues.has(holder)) {
    served.add(holder);
    return true;
  }
  return waitingCount === 0 && systemClock.monotonicMs() - beganMs < TURN_MS;
}

function endTurn(): void {
  if (placesLeft > 0) return;
  beganMs = null;
  served.clear();
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
  served.clear();
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
      else endTurn();
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
