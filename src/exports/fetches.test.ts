import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createExportFetches } from "./fetches.ts";

let dir = "";
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "repute-fetches-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const START_MS = 1_700_000_000_000;

/** A folder of exports, and a clock that is set by hand. */
function createWorld() {
  let ms = START_MS;
  const fetches = createExportFetches(dir, { now: () => new Date(ms) });
  const note = (token: string, address: string, more: { format?: string } = {}): void =>
    fetches.note("edge", {
      ...{ token, address, user_agent: "curl", format: "txt", generation: 1, unchanged: true },
      ...more,
    });
  const files = (): readonly string[] => readdirSync(join(dir, "edge", "fetches"));
  const have = async (count: number): Promise<void> =>
    vi.waitFor(() => expect(fetches.of("edge")).toHaveLength(count), { timeout: 20_000, interval: 20 });
  return { fetches, note, files, have, pass: (more: number) => (ms += more) };
}

test("a token that asks from addresses without number has a hundred written in a minute", async () => {
  const { fetches, note, have, pass } = createWorld();
  for (let i = 0; i < 2000; i++) note("rpx_many", `2001:db8::${i.toString(16)}`);
  await have(100);
  const written = () => new Set(fetches.of("edge").map(({ address }) => address));
  expect(written()).toContain("2001:db8::0");
  expect(written()).not.toContain("2001:db8::7cf");
  pass(60_000);
  note("rpx_many", "2001:db8::7cf");
  await vi.waitFor(() => expect(written()).toContain("2001:db8::7cf"), { timeout: 20_000 });
  await have(100);
});

test("it hides no consumer of another token, however long ago that one came", async () => {
  const { fetches, note, have, pass, files } = createWorld();
  note("rpx_fire", "192.0.2.1");
  note("rpx_fire", "192.0.2.2");
  await have(2);
  for (let minute = 0; minute < 3; minute++) {
    pass(60_000);
    for (let i = 0; i < 60; i++) note("rpx_many", `2001:db8:${minute}::${i.toString(16)}`);
  }
  note("rpx_last", "192.0.2.3");
  await vi.waitFor(() => expect(fetches.of("edge").map(({ token }) => token)).toContain("rpx_last"), {
    timeout: 20_000,
  });
  await have(100);
  const tokens = fetches.of("edge").map(({ token }) => token);
  expect(tokens.filter((one) => one === "rpx_fire")).toHaveLength(2);
  expect(files()).toHaveLength(100);
});
