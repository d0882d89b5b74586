import { expect, test } from "vitest";
import { onBehalfOf, partyOfAccount } from "./party.ts";
import { waitForTurn } from "./turns.ts";

const NEVER = new AbortController().signal;

test("few things begin in one turn of the event loop, and who waits for least is not behind who waits for much", async () => {
  const begun: string[] = [];
  const begin = async (name: string) => {
    const turn = waitForTurn(NEVER);
    if (turn !== undefined && !(await turn)) return;
    begun.push(name);
  };
  const many = onBehalfOf(partyOfAccount("many"), () => Array.from({ length: 200 }, () => begin("many")));
  const few = onBehalfOf(partyOfAccount("few"), () => begin("few"));
  const atOnce = begun.length;
  expect(atOnce).toBe(16);
  await few;
  expect(begun.length).toBeLessThanOrEqual(2 * atOnce);
  await Promise.all(many);
  expect(begun).toHaveLength(201);
});

test("whoever leaves waits no longer", async () => {
  const left = new AbortController();
  const waiting = Array.from({ length: 40 }, () => waitForTurn(left.signal));
  left.abort();
  const turns = await Promise.all(waiting);
  expect(turns.filter((turn) => turn === undefined).length).toBeLessThanOrEqual(16);
  expect(turns.filter((turn) => turn === false).length).toBeGreaterThan(0);
});
