/**
 * Start times of many clients, compactly: records of two fingerprint words and `perClient` times in typed arrays,
 * found by open addressing. 8 + 8 × perClient bytes a client, and 6 to 12 for the index. There is no removal: a
 * table is dropped as a whole.
 */
export type ClientTable = {
  readonly count: () => number;
  /** Number of the client's record, or -1. */
  readonly find: (high: number, low: number) => number;
  /** A new record without starts, for a client that `find` does not know. */
  readonly insert: (high: number, low: number) => number;
  /** The record's start times, unordered; -Infinity where there is none. A view: it holds until the next insert. */
  readonly starts: (record: number) => Float64Array;
};

const FIRST_RECORDS = 256;

/** An empty table; it doubles as it fills. `high` and `low` are unsigned 32-bit words of a seeded hash. */
export function createClientTable(perClient: number): ClientTable {
  let count = 0;
  let words = new Uint32Array(2 * FIRST_RECORDS);
  let times = new Float64Array(perClient * FIRST_RECORDS);
  // Record number + 1, 0 for empty; at most two thirds full, so that a probe is short.
  let slots = new Uint32Array(2 * FIRST_RECORDS);

  const slotOf = (high: number, low: number): number => {
    const mask = slots.length - 1;
    let slot = low & mask;
    for (;;) {
      const record = (slots[slot] ?? 0) - 1;
      if (record < 0 || (words[2 * record] === high && words[2 * record + 1] === low)) return slot;
      slot = (slot + 1) & mask;
    }
  };

  const growRecords = (): void => {
    const largerWords = new Uint32Array(2 * words.length);
    largerWords.set(words);
    words = largerWords;
    const largerTimes = new Float64Array(2 * times.length);
    largerTimes.set(times);
    times = largerTimes;
  };

  const growSlots = (): void => {
    slots = new Uint32Array(2 * slots.length);
    for (let record = 0; record < count; record++) {
      slots[slotOf(words[2 * record] ?? 0, words[2 * record + 1] ?? 0)] = record + 1;
    }
  };

  return {
    count: () => count,
    find: (high, low) => (slots[slotOf(high, low)] ?? 0) - 1,
    insert: (high, low) => {
      if (2 * count === words.length) growRecords();
      if (3 * (count + 1) > 2 * slots.length) growSlots();
      const record = count++;
      words[2 * record] = high;
      words[2 * record + 1] = low;
      times.fill(Number.NEGATIVE_INFINITY, record * perClient, (record + 1) * perClient);
      slots[slotOf(high, low)] = record + 1;
      return record;
    },
    starts: (record) => times.subarray(record * perClient, (record + 1) * perClient),
  };
}
