import { describe, expect, test } from "vitest";
import { client, createStoppedClock, one, outcome, serve, until } from "../../../test/servers/dns-client.ts";
import type { TestScript } from "../../../test/servers/dns-server.ts";
import { createBudget } from "../budget.ts";
import { onBehalfOf, type Party, partyOfAccount } from "../party.ts";
import { createAnswerCache } from "./answer-cache.ts";
import { createDnsBudget } from "./dns.ts";

const TIMEOUT_MS = 2000;
const HOSTILE = partyOfAccount("hostile");
const SECOND = partyOfAccount("second");
const VICTIM = partyOfAccount("victim");

/** Names below `hang` are never answered. */
const hanging: TestScript = (question) =>
  /hang\d*\.example$/i.test(question.name) ? "silence" : one(question);

async function open(budget = createDnsBudget()) {
  const server = await serve(hanging);
  const clock = createStoppedClock();
  const dns = client([server], { clock, timeoutMs: TIMEOUT_MS, budget });
  const ask = (party: Party, name: string) => onBehalfOf(party, () => outcome(dns, name));
  return { server, clock, dns, budget, ask };
}

const names = (count: number, zone: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => `n${i}.${zone(i)}`);

describe("questions that are never answered", () => {
  test("in one domain take a part of its turns, and other domains' questions go past them", async () => {
    const { server, budget, ask } = await open();
    for (const name of names(1000, () => "hang.example")) void ask(HOSTILE, name);
    await until(() => server.questions.length >= 29);
    expect(await ask(HOSTILE, "www.well.example")).toBe("NOERROR 192.0.2.1");
    expect(await ask(VICTIM, "www.well.example")).toBe("NOERROR 192.0.2.1");
    expect(budget.use()).toMatchObject({ held: 29, waiting: 971 });
    for (const name of names(1000, () => "hang.example")) void ask(SECOND, `x.${name}`);
    await until(() => budget.use().waiting > 1900);
    expect(budget.use().held).toBeLessThanOrEqual(48);
  });

  test("in many domains leave another account its answer before one of those that wait is asked", async () => {
    const { server, budget, ask } = await open();
    for (const name of names(4000, (i) => `hang${i}.example`)) void ask(HOSTILE, name);
    for (const name of names(4000, (i) => `hang${i}.example`)) void ask(SECOND, `x.${name}`);
    await until(() => server.questions.length > 100);
    const before = budget.use();
    expect(before.held).toBeLessThan(before.capacity);
    expect(await ask(VICTIM, "www.well.example")).toBe("NOERROR 192.0.2.1");
    expect(budget.use()).toEqual(before);
  });

  test("of one's own keep no shared question waiting that another account asks too", async () => {
    const { clock, ask, budget, dns } = await open(createBudget({ capacity: 2, rule: "even" }));
    void ask(HOSTILE, "first.hang.example");
    clock.advance(TIMEOUT_MS / 4);
    void ask(HOSTILE, "second.hang.example");
    for (const name of names(200, (i) => `hang${i}.example`)) void ask(HOSTILE, name);
    const cache = createAnswerCache<string>(clock, 10);
    const askShared = (party: Party) =>
      onBehalfOf(party, () =>
        cache.ask("it", async () => ({ value: await outcome(dns, "www.well.example"), ttlS: 0 })),
      );
    const shared = [askShared(HOSTILE), askShared(VICTIM)];
    await until(() => budget.use().waiting === 201);
    // One ends: the next in turn is the victim's, not the hundreds that wait before it.
    clock.advance((TIMEOUT_MS * 3) / 4);
    expect(await Promise.race(shared)).toBe("NOERROR 192.0.2.1");
  });
});

test("a question that one account left goes on for the other", async () => {
  const { dns, server } = await open();
  const left = new AbortController();
  const gone = onBehalfOf(HOSTILE, () => dns.query("www.well.example", "A", { signal: left.signal }));
  const stays = onBehalfOf(VICTIM, () =>
    dns.query("www.well.example", "A", { signal: new AbortController().signal }),
  );
  left.abort();
  expect((await gone).state).toBe("unavailable");
  expect((await stays).state).toBe("answered");
  expect(server.questions).toHaveLength(1);
});

describe("a zone that is silent", () => {
  test("rests: the sixth question is answered at once and not asked, after 30 seconds it is", async () => {
    const { server, clock, ask } = await open();
    for (let i = 0; i < 5; i++) {
      const before = server.questions.length;
      const answer = ask(HOSTILE, `n${i}.hang.example`);
      await until(() => server.questions.length === before + 1);
      clock.advance(TIMEOUT_MS / 2);
      await until(() => server.questions.length === before + 2);
      clock.advance(TIMEOUT_MS / 2);
      expect(await answer).toBe(`timeout: No answer within ${TIMEOUT_MS} ms`);
    }
    const before = server.questions.length;
    expect(await ask(HOSTILE, "sixth.hang.example")).toMatch(/^timeout: .* rests 30 seconds$/);
    expect(server.questions.length).toBe(before);
    clock.advance(30_000);
    server.use(one);
    expect(await ask(HOSTILE, "sixth.hang.example")).toBe("NOERROR 192.0.2.1");
  });

  test("does not rest for questions that were given no time, or never had their turn", async () => {
    const { clock, dns, budget, ask } = await open(createBudget({ capacity: 1 }));
    void ask(HOSTILE, "n.hang.example");
    const unasked = names(20, () => "well.example").map((name) => ask(VICTIM, name));
    await until(() => budget.use().waiting === 20);
    clock.advance(TIMEOUT_MS);
    await Promise.all(unasked);
    for (let i = 0; i < 8; i++) {
      const hurried = dns.query(`h${i}.well2.hang.example`, "A", { timeoutMs: 100 });
      await until(() => budget.use().held > 0);
      clock.advance(100);
      await hurried;
    }
    expect(await ask(VICTIM, "www.well.example")).toBe("NOERROR 192.0.2.1");
  });
});
