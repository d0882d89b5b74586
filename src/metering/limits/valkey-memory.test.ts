import { expect, test } from "vitest";
import { createMemoryCheck } from "./valkey-memory.ts";

/** A server that keeps one mark, or not; `seconds` probes once in each. */
function createServer() {
  let nowMs = 0;
  let isMarked = false;
  const check = createMemoryCheck({ monotonicMs: () => nowMs });
  const note = async (): Promise<boolean> => {
    const wasMarked = isMarked;
    isMarked = true;
    return wasMarked;
  };
  const probe = () =>
    check.probe(note).then(
      () => "ok",
      ({ message }) => message,
    );
  const seconds = async (count: number): Promise<string[]> => {
    const said: string[] = [];
    for (let i = 0; i < count; i++) {
      nowMs += 1000;
      said.push(await probe());
    }
    return said;
  };
  const forget = (): void => {
    isMarked = false;
  };
  return { seconds, check, forget, pass: (ms: number) => (nowMs += ms) };
}

const isForgetful = expect.stringContaining("noeviction");

test("a server that keeps what it is told is trusted, however long", async () => {
  const server = createServer();
  expect(new Set(await server.seconds(100))).toEqual(new Set(["ok"]));
});

test("a server that forgot is not trusted for eight seconds in which it forgets nothing", async () => {
  const server = createServer();
  await server.seconds(20);
  server.forget();
  const said = await server.seconds(3);
  server.forget();
  said.push(...(await server.seconds(9)));
  expect(said.slice(0, 11)).toEqual(Array.from({ length: 11 }, () => isForgetful));
  expect(said[11]).toBe("ok");
});

test("a mark that may have run out since says nothing", async () => {
  const server = createServer();
  await server.seconds(1);
  server.pass(30_000);
  server.forget();
  expect(await server.seconds(2)).toEqual(["ok", "ok"]);
});

test("a server that evicts at once is never trusted again", async () => {
  const server = createServer();
  expect(await server.seconds(1)).toEqual(["ok"]);
  for (let i = 0; i < 30; i++) {
    server.forget();
    expect(await server.seconds(1)).toEqual([isForgetful]);
  }
});

test("a server that was started anew is asked as a new one", async () => {
  const server = createServer();
  await server.seconds(5);
  server.forget();
  server.check.restart();
  expect(await server.seconds(3)).toEqual(["ok", "ok", "ok"]);
});

test("a start that the server refuses is its answer", async () => {
  const check = createMemoryCheck({ monotonicMs: () => 0 });
  await expect(check.probe(() => Promise.reject(new Error("READONLY")))).rejects.toThrow("READONLY");
});
