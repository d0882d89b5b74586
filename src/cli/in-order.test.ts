import { expect, test } from "vitest";
import { inOrder } from "./in-order.ts";

/** Numbers from 0, and how many were read. */
function counting(count: number) {
  const state = { read: 0 };
  async function* values() {
    for (let i = 0; i < count; i++) {
      state.read += 1;
      yield i;
    }
  }
  return { state, values: values() };
}

async function all<T>(results: AsyncIterable<T>): Promise<{ found: T[]; error: unknown }> {
  const found: T[] = [];
  try {
    for await (const one of results) found.push(one);
  } catch (error) {
    return { found, error };
  }
  return { found, error: null };
}

test("gives results in the order of the values, whichever is done first", async () => {
  const { values } = counting(50);
  const start = async (value: number) => {
    for (let i = 0; i < (value * 7) % 11; i++) await Promise.resolve();
    return value;
  };
  expect((await all(inOrder(values, { start, window: 8 }))).found).toEqual([...Array(50).keys()]);
});

test("reads no more than the window while no result is taken", async () => {
  const { values, state } = counting(1000);
  const results = inOrder(values, { start: async (value) => value, window: 8 });
  expect(await results.next()).toEqual({ done: false, value: 0 });
  await new Promise(setImmediate);
  expect(state.read).toBeLessThanOrEqual(9);
});

test("hurries the first value when the window is full, and everything at the end", async () => {
  const { values } = counting(5);
  const open = new Map<number, () => void>();
  const hurried: (number | null)[] = [];
  const start = (value: number) => new Promise<number>((resolve) => open.set(value, () => resolve(value)));
  const hurry = (value: number | null) => {
    hurried.push(value);
    for (const [one, end] of open) if (value === null || one === value) end();
  };
  expect((await all(inOrder(values, { start, window: 3, hurry }))).found).toEqual([0, 1, 2, 3, 4]);
  expect(hurried.slice(0, 2)).toEqual([0, 1]);
  expect(hurried.at(-1)).toBeNull();
});

test("after a failure gives what was begun and succeeds, reads no more, and throws the first", async () => {
  const { values, state } = counting(100);
  const start = async (value: number) => {
    if (value === 2 || value === 3) throw new Error(`no ${value}`);
    return value;
  };
  const { found, error } = await all(inOrder(values, { start, window: 6 }));
  expect(error).toEqual(new Error("no 2"));
  expect(found.slice(0, 2)).toEqual([0, 1]);
  expect(found).toEqual(found.filter((value) => value !== 2 && value !== 3));
  expect(state.read).toBeLessThan(12);
});

test("a value that cannot be read ends it behind those before it", async () => {
  async function* values() {
    yield 1;
    yield 2;
    throw new Error("line 3");
  }
  const { found, error } = await all(inOrder(values(), { start: async (value) => value, window: 6 }));
  expect(found).toEqual([1, 2]);
  expect(error).toEqual(new Error("line 3"));
});
