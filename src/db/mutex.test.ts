import { expect, test } from "vitest";
import { createMutex } from "./mutex.ts";

test("createMutex() lets one in at a time, in the order of asking, and ignores a second release", async () => {
  const mutex = createMutex();
  const order: number[] = [];
  const first = await mutex.acquire();
  const others = [1, 2, 3].map(async (id) => {
    const release = await mutex.acquire();
    order.push(id);
    await Promise.resolve();
    expect(order.at(-1)).toBe(id);
    release();
    release();
  });
  expect(mutex.isHeld()).toBe(true);
  expect(order).toEqual([]);
  first();
  await Promise.all(others);
  expect(order).toEqual([1, 2, 3]);
  expect(mutex.isHeld()).toBe(false);
});
