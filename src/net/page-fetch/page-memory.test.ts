import { expect, test } from "vitest";
import { createPageBuffer, createPageMemory } from "./page-memory.ts";

const MAX_BYTES = 5_242_880;
const { signal } = new AbortController();

/** A page that came in pieces of 60,000 octets, and what gives its memory back. */
async function read(memory: ReturnType<typeof createPageMemory>, letter: string, length: number) {
  const page = createPageBuffer(memory, signal);
  await page.open({ maxBytes: MAX_BYTES, announcedBytes: null });
  for (let left = length; left > 0; left -= 60_000)
    await page.add(Buffer.alloc(Math.min(left, 60_000), letter));
  return { body: page.finish(), release: page.release };
}

const isShared = ({ buffer }: Buffer): boolean => buffer instanceof SharedArrayBuffer;

test("one long page after the other has the same memory, and none sees another's octets", async () => {
  const memory = createPageMemory(MAX_BYTES);
  const first = await read(memory, "a", 3_000_000);
  expect(isShared(first.body)).toBe(true);
  expect(first.body.equals(Buffer.alloc(3_000_000, "a"))).toBe(true);
  first.release();
  first.release();
  const [second, third] = [await read(memory, "b", 200_000), await read(memory, "c", 200_000)];
  expect(second.body.buffer).toBe(first.body.buffer);
  expect(third.body.buffer).not.toBe(first.body.buffer);
  expect(second.body.equals(Buffer.alloc(200_000, "b"))).toBe(true);
  expect(third.body.equals(Buffer.alloc(200_000, "c"))).toBe(true);
});

test("where all rooms are lent, a page has memory of its own, no more than it needs", async () => {
  const memory = createPageMemory(MAX_BYTES);
  const pages = [];
  for (let i = 0; i < 12; i++) pages.push(await read(memory, String(i % 10), 150_000));
  expect(pages.filter(({ body }) => isShared(body)).length).toBe(10);
  const own = pages.filter(({ body }) => !isShared(body));
  expect(own.map(({ body }) => body.buffer.byteLength)).toEqual([150_000, 150_000]);
  expect(pages.every(({ body }, i) => body.equals(Buffer.alloc(150_000, String(i % 10))))).toBe(true);
  for (const { release } of pages) release();
  expect(memory.rests.use()).toMatchObject({ held: 0 });
});

test("short pages take no room", async () => {
  const page = await read(createPageMemory(MAX_BYTES), "a", 100_000);
  expect(isShared(page.body)).toBe(false);
});
