import { joinParty, onBehalfOfAll, type Party, sharedParty } from "./party.ts";

/**
 * Work that calls `end` or `fail` once, and the function that ends it early. `party` are all who asked: what it has to
 * wait for, it waits for in the turn of each.
 */
export type SharedWork<T> = (
  end: (result: T) => void,
  fail: (error: unknown) => void,
  party: Party,
) => () => void;

/** Work that has a promise, and whose signal aborts when it is ended early. */
export const promised =
  <T>(start: (end: AbortSignal) => Promise<T>): SharedWork<T> =>
  (end, fail, party) => {
    const early = new AbortController();
    onBehalfOfAll(party, () => start(early.signal)).then(end, fail);
    return () => early.abort();
  };

type Shared<T> = {
  readonly result: Promise<T>;
  readonly party: Party;
  /** Ends the work with the `left` value. */
  readonly abandon: () => void;
  askers: number;
};

/** Joins equal questions under way. */
export type Sharing<T> = {
  /**
   * The result of `work`, begun for the first asker of the key and shared by those who ask until it is
   * there. An asker whose signal aborts gets the `left` value at once; when the last has left, the work ends.
   */
  readonly ask: (key: string, work: SharedWork<T>, signal?: AbortSignal) => Promise<T>;
  /** Ends everything under way; who asks later gets the `left` value. */
  readonly close: () => void;
};

/** Nothing is kept once the result is there: this is no cache. */
export function createSharing<T>(left: T): Sharing<T> {
  const underWay = new Map<string, Shared<T>>();
  let isClosed = false;
  const begin = (key: string, work: SharedWork<T>): Shared<T> => {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const party = sharedParty();
    const forget = () => {
      if (underWay.get(key) === shared) underWay.delete(key);
    };
    const end = (result: T) => {
      forget();
      resolve(result);
    };
    const fail = (error: unknown) => {
      forget();
      reject(error);
    };
    const abandon = () => {
      end(left);
      stop();
    };
    const shared: Shared<T> = { result: promise, party, abandon, askers: 0 };
    underWay.set(key, shared);
    const stop = work(end, fail, party);
    return shared;
  };
  const ask: Sharing<T>["ask"] = (key, work, signal) => {
    if (isClosed || signal?.aborted) return Promise.resolve(left);
    const running = underWay.get(key);
    if (running !== undefined) joinParty(running.party);
    const shared = running ?? begin(key, work);
    shared.askers++;
    if (!signal) return shared.result;
    return untilAborted(shared.result, signal, () => {
      shared.askers--;
      if (shared.askers === 0) shared.abandon();
      return left;
    });
  };
  const close = () => {
    isClosed = true;
    for (const shared of underWay.values()) shared.abandon();
  };
  return { ask, close };
}

function untilAborted<T>(promise: Promise<T>, signal: AbortSignal, leave: () => T): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => resolve(leave());
    signal.addEventListener("abort", onAbort, { once: true });
    const forget = () => signal.removeEventListener("abort", onAbort);
    promise.then(
      (result) => {
        forget();
        resolve(result);
      },
      (error: unknown) => {
        forget();
        reject(error);
      },
    );
  });
}
