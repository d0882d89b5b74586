import type { Uints } from "./snapshot.ts";

/** A growing column of unsigned 32-bit numbers; 4 bytes per row and no objects. */
export type NumberColumn = {
  readonly push: (value: number) => void;
  readonly set: (row: number, value: number) => void;
  /** The value of a row that exists. */
  readonly at: (row: number) => number;
  readonly length: () => number;
  /** Drops the rows from `length` on. */
  readonly truncate: (length: number) => void;
  /** The rows so far, as a view that the next `push` may leave behind. */
  readonly values: () => Uint32Array;
};

/** An empty column; what is expected it holds without growing. */
export function createColumn(expected = 0): NumberColumn {
  let values = new Uint32Array(Math.max(256, expected));
  let length = 0;
  return {
    push: (value) => {
      if (length === values.length) values = doubled(values);
      values[length++] = value;
    },
    set: (row, value) => {
      values[row] = value;
    },
    at: (row) => values[row] ?? 0,
    length: () => length,
    truncate: (rows) => {
      length = rows;
    },
    values: () => values.subarray(0, length),
  };
}

/** The same values with as much room again behind them. */
export function doubled(values: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(values.length * 2);
  larger.set(values);
  return larger;
}

/**
 * The row numbers in ascending order of the columns, the first the most significant. Rows that are equal keep
 * their order. Radix sort, 16 bits at a time; digits that are the same in all rows cost one pass of counting.
 */
export function sortRows(columns: readonly Uint32Array[]): Uint32Array {
  const count = columns[0]?.length ?? 0;
  let order = new Uint32Array(count);
  for (let row = 0; row < count; row++) order[row] = row;
  let next = new Uint32Array(count);
  const starts = new Uint32Array(65536);
  for (const column of columns.toReversed()) {
    for (let shift = 0; shift < 32; shift += 16) {
      if (!countDigits(column, count, shift, starts)) continue;
      for (let i = 0; i < count; i++) {
        const row = order[i] ?? 0;
        const digit = ((column[row] ?? 0) >>> shift) & 0xffff;
        const place = starts[digit] ?? 0;
        starts[digit] = place + 1;
        next[place] = row;
      }
      [order, next] = [next, order];
    }
  }
  return order;
}

/** Fills `starts` with the place of each digit's first row; false when all rows have the same digit. */
function countDigits(column: Uint32Array, count: number, shift: number, starts: Uint32Array): boolean {
  starts.fill(0);
  for (let row = 0; row < count; row++) {
    const digit = ((column[row] ?? 0) >>> shift) & 0xffff;
    starts[digit] = (starts[digit] ?? 0) + 1;
  }
  let place = 0;
  for (let digit = 0; digit < 65536; digit++) {
    const size = starts[digit] ?? 0;
    if (size === count) return false;
    starts[digit] = place;
    place += size;
  }
  return true;
}

/** The values in the narrowest of u8, u16 and u32 that holds all of them. */
export function narrowed(values: Uint32Array): Uints {
  const greatest = values.reduce((most, value) => Math.max(most, value), 0);
  if (greatest > 0xffff) return values.slice();
  return greatest > 0xff ? Uint16Array.from(values) : Uint8Array.from(values);
}
