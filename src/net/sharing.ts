import { joinParty, onBehalfOfAll, type Party, sharedParty } from "./party.ts";

type Shared<T> = {
  readonly promise: Promise<T>;
  readonly end: AbortController;
  /** All who asked: what the work has to wait for, it waits for in the turn of each. */
  readonly party: Party;
  askers: number;
};

/** Joins equal questions under way. */
export type Sharing<T> = {
  /**
   * The result of `start`, begun for the first asker of the key and shared by those who ask until it is
   * there. An asker whose signal aborts gets the `left` value at once; when the last has left, `start`'s signal aborts.
   */
  readonly ask: (key: string, start: (end: AbortSignal) => Promise<T>, signal?: AbortSignal) => Promise<T>;
  /** Ends everything under way; who asks later gets the `left` value. */
  readonly close: () => void;
};

/** Nothing is kept once the result is there: this is no cache. */
export function createSharing<T>(left: T): Sharing<T> {
  const underWay = new Map<string, Shared<T>>();
  let isClosed = false;
  const begin = (key: string, start: (end: AbortSignal) => Promise<T>): Shared<T> => {
    const end = new AbortController();
    const party = sharedParty();
    const shared: Shared<T> = {
      promise: onBehalfOfAll(party, () => start(end.signal)).finally(() => forget(key, shared)),
      ...{ end, party, askers: 0 },
    };
    underWay.set(key, shared);
    return shared;
  };
  const forget = (key: string, shared: Shared<T>) => {
    if (underWay.get(key) === shared) underWay.delete(key);
  };
  const leave = (key: string, shared: Shared<T>) => {
    shared.askers--;
    if (shared.askers > 0) return;
    forget(key, shared);
    shared.end.abort(NOBODY_ASKS);
  };
  const ask: Sharing<T>["ask"] = (key, start, signal) => {
    if (isClosed || signal?.aborted) return Promise.resolve(left);
    const running = underWay.get(key);
    if (running !== undefined) joinParty(running.party);
    const shared = running ?? begin(key, start);
    shared.askers++;
    if (!signal) return shared.promise;
    return untilAborted(shared.promise, signal, () => {
      leave(key, shared);
      return left;
    });
  };
  const close = () => {
    isClosed = true;
    for (const shared of underWay.values()) shared.end.abort();
  };
  return { ask, close };
}

/** Made once: an abort without a reason makes an error each time, with a stack that nobody reads. */
const NOBODY_ASKS = new DOMException("Nobody waits for the answer", "AbortError");

function untilAborted<T>(promise: Promise<T>, signal: AbortSignal, leave: () => T): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => resolve(leave());
    signal.addEventListener("abort", onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
